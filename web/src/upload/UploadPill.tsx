import { Upload, X } from 'lucide-react'
import { IconButton } from '../ui/IconButton.tsx'
import { timeLeftText } from './item-text.ts'
import { ProgressBar } from './ProgressBar.tsx'
import { texts } from './texts.ts'
import { type Counts, countItems } from './upload-progress.ts'
import type { QueueState, UploadQueue } from './upload-queue.ts'

interface Props {
  queue: UploadQueue
  state: QueueState
  onOpen: () => void
}

/** Shows the upload while its dialog is closed. */
export function UploadPill({ queue, state, onOpen }: Props) {
  const { progress, offline, unfinished } = state
  const counts = countItems(state.items)
  if (counts.total === 0 && unfinished.length === 0) return null
  const finished = progress === null && counts.total > 0 && counts.toUpload === 0
  const detail = offline ? texts.waiting : progress && timeLeftText(progress)
  return (
    <section
      aria-label={texts.title}
      className="fixed bottom-[calc(max(1rem,env(safe-area-inset-bottom)-var(--bottom-bar))+var(--bottom-bar))] left-[max(1rem,env(safe-area-inset-left))] z-20 flex w-[min(20rem,calc(100vw-6.5rem))] items-center rounded-card border border-line bg-raised shadow-high sm:bottom-[calc(1.5rem+var(--bottom-bar))] sm:left-6"
    >
      <button
        type="button"
        onClick={onOpen}
        title={texts.pill.open}
        className="flex min-h-[56px] min-w-0 flex-1 items-center gap-3 rounded-card px-4 py-2 text-left hover:bg-sunken"
      >
        <Upload aria-hidden="true" className="size-5 shrink-0 text-accent" />
        <span className="flex min-w-0 flex-1 flex-col gap-1">
          <span className="truncate font-semibold text-small">{headline(state, counts)}</span>
          {detail && <span className="truncate text-fine text-ink-soft">{detail}</span>}
          {progress && <ProgressBar label={texts.overall.label} done={progress.done} />}
        </span>
      </button>
      {finished && (
        <IconButton label={texts.pill.dismiss} onClick={() => queue.clear()}>
          <X aria-hidden="true" className="size-5" />
        </IconButton>
      )}
    </section>
  )
}

function headline({ progress, unfinished }: QueueState, { total, toUpload, ...counts }: Counts): string {
  if (progress) return texts.pill.uploading({ current: progress.current, total: progress.total })
  if (total === 0) return texts.pill.unfinished({ count: unfinished.filter(record => !record.stored).length })
  if (toUpload > 0) return texts.pill.chosen({ count: toUpload })
  const { uploaded, failed, rejected, incomplete } = counts
  if (failed > 0) return texts.pill.failed({ count: failed })
  if (rejected > 0) return texts.pill.rejected({ count: rejected })
  if (incomplete > 0) return texts.pill.incomplete({ count: incomplete })
  return uploaded > 0 ? texts.pill.finished({ count: uploaded }) : texts.pill.alreadyThere
}
