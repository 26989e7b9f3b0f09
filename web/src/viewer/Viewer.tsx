import { Dialog } from '@base-ui/react/dialog'
import { ChevronLeft, ChevronRight, X } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import type { MediaFile } from '#contract/media.ts'
import { Spinner } from '../ui/Spinner.tsx'
import { texts } from './texts.ts'
import './viewer.css'

interface Props {
  /** Undefined until it has come. */
  file: MediaFile | undefined
  error: Error | null
  /** Its place in the list, from 0; undefined where it is in another. */
  index: number | undefined
  total: number
  previous: MediaFile | undefined
  next: MediaFile | undefined
  onOpen: (file: MediaFile) => void
  onClose: () => void
}

/** One photo or video, as large as the screen. */
export function Viewer({ file, error, index, total, previous, next, onOpen, onClose }: Props) {
  function onKeyDown(event: KeyboardEvent) {
    if (event.target instanceof HTMLMediaElement) return
    const reached = { ArrowLeft: previous, ArrowRight: next }[event.key]
    if (reached !== undefined) onOpen(reached)
  }
  return (
    <Dialog.Root open onOpenChange={open => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Popup
          finalFocus={false}
          onKeyDown={onKeyDown}
          className="viewer fixed inset-0 z-40 grid grid-rows-[auto_minmax(0,1fr)]"
        >
          <div className="flex items-center gap-2 py-2 pr-2 pl-4">
            <Dialog.Title className="min-w-0 truncate font-sans font-semibold text-body">
              <bdi>{file?.original_name ?? texts.loading}</bdi>
            </Dialog.Title>
            {index !== undefined && (
              <span className="mr-auto whitespace-nowrap text-small opacity-80">{texts.position(index, total)}</span>
            )}
            <Dialog.Close aria-label={texts.close} title={texts.close} className="viewer-button ml-auto">
              <X aria-hidden="true" className="size-6" />
            </Dialog.Close>
          </div>
          <div className="relative grid min-h-0 place-items-center">
            {error === null ? <Picture file={file} /> : <p className="p-8 text-center">{texts.gone}</p>}
            <Turn to={previous} label={texts.previous} side="left-2" onOpen={onOpen} />
            <Turn to={next} label={texts.next} side="right-2" onOpen={onOpen} />
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Picture({ file }: { file: MediaFile | undefined }) {
  if (file === undefined) return <Spinner label={texts.loading} />
  const fitted = 'absolute inset-0 size-full object-contain'
  if (file.status === 'failed') return <p className="max-w-prose p-8 text-center">{file.failure_reason}</p>
  if (file.url === null) return <p className="p-8 text-center">{texts.preparing}</p>
  if (file.file_type === 'image') {
    return (
      <img key={file.id} src={file.variant_urls?.website ?? file.url} alt={file.original_name} className={fitted} />
    )
  }
  return (
    // Family films come without captions.
    <video key={file.id} src={file.url} poster={file.thumbnail_url ?? undefined} controls autoPlay className={fitted}>
      <track kind="captions" />
    </video>
  )
}

interface TurnProps {
  to: MediaFile | undefined
  label: string
  side: string
  onOpen: (file: MediaFile) => void
}

function Turn({ to, label, side, onOpen }: TurnProps) {
  if (to === undefined) return null
  const Icon = label === texts.previous ? ChevronLeft : ChevronRight
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={() => onOpen(to)}
      className={`viewer-button absolute top-1/2 -translate-y-1/2 ${side}`}
    >
      <Icon aria-hidden="true" className="size-7" />
    </button>
  )
}
