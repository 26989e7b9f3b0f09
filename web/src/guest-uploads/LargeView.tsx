import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useEffect } from 'react'
import type { GuestUpload } from '#contract/guest-uploads.ts'
import { dateInWords } from '../media/date-words.ts'
import { incompleteText } from '../media/incomplete-text.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogButtons } from '../ui/Dialog.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { texts } from './texts.ts'

interface Props {
  /** Undefined: closed. */
  upload: GuestUpload | undefined
  namesAlbum: boolean
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
  onAccept: ((upload: GuestUpload) => void) | undefined
  onReject: ((upload: GuestUpload) => void) | undefined
  onClose: () => void
  /** The tile of what was shown last: the one that opened it may be decided on and gone. */
  finalFocus: () => HTMLElement | true
}

/** One file large, to decide on it and go on to the next. */
export function LargeView({ upload, namesAlbum, onPrevious, onNext, onAccept, onReject, onClose, finalFocus }: Props) {
  useEffect(() => {
    if (upload === undefined) return
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return
      if (event.key === 'y') onAccept?.(upload)
      else if (event.key === 'n') onReject?.(upload)
      // The player uses the arrow keys itself.
      else if (event.target instanceof HTMLMediaElement) return
      else if (event.key === 'ArrowLeft') onPrevious?.()
      else if (event.key === 'ArrowRight') onNext?.()
      else return
      event.preventDefault()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [upload, onPrevious, onNext, onAccept, onReject])
  return (
    <Dialog
      large
      open={upload !== undefined}
      onOpenChange={opens => opens || onClose()}
      title={upload?.name ?? ''}
      finalFocus={finalFocus}
    >
      {upload !== undefined && (
        <div className="flex min-h-0 flex-col gap-3">
          {upload.video_url !== null ? (
            // biome-ignore lint/a11y/useMediaCaption: guests send no captions
            <video
              key={upload.id}
              src={upload.video_url}
              poster={upload.preview_url ?? undefined}
              controls
              className="max-h-[60svh] min-h-0 max-w-full"
            />
          ) : upload.preview_url !== null ? (
            <img
              key={upload.id}
              src={upload.preview_url}
              alt=""
              width={upload.width ?? undefined}
              height={upload.height ?? undefined}
              className="mx-auto h-auto max-h-[60svh] min-h-0 w-auto max-w-full object-contain"
            />
          ) : (
            <p className="py-12 text-center text-ink-soft">
              {upload.status === 'processing' ? texts.preparing : texts.noPicture}
            </p>
          )}
          {upload.incomplete !== null && (
            <p className="text-center text-small text-warn">{incompleteText(upload.file_size, upload.incomplete)}</p>
          )}
          <div className="flex items-center justify-between gap-3">
            <IconButton label={texts.previous} disabled={onPrevious === undefined} onClick={onPrevious}>
              <ChevronLeft aria-hidden="true" className="size-5" />
            </IconButton>
            <p className="wrap-anywhere text-center text-ink-soft text-small">
              <bdi>{texts.from({ guest: upload.guest })}</bdi>
              {namesAlbum && (
                <>
                  {' · '}
                  <bdi>{upload.album === null ? texts.toDeletedAlbum : texts.to({ album: upload.album.title })}</bdi>
                </>
              )}
              {upload.live && ` · ${texts.livePhoto}`}
              {/* Its date is not read yet while it is being prepared. */}
              {(upload.edtf !== null || upload.status !== 'processing') && ` · ${dateInWords(upload.edtf)}`}
            </p>
            <IconButton label={texts.next} disabled={onNext === undefined} onClick={onNext}>
              <ChevronRight aria-hidden="true" className="size-5" />
            </IconButton>
          </div>
          <DialogButtons>
            <Button onClick={onClose}>{texts.close}</Button>
            {onReject !== undefined && (
              <Button variant="dangerQuiet" onClick={() => onReject(upload)}>
                {texts.rejectOne}
              </Button>
            )}
            {onAccept !== undefined && (
              <Button variant="primary" onClick={() => onAccept(upload)}>
                {texts.acceptOne}
              </Button>
            )}
          </DialogButtons>
        </div>
      )}
    </Dialog>
  )
}
