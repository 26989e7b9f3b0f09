import { TriangleAlert } from 'lucide-react'
import type { MediaFile } from '#contract/media.ts'
import { Spinner } from '../../ui/Spinner.tsx'
import { texts } from '../texts.ts'

/** How far a new file is prepared, or why it could not be. Nothing for a file that is ready. */
export function PreparationSign({ file }: { file: MediaFile }) {
  if (file.status === 'ready') return null
  if (file.status === 'processing') {
    return (
      <span className="photo-text absolute bottom-1.5 left-1.5 flex items-center gap-1.5 rounded-full px-2.5 py-1 text-fine">
        <Spinner size="small" />
        {texts.preparing(file.progress)}
      </span>
    )
  }
  return (
    <span className="absolute inset-0 flex flex-col items-center justify-center gap-1 overflow-hidden rounded-card bg-sunken p-3 text-center text-fine text-ink-soft">
      <TriangleAlert aria-hidden="true" className="size-6 shrink-0 text-warn" />
      <span className="font-semibold text-ink">{texts.couldNotPrepare}</span>{' '}
      {file.failure_reason !== null && <span className="line-clamp-3">{file.failure_reason}</span>}
    </span>
  )
}
