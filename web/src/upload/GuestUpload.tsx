import './upload.css'
import { ImagePlus } from 'lucide-react'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { nameGuest } from '#contract/guest-uploads.ts'
import { lengths } from '#contract/limits.ts'
import type { SharedLink } from '#contract/links.ts'
import { ApiError, call } from '../kit/api.ts'
import { formatDate } from '../kit/format.ts'
import { usePageTitle } from '../kit/page-title.ts'
import { useAppSettings } from '../kit/settings.ts'
import { Button } from '../ui/Button.tsx'
import { GuestHeading } from '../ui/GuestHeading.tsx'
import { Notice } from '../ui/Notice.tsx'
import { TextField } from '../ui/TextField.tsx'
import { useFileChooser } from './dialog/FileChooser.tsx'
import { UploadRows } from './dialog/UploadRows.tsx'
import { guestTexts as texts } from './guest-texts.ts'
import { createGuestTransport } from './guest-transport.ts'
import { PendingUploads } from './pending-uploads.ts'
import { SentFiles } from './SentFiles.tsx'
import { isRetryable, type UploadItem } from './upload-items.ts'
import { countItems } from './upload-progress.ts'
import { UploadQueue } from './upload-queue.ts'
import { useKeepUploading, useQueueState, useUploadQueue } from './use-upload-queue.ts'

interface Props {
  /** As it was opened last. Its session may have ended since. */
  link: SharedLink
  /** When it was opened; null while it has to be opened again. */
  openedAt: number | null
  /** The link does not work any more. */
  gone: boolean
  /** Asks for its password, or says why it could not be opened again. */
  children: ReactNode
  /** Opens the link again; false if that was tried a moment ago. */
  onSessionEnd: () => boolean
}

/** The page of an upload link: a guest says a name and sends photos. It keeps its list when the session ends. */
export function GuestUpload(props: Props) {
  const { id } = props.link
  const create = useCallback(
    () => new UploadQueue(createGuestTransport(id), new PendingUploads(`link ${id}`, { keepsStored: true })),
    [id],
  )
  const queue = useUploadQueue(create)
  return queue && <UploadPage queue={queue} {...props} />
}

function UploadPage({ queue, link, openedAt, gone, children, onSessionEnd }: Props & { queue: UploadQueue }) {
  usePageTitle(texts.page)
  const { title: library } = useAppSettings()
  const { closed, items, sessionEndedAt } = useQueueState(queue)
  // When the link is opened again, the browser may have forgotten who this guest is.
  const [named, setNamed] = useState<{ link: SharedLink; name: string } | null>(null)
  const name = named?.link === link ? named.name : (link.uploads?.guest ?? null)
  const [renaming, setRenaming] = useState(false)
  const rename = useRef<HTMLButtonElement>(null)
  const [namings, setNamings] = useState(0)
  // The form is gone: the keyboard goes on in its place.
  useEffect(() => {
    if (namings > 0) rename.current?.focus()
  }, [namings])
  useEffect(() => {
    if (sessionEndedAt !== null && !onSessionEnd()) queue.fail(texts.sessionEnded)
  }, [queue, sessionEndedAt, onSessionEnd])
  const isOpenAgain = sessionEndedAt !== null && openedAt !== null && openedAt > sessionEndedAt
  useEffect(() => {
    if (isOpenAgain && name !== null) queue.resume()
  }, [queue, isOpenAgain, name])
  useEffect(() => {
    if (gone) queue.fail(null)
  }, [queue, gone])
  return (
    <main className="mx-auto flex w-full max-w-3xl flex-col gap-5 px-[16px] pt-4 pb-12 sm:px-6">
      <header className="wrap-anywhere flex flex-col gap-1">
        <GuestHeading library={library} title={link.title ?? texts.heading} />
        <p className="text-ink-soft">
          {texts.intro} {link.expires_at !== null && !closed && texts.until({ date: formatDate(link.expires_at) })}
        </p>
      </header>
      {children}
      {name === null || renaming ? (
        <NameForm
          linkId={link.id}
          initial={name ?? ''}
          onNamed={name => {
            setNamed({ link, name })
            setRenaming(false)
            setNamings(namings + 1)
          }}
        />
      ) : (
        <p className="flex flex-wrap items-center gap-x-3">
          <bdi>{texts.hello({ name })}</bdi>
          <button
            ref={rename}
            type="button"
            onClick={() => setRenaming(true)}
            className="min-h-touch font-semibold text-accent underline-offset-4 hover:underline"
          >
            {texts.rename}
          </button>
        </p>
      )}
      {/* Also while the name is changed: it has the files that are being sent. */}
      {(name !== null || items.length > 0) && <Sending linkId={link.id} queue={queue} />}
    </main>
  )
}

interface NameProps {
  linkId: number
  initial: string
  onNamed: (name: string) => void
}

