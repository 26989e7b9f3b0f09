import { Button } from '../../ui/Button.tsx'
import type { Counts } from '../queue/counts.ts'
import { isRetryable } from '../queue/item.ts'
import type { QueueState, UploadQueue } from '../queue/queue.ts'
import { texts } from '../texts.ts'
import { Announcer } from './Overall.tsx'

interface Props {
  queue: UploadQueue
  state: QueueState
  counts: Counts
  onClose: () => void
}

export function Footer({ queue, state, counts, onClose }: Props) {
  const { progress, waiting, items } = state
  const uploading = progress !== null
  const finished = !uploading && counts.total > 0 && counts.toUpload === 0

  function leave() {
    if (uploading) {
      queue.cancel()
      return
    }
    queue.clear()
    onClose()
  }
  return (
    <footer className="flex flex-col gap-3 border-line border-t px-5 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:flex-row sm:items-center sm:px-6">
      {counts.total > 0 && <Figures counts={counts} finished={finished} />}
      <Announcer progress={progress} waiting={waiting} />
      <div className="flex gap-3 *:flex-1 sm:ml-auto sm:*:flex-none">
        {items.some(isRetryable) && <Button onClick={() => queue.retryAll()}>{texts.retryAll}</Button>}
        <Button variant={finished ? 'primary' : 'quiet'} onClick={leave}>
          {finished ? texts.footer.done : texts.footer.cancel}
        </Button>
        {!finished && counts.total > 0 && (
          <Button variant="primary" busy={uploading} onClick={() => queue.upload()}>
            {uploading ? texts.footer.uploading : texts.footer.upload(counts.toUpload)}
          </Button>
        )}
      </div>
    </footer>
  )
}

function Figures({ counts, finished }: { counts: Counts; finished: boolean }) {
  const { total, uploaded, failed, rejected, busy, duplicates, ready } = counts
  // Rejected files were never to be processed, and duplicates are skipped only when the upload reaches its end.
  const processed = uploaded + failed - rejected + (finished ? duplicates : 0)
  const rest = [
    busy > 0 ? texts.footer.processing(busy) : '',
    duplicates > 0 ? texts.footer.duplicates(duplicates, finished) : '',
    ready > 0 ? texts.footer.ready(ready) : '',
  ].filter(text => text !== '')
  return (
    <div className="min-w-0 text-fine text-ink-soft">
      <p className="font-semibold text-ink text-small">{texts.footer.processed(processed, total - rejected)}</p>
      <p>{rest.join(' · ')}</p>
    </div>
  )
}
