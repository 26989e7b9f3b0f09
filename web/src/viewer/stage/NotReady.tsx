import { Download } from 'lucide-react'
import type { MediaFile } from '#contract/media.ts'
import { useCan } from '../../kit/me.tsx'
import { reasonInWords } from '../../media/reason-in-words.ts'
import { blurredPicture } from '../../media/thumbhash.ts'
import { texts } from '../texts.ts'
import { progressInWords } from './progress-in-words.ts'

/** Shown for a file that is being prepared or could not be, over its blurred image. */
export function NotReady({ file, onDownload }: { file: MediaFile; onDownload: () => void }) {
  // Guests get only what was made for them.
  const hasOriginal = useCan('media.see')
  const behind =
    file.variant_urls?.mobile ??
    file.thumbnail_url ??
    (file.thumbhash === null ? undefined : blurredPicture(file.thumbhash))
  return (
    <div className="absolute inset-0 grid place-items-center p-6">
      {behind !== undefined && <img src={behind} alt="" className="picture opacity-40" />}
      <div className="viewer-card relative flex max-w-md flex-col items-center gap-3 p-6 text-center">
        {file.status === 'failed' ? <Failed file={file} /> : <Preparing file={file} />}
        {hasOriginal && (
          <button type="button" onClick={onDownload} className="viewer-chip">
            <Download aria-hidden="true" className="size-5" />
            {texts.downloadOriginal}
          </button>
        )}
      </div>
    </div>
  )
}

function Failed({ file }: { file: MediaFile }) {
  return (
    <>
      <p className="font-semibold">{texts.couldNotPrepare}</p>
      {file.failure_reason !== null && <p>{reasonInWords(file.failure_reason)}</p>}
    </>
  )
}

function Preparing({ file: { file_type, progress } }: { file: MediaFile }) {
  return (
    <>
      <p role="status" className="font-semibold">
        {progressInWords(file_type === 'video' ? texts.video.converting : texts.preparing, progress)}
      </p>
      <progress
        aria-label={texts.progress}
        max={100}
        {...(progress === null ? {} : { value: progress })}
        className="h-2 w-56 max-w-full"
      />
      <p className="text-small opacity-90">{texts.willAppear}</p>
    </>
  )
}
