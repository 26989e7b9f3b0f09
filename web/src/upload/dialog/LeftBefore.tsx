import { History } from 'lucide-react'
import { Button } from '../../ui/Button.tsx'
import { reopen } from '../memory/reopen.ts'
import type { QueueState, UploadQueue } from '../queue/queue.ts'
import { texts } from '../texts.ts'

interface Props {
  queue: UploadQueue
  state: QueueState
  onChooseAgain: () => void
}

const NAMED = 3

/** Offers to go on with what an earlier visit left unfinished. */
export function LeftBefore({ queue, state, onChooseAgain }: Props) {
  const unfinished = state.left.filter(record => !record.safe)
  if (unfinished.length === 0) return null
  const reopenable = unfinished.some(record => record.handle !== null)
  const names = unfinished.slice(0, NAMED).map(({ name, motion }) => (motion ? `${name} + ${motion.name}` : name))
  const more = unfinished.length - names.length

  async function goOn() {
    const files = await reopen(state.left)
    if (files.length > 0) queue.add(files)
    else onChooseAgain()
  }
  return (
    <section
      aria-label={texts.left.title(unfinished.length)}
      className="flex flex-col gap-3 rounded-card border border-accent bg-accent-wash p-4"
    >
      <div className="flex gap-3">
        <History aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-accent" />
        <div className="min-w-0">
          <p className="font-semibold">{texts.left.title(unfinished.length)}</p>
          <p className="text-small">{reopenable ? texts.left.withHandles : texts.left.text}</p>
          <p className="wrap-anywhere text-fine text-ink-soft">
            {[...names, ...(more > 0 ? [texts.left.more(more)] : [])].join(', ')}
          </p>
        </div>
      </div>
      <div className="flex flex-wrap gap-3">
        {reopenable && (
          <Button variant="primary" onClick={() => void goOn()}>
            {texts.left.goOn}
          </Button>
        )}
        <Button variant={reopenable ? 'quiet' : 'primary'} onClick={onChooseAgain}>
          {texts.left.chooseAgain}
        </Button>
        <Button variant="bare" onClick={() => queue.forgetLeft()}>
          {texts.left.forget}
        </Button>
      </div>
    </section>
  )
}