function NameForm({ linkId, initial, onNamed }: NameProps) {
  const field = useRef<HTMLInputElement>(null)
  const [name, setName] = useState(initial)
  const isChange = initial !== ''
  useEffect(() => {
    if (isChange) field.current?.focus()
  }, [isChange])
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  async function save() {
    setBusy(true)
    try {
      onNamed((await call(nameGuest, { params: { id: linkId }, body: { name } })).name)
    } catch (failure) {
      setError(failure instanceof ApiError ? failure.message : texts.name.failure)
      setBusy(false)
    }
  }
  return (
    <form
      className="flex max-w-sm flex-col gap-3"
      onSubmit={event => {
        event.preventDefault()
        if (name.trim() !== '' && !busy) void save()
      }}
    >
      {error !== null && <Notice>{error}</Notice>}
      <TextField
        ref={field}
        label={texts.name.label}
        value={name}
        maxLength={lengths.guestName}
        autoComplete="name"
        required
        onChange={setName}
      />
      <p className="text-fine text-ink-soft">{texts.name.hint}</p>
      <Button variant="primary" type="submit" busy={busy}>
        {texts.name.go}
      </Button>
    </form>
  )
}

function Sending({ linkId, queue }: { linkId: number; queue: UploadQueue }) {
  const { items, offline, closed, progress, sessionEndedAt, unfinished } = useQueueState(queue)
  const { rootProps, inputProps, open, dragging } = useFileChooser(queue)
  const counts = countItems(items)
  const skipped = items.filter(item => item.storedBefore).length
  const sent = counts.uploaded - skipped
  const busy = progress !== null
  const common = busy || closed ? [] : commonReasons(items)
  const listed = items.filter(item => item.status !== 'success' || item.incomplete !== null)
  const scroller = useRef<HTMLDivElement>(null)
  useKeepUploading(busy)
  return (
    <>
      {closed && <Notice>{texts.ended}</Notice>}
      {unfinished.some(record => !record.stored) && items.length === 0 && (
        <p className="rounded-card border border-accent bg-accent-wash px-4 py-2">{texts.interrupted}</p>
      )}
      <div {...rootProps} className={closed ? 'hidden' : 'flex flex-col gap-3'}>
        <input {...inputProps} />
        <button
          type="button"
          onClick={open}
          className={`flex flex-col items-center justify-center gap-3 rounded-card border-2 border-dashed px-6 text-center motion-quick transition-colors hover:border-accent hover:bg-accent-wash ${items.length === 0 ? 'min-h-56 py-10' : 'py-6'} ${dragging ? 'border-accent bg-accent-wash' : 'border-edge'}`}
        >
          <ImagePlus aria-hidden="true" className="size-10 text-accent" />
          {dragging ? (
            <span className="font-semibold text-lead">{texts.drop.now}</span>
          ) : items.length > 0 ? (
            <span className="font-semibold text-lead">{texts.drop.more}</span>
          ) : (
            <>
              <span className="font-semibold text-lead pointer-coarse:hidden">{texts.drop.title}</span>
              <span className="hidden font-semibold text-lead pointer-coarse:block">{texts.drop.touch}</span>
            </>
          )}
          <span className="max-w-md text-ink-soft text-small">{texts.originals}</span>
        </button>
      </div>
      {skipped > 0 && (
        <p role="status" className="text-ink-soft">
          {texts.skipped({ count: skipped })}
        </p>
      )}
      {items.length > 0 && (
        <div role="status" className="flex flex-col gap-1">
          <p className="font-semibold">
            {busy
              ? texts.sending({ done: sent, total: counts.total - counts.rejected - skipped })
              : sent > 0 && texts.allSent({ count: sent })}
          </p>
          {busy && sessionEndedAt === null && (
            <p className="text-ink-soft text-small">{offline ? texts.offline : texts.keepOpen}</p>
          )}
          {counts.failed > 0 && !busy && (
            <p className="flex flex-wrap items-center gap-3">
              {[texts.failedCount({ count: counts.failed }), ...common].join(' ')}
              {items.some(isRetryable) && <Button onClick={() => queue.retry()}>{texts.retry}</Button>}
            </p>
          )}
          {counts.incomplete > 0 && <p className="text-small text-warn">{texts.incomplete}</p>}
        </div>
      )}
      {listed.length > 0 && (
        <div ref={scroller} className="max-h-[60svh] overflow-y-auto">
          <UploadRows queue={queue} items={listed} scroller={scroller} />
        </div>
      )}
      <SentFiles linkId={linkId} refreshedBy={sent} here={items} />
    </>
  )
}

/** Why several files could not be sent, which is said once. */
function commonReasons(items: readonly UploadItem[]): string[] {
  const failed = items.filter(({ status, error, rejectedByPicker }) => status === 'error' && error && !rejectedByPicker)
  const byReason = Map.groupBy(failed, ({ error }) => error ?? '')
  return [...byReason].flatMap(([reason, those]) => (those.length > 1 ? reason : []))
}
