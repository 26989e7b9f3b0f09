import { ProgressBar } from '../ProgressBar.tsx'
import type { Progress } from '../queue/progress.ts'
import { texts } from '../texts.ts'
import { timeLeft } from '../words.ts'

/** The whole upload at a glance. */
export function Overall({ progress, waiting }: { progress: Progress; waiting: boolean }) {
  const { done, current, total } = progress
  return (
    <section aria-label={texts.overall.label} className="flex flex-col gap-2">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-semibold text-lead">{texts.overall.count(current, total)}</span>
        <span className="text-ink-soft">{waiting ? texts.waiting : timeLeft(progress)}</span>
        <span className="font-semibold">{texts.overall.percent(done)}</span>
      </p>
      <ProgressBar label={texts.overall.label} done={done} size="thick" />
    </section>
  )
}

/** Every fifth of the way is told to those who cannot see the bar; more would be in the way. */
const TOLD_STEPS = 5

export function Announcer({ progress, waiting }: { progress: Progress | null; waiting: boolean }) {
  const told = progress && Math.floor(progress.done * TOLD_STEPS) / TOLD_STEPS
  return (
    <p role="status" className="sr-only">
      {waiting ? texts.waiting : told !== null && progress ? texts.overall.announce(told, progress.total) : ''}
    </p>
  )
}
