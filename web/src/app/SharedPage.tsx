import '../gallery/gallery.css'
import { Download, Play } from 'lucide-react'
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { GuestFile, SharedLink } from '#contract/links.ts'
import { FullPageSpinner } from '../auth/FullPageSpinner.tsx'
import { type BrowserHandle, FileBrowser, noSelection } from '../gallery/browser/FileBrowser.tsx'
import { loadedList } from '../gallery/files/files.ts'
import { ApiError } from '../kit/api.ts'
import { formatDate, formatPhotos } from '../kit/format.ts'
import { usePageTitle } from '../kit/page-title.ts'
import { useAppSettings } from '../kit/settings.ts'
import { LinkGone, LinkPassword, PasswordForm } from '../links/GuestStates.tsx'
import {
  alternativeOf,
  downloadUrl,
  gridFileOf,
  isPreparing,
  type LinkAddress,
  mediaFileOf,
  readLinkAddress,
  useSharedFiles,
  useSharedLink,
  zipUrl,
} from '../links/guest.ts'
import { texts as linkTexts } from '../links/texts.ts'
import type { FileActions } from '../media/viewed-file.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { GuestHeading } from '../ui/GuestHeading.tsx'
import { LoadingOrError } from '../ui/LoadingOrError.tsx'

const Viewer = lazy(async () => ({ default: (await import('../viewer/Viewer.tsx')).Viewer }))
const GuestUpload = lazy(async () => ({ default: (await import('../upload/GuestUpload.tsx')).GuestUpload }))
const { guest: texts } = linkTexts

/** What people without an account see of a link: the gallery and the viewer, read-only. */
export function SharedPage() {
  const { hash } = useLocation()
  const address = readLinkAddress(hash)
  return address === undefined ? <LinkGone /> : <OpenedLink key={hash} address={address} />
}

function OpenedLink({ address }: { address: LinkAddress }) {
  const { opened, last, unlock, wrong, busy, reopen } = useSharedLink(address)
  const { data, error, dataUpdatedAt } = opened
  const password = { wrong, busy, onSubmit: (password: string) => void unlock(password) }
  // Also while it is opened again: the page has the files that are being sent.
  if (last?.uploads) {
    return (
      <Suspense fallback={<FullPageSpinner />}>
        <GuestUpload
          link={last}
          openedAt={data?.link ? dataUpdatedAt : null}
          gone={error !== null && isGone(error)}
          onSessionEnd={reopen}
        >
          {data?.link === null && <PasswordForm {...password}>{texts.password.again}</PasswordForm>}
          {error !== null && !isGone(error) && <LoadingOrError query={opened} texts={texts} />}
        </GuestUpload>
      </Suspense>
    )
  }
  if (data === undefined) {
    if (error === null) return <FullPageSpinner />
    if (isGone(error)) return <LinkGone />
    return (
      <main className="grid min-h-svh place-items-center">
        <LoadingOrError query={opened} texts={texts} />
      </main>
    )
  }
  if (data.link === null) return <LinkPassword {...password} />
  return <SharedGallery link={data.link} onExpired={reopen} />
}

function isGone(error: Error): boolean {
  return error instanceof ApiError && error.status === 404
}

