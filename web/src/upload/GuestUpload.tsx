import './upload.css'
import { CircleAlert, ImagePlus } from 'lucide-react'
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { useDropzone } from 'react-dropzone'
import { nameGuest } from '#contract/guest-uploads.ts'
import { lengths } from '#contract/limits.ts'
import type { SharedLink } from '#contract/links.ts'
import { ApiError, call } from '../kit/api.ts'
import { formatSize } from '../kit/format.ts'
import { usePageTitle } from '../kit/page-title.ts'
import { useAppSettings } from '../kit/settings.ts'
import { Button } from '../ui/Button.tsx'
import { GuestHeading } from '../ui/GuestHeading.tsx'
import { Notice } from '../ui/Notice.tsx'
import { TextField } from '../ui/TextField.tsx'
import { accepted, isHidden, MIN_FILE_SIZE, rejectionReason } from './accept.ts'
import { type GuestItem, GuestQueue } from './guest-queue.ts'
import { guestTexts as texts } from './guest-texts.ts'
import { ProgressBar } from './ProgressBar.tsx'
import { SentFiles } from './SentFiles.tsx'

interface Props {
  link: SharedLink
  /** The browser has to open the link again. */
  onExpired: () => void
}

/** The page of an upload link: a guest says a name and sends photos. */
export function GuestUpload({ link, onExpired }: Props) {
  usePageTitle(texts.page)
  const { title: library } = useAppSettings()
  const queue = useMemo(() => new GuestQueue(link.id, onExpired), [link.id, onExpired])
  const { ended } = useSyncExternalStore(queue.subscribe, queue.state)
  const [name, setName] = useState(link.uploads?.guest ?? null)
  const [renaming, setRenaming] = useState(false)
  const rename = useRef<HTMLButtonElement>(null)
  const [namings, setNamings] = useState(0)
  // The form is gone: the keyboard goes on in its place.
  useEffect(() => {
    if (namings > 0) rename.current?.focus()
  }, [namings])
  return (
    <main className="mx-auto flex w-full max-w-3xl flex-col gap-5 px-[16px] pt-4 pb-12 sm:px-6">
      <header className="wrap-anywhere flex flex-col gap-1">
        <GuestHeading library={library} title={link.title ?? texts.heading} />
        <p className="text-ink-soft">
          {texts.intro} {link.expires_at !== null && !ended && texts.until(link.expires_at)}
        </p>
      </header>
      {name === null || renaming ? (
        <NameForm
          linkId={link.id}
          initial={name ?? ''}
          onNamed={named => {
            setName(named)
            setRenaming(false)
            setNamings(namings + 1)
          }}
        />
      ) : (
        <p className="flex flex-wrap items-center gap-x-3">
          <bdi>{texts.hello(name)}</bdi>
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
      {name !== null && <Sending linkId={link.id} queue={queue} />}
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

function Sending({ linkId, queue }: { linkId: number; queue: GuestQueue }) {
  const { items, offline, ended, skipped } = useSyncExternalStore(queue.subscribe, queue.state)
  const [interrupted] = useState(() => queue.wasInterrupted())
  const { getRootProps, getInputProps, open, isDragActive } = useDropzone({
    accept: accepted,
    minSize: MIN_FILE_SIZE,
    noClick: true,
    noKeyboard: true,
    onDrop: (files, rejections) =>
      queue.add(
        files.filter(file => !isHidden(file)),
        rejections
          .filter(({ file }) => !isHidden(file))
          .map(rejection => ({ file: rejection.file, reason: rejectionReason(rejection) })),
      ),
  })
  const count = (status: GuestItem['status']) => items.filter(item => item.status === status).length
  const [sent, failed, refused] = [count('sent'), count('failed'), count('refused')]
  const sendable = items.length - refused
  const busy = sent + failed < sendable
  const common = busy ? [] : commonReasons(items)
  useWarnBeforeLeaving(busy)
  return (
    <>
      {ended && <Notice>{texts.ended}</Notice>}
      {interrupted && items.length === 0 && (
        <p className="rounded-card border border-accent bg-accent-wash px-4 py-2">{texts.interrupted}</p>
      )}
      <div {...getRootProps()} className={ended ? 'hidden' : 'flex flex-col gap-3'}>
        <input {...getInputProps({ style: { display: 'none' } })} />
        <button
          type="button"
          onClick={open}
          className={`flex flex-col items-center justify-center gap-3 rounded-card border-2 border-dashed px-6 text-center motion-quick transition-colors hover:border-accent hover:bg-accent-wash ${items.length === 0 ? 'min-h-56 py-10' : 'py-6'} ${isDragActive ? 'border-accent bg-accent-wash' : 'border-edge'}`}
        >
          <ImagePlus aria-hidden="true" className="size-10 text-accent" />
          {isDragActive ? (
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
          {texts.skipped(skipped)}
        </p>
      )}
      {items.length > 0 && (
        <div role="status" className="flex flex-col gap-1">
          <p className="font-semibold">{busy ? texts.sending(sent, sendable) : sent > 0 && texts.allSent(sent)}</p>
          {busy && <p className="text-ink-soft text-small">{offline ? texts.offline : texts.keepOpen}</p>}
          {failed > 0 && !busy && (
            <p className="flex flex-wrap items-center gap-3">
              {[texts.failedCount(failed), ...common].join(' ')}
              <Button onClick={() => queue.retryFailed()}>{texts.retry}</Button>
            </p>
          )}
        </div>
      )}
      <Rows
        items={items
          .filter(item => item.status !== 'sent')
          .map(item =>
            item.status === 'failed' && common.includes(item.error ?? '') ? { ...item, error: null } : item,
          )}
      />
      <SentFiles linkId={linkId} refreshedBy={sent} />
    </>
  )
}

/** Why several files could not be sent, which is said once. */
function commonReasons(items: readonly GuestItem[]): string[] {
  const failed = items.filter(({ status, error }) => status === 'failed' && error !== null)
  const byReason = Map.groupBy(failed, ({ error }) => error ?? '')
  return [...byReason].flatMap(([reason, those]) => (those.length > 1 ? reason : []))
}

/** More would slow a phone down, and nobody reads them. */
const MOST_ROWS = 100

function Rows({ items }: { items: readonly GuestItem[] }) {
  if (items.length === 0) return null
  return (
    <ul
      aria-label={texts.list}
      className="flex flex-col divide-y divide-line rounded-card border border-line bg-raised"
    >
      {items.slice(0, MOST_ROWS).map(({ key, file, status, progress, error }) => (
        <li key={key} className="wrap-anywhere flex flex-col gap-1 px-4 py-2">
          <p className="flex items-baseline justify-between gap-3">
            <bdi className="min-w-0 truncate">{file.name}</bdi>
            <span className="shrink-0 text-ink-soft text-small">
              {status === 'sending' ? formatSize(file.size) : texts.status[status]}
            </span>
          </p>
          {status === 'sending' && <ProgressBar label={texts.progressOf(file.name)} done={progress} />}
          {error !== null && (
            <p className="flex gap-2 text-danger text-small">
              <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
              {error}
            </p>
          )}
        </li>
      ))}
    </ul>
  )
}

function useWarnBeforeLeaving(busy: boolean): void {
  useEffect(() => {
    if (!busy) return
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [busy])
}
