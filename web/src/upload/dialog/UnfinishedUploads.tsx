import { History } from 'lucide-react'
import { Button } from '../../ui/Button.tsx'
import { reopenFiles } from '../pending-uploads.ts'
import { texts } from '../texts.ts'
import type { QueueState, UploadQueue } from '../upload-queue.ts'

interface Props {
  queue: UploadQueue
  state: QueueState
  onChooseAgain: () => void
}

const NAMED = 3

/** Offers to resume the uploads that an earlier visit left unfinished. */
export function UnfinishedUploads({ queue, state, onChooseAgain }: Props) {
  const unfinished = state.unfinished.filter(record => !record.stored)
  if (unfinished.length === 0) return null
  const reopenable = unfinished.some(record => record.handle !== null)
  const named = unfinished.slice(0, NAMED).map(({ name, motion }) => (motion ? `${name} + ${motion.name}` : name))
  const names = named.join(', ')
  const more = unfinished.length - named.length

  async function goOn() {
    const files = await reopenFiles(state.unfinished)
    if (files.length > 0) queue.add(files)
    else onChooseAgain()
  }
  return (
    <section
      aria-label={texts.unfinished.title({ count: unfinished.length })}
      className="flex flex-col gap-3 rounded-card border border-accent bg-accent-wash p-4"
    >
      <div className="flex gap-3">
        <History aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-accent" />
        <div className="min-w-0">
          <p className="font-semibold">{texts.unfinished.title({ count: unfinished.length })}</p>
          <p className="text-small">{reopenable ? texts.unfinished.withHandles : texts.unfinished.text}</p>
          <p className="wrap-anywhere text-fine text-ink-soft">
            {more > 0 ? texts.unfinished.namesAndMore({ names, count: more }) : names}
          </p>
        </div>
      </div>
      <div className="flex flex-wrap gap-3">
        {reopenable && (
          <Button variant="primary" onClick={() => void goOn()}>
            {texts.unfinished.resume}
          </Button>
        )}
        <Button variant={reopenable ? 'quiet' : 'primary'} onClick={onChooseAgain}>
          {texts.unfinished.chooseAgain}
        </Button>
        <Button variant="bare" onClick={() => queue.discardUnfinished()}>
          {texts.unfinished.discard}
        </Button>
      </div>
    </section>
  )
}