/** `onExpired`: a page that has been open for a day needs the secret, and the password, once more. */
function SharedGallery({ link: opened, onExpired }: { link: SharedLink; onExpired: () => void }) {
  const query = useSharedFiles(opened.id)
  const isExpired = query.error instanceof ApiError && query.error.status === 403
  useEffect(() => {
    if (isExpired) onExpired()
  }, [isExpired, onExpired])
  const viewing = useOpenFile()
  const { title: library } = useAppSettings()
  const link = query.data?.link ?? opened
  const first = query.data?.files[0]
  const only = query.data?.files.length === 1 ? first : undefined
  const title = link.title ?? texts.headings[only?.file_type ?? 'several']
  usePageTitle(title)
  if (query.error !== null && isGone(query.error)) return <LinkGone />
  const expiry = link.expires_at !== null && texts.until({ date: formatDate(link.expires_at) })
  const facts = [formatPhotos(link.file_count), expiry]
  return (
    <main className="mx-auto w-full px-[16px] pb-12 sm:px-6">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-2 py-4">
        <div className="wrap-anywhere mr-auto min-w-0">
          <GuestHeading library={library} title={title} />
          <p className="text-ink-soft text-small">{facts.filter(Boolean).join(' · ')}</p>
        </div>
        {link.file_count > 0 && (
          <div className="flex flex-wrap gap-2">
            {first !== undefined && link.file_count > 1 && (
              <Button
                icon={<Play aria-hidden="true" className="size-5" />}
                onClick={() => viewing.open(first.id, { play: true })}
              >
                {texts.slideshow}
              </Button>
            )}
            {only !== undefined ? (
              <DownloadLink href={downloadUrl(link, only)} label={texts.download} />
            ) : (
              <>
                <DownloadLink href={zipUrl(link, false)} label={texts.downloadAll} />
                {link.originals && <DownloadLink href={zipUrl(link, true)} label={texts.downloadOriginals} />}
              </>
            )}
          </div>
        )}
      </header>
      {query.data === undefined ? (
        <LoadingOrError query={query} texts={texts} />
      ) : query.data.files.length === 0 ? (
        <EmptyState title={texts.empty.title} text={texts.empty.text} />
      ) : (
        <Files
          link={link}
          files={query.data.files}
          readAt={query.dataUpdatedAt}
          refresh={query.refetch}
          viewing={viewing}
        />
      )}
    </main>
  )
}

function DownloadLink({ href, label }: { href: string; label: string }) {
  return (
    <a
      href={href}
      download
      className="inline-flex min-h-touch items-center justify-center gap-2 rounded-control border border-edge bg-raised px-4 py-2 font-semibold hover:bg-sunken"
    >
      <Download aria-hidden="true" className="size-5" />
      {label}
    </a>
  )
}

interface FilesProps {
  link: SharedLink
  files: readonly GuestFile[]
  readAt: number
  refresh: () => Promise<unknown>
  viewing: ReturnType<typeof useOpenFile>
}

function Files({ link, files, readAt, refresh, viewing }: FilesProps) {
  const browser = useRef<BrowserHandle>(null)
  const [density, setDensity] = useState(0)
  const tiles = useMemo(() => files.map(file => gridFileOf(link.id, file)), [link.id, files])
  const list = useMemo(() => loadedList(tiles, link.by_day), [tiles, link.by_day])
  const captions = files.some(({ caption }) => caption !== null)
  const insets = useCallback(() => ({ top: 0, bottom: 0 }), [])
  const position = files.findIndex(({ id }) => id === viewing.id)
  const preparing = files.filter(isPreparing).length
  const only = files.length === 1 && files[0]?.pictures ? files[0] : undefined

  const closed = viewing.id === null
  const last = useRef(-1)
  useEffect(() => {
    if (position >= 0) last.current = position
    if (!closed || last.current < 0) return
    // After closing, the focus goes to the file that was open last.
    browser.current?.focus(last.current)
    last.current = -1
  }, [position, closed])
  return (
    <>
      {preparing > 0 && (
        <p role="status" className="mb-3 text-ink-soft text-small">
          {texts.preparing({ count: preparing })}
        </p>
      )}
      {only !== undefined ? (
        <OnlyPicture link={link} file={only} onOpen={() => viewing.open(only.id)} />
      ) : (
        <FileBrowser
          ref={browser}
          {...list}
          timelineReadAt={readAt}
          settled
          view="proportions"
          density={density}
          onDensity={setDensity}
          onDensitySteps={ignore}
          names={false}
          captions={captions}
          selection={noSelection}
          readOnly
          actions={{ open: file => viewing.open(file.id), prefetch: ignore, openMenu: ignore, edit: undefined }}
          renaming={null}
          onRenaming={ignore}
          onSort={ignore}
          onReverse={ignore}
          insets={insets}
        />
      )}
      {position >= 0 && (
        <Suspense fallback={null}>
          <OpenFile link={link} files={files} position={position} refresh={refresh} viewing={viewing} />
        </Suspense>
      )}
    </>
  )
}

/** A link for one photo or video shows it large, instead of one tile in an empty page. */
function OnlyPicture({ link, file, onOpen }: { link: SharedLink; file: GuestFile; onOpen: () => void }) {
  const { variant_urls } = mediaFileOf(link, file)
  return (
    <figure>
      <button type="button" onClick={onOpen} className="relative mx-auto block w-fit max-w-full rounded-photo">
        <img
          src={variant_urls?.desktop ?? undefined}
          alt={alternativeOf(file)}
          width={file.width ?? undefined}
          height={file.height ?? undefined}
          className="h-auto max-h-[calc(100svh-10rem)] min-h-40 w-auto max-w-full rounded-photo object-contain"
        />
        {file.file_type === 'video' && (
          <span className="photo-text absolute inset-0 m-auto grid size-16 place-items-center rounded-full">
            <Play aria-hidden="true" className="size-8" />
          </span>
        )}
      </button>
      {file.caption !== null && (
        <figcaption className="wrap-anywhere mx-auto max-w-prose pt-3 text-center">
          <bdi>{file.caption}</bdi>
        </figcaption>
      )}
    </figure>
  )
}

function ignore() {}

interface OpenFileProps extends Omit<FilesProps, 'readAt'> {
  position: number
}

function OpenFile({ link, files, position, refresh, viewing }: OpenFileProps) {
  const fileAt = (at: number) => {
    const file = files[at]
    return file && mediaFileOf(link, file)
  }
  const [shared, file] = [files[position], fileAt(position)]
  if (shared === undefined || file === undefined) return null
  const [previous, next] = [fileAt(position - 1), fileAt(position + 1)]
  const first = next === undefined && position > 0 ? fileAt(0) : undefined
  return (
    <Viewer
      id={file.id}
      file={file}
      alternative={alternativeOf(shared)}
      tile={undefined}
      metadata={null}
      error={null}
      refresh={async () => {
        await refresh()
        return file
      }}
      startsPlaying
      play={viewing.play}
      index={position}
      total={files.length}
      previous={previous}
      next={next}
      first={first}
      prefetch={[next, fileAt(position + 2), previous, first].filter(one => one !== undefined)}
      actions={guestActions(link, files)}
      onOpen={({ id }) => viewing.show(id)}
      onClose={viewing.close}
    />
  )
}

/** Changes are never offered, because guests have no rights. */
function guestActions(link: SharedLink, files: readonly GuestFile[]): FileActions {
  const refuse = async () => false
  return {
    rename: refuse,
    delete: refuse,
    rehash: async () => {},
    download: async ({ id }) => {
      const file = files.find(one => one.id === id)
      if (file === undefined) return
      const anchor = document.createElement('a')
      anchor.href = downloadUrl(link, file)
      anchor.download = ''
      anchor.click()
    },
  }
}

/** Opening a file adds an entry to the history, so that Back closes it. The secret stays in the address. */
function useOpenFile() {
  const navigate = useNavigate()
  const { search, hash } = useLocation()
  const opened = Number(new URLSearchParams(search).get('file')) || null
  const [shown, setShown] = useState<number | null>(null)
  const [play, setPlay] = useState(false)
  const openedHere = useRef(false)
  return {
    /** Whether the file was opened to start a slideshow. */
    play,
    id: opened === null ? null : (shown ?? opened),
    open: (id: number, { play = false } = {}) => {
      openedHere.current = true
      setPlay(play)
      setShown(null)
      void navigate({ search: `?file=${id}`, hash })
    },
    show: setShown,
    close: () => {
      setShown(null)
      setPlay(false)
      if (openedHere.current) void navigate(-1)
      else void navigate({ search: '', hash }, { replace: true })
      openedHere.current = false
    },
  }
}
