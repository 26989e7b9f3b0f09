import type { UploadItem } from './queue/item.ts'
import type { Progress } from './queue/progress.ts'
import { texts } from './texts.ts'

/** What a row says about where its file stands. */
export function statusText(item: UploadItem): string {
  const { status, progress, duplicateOf } = item
  if (item.waiting) return texts.waiting
  if (status === 'error') return item.error ?? texts.errors.process
  if (status === 'duplicate') return texts.duplicate[duplicateOf?.where ?? 'library'](duplicateOf?.name ?? item.name)
  if (status === 'pending' && !item.examined) return texts.notLookedAt
  return texts.status[status](progress)
}

const MINUTE = 60_000

/** How long it still takes, in the words people use. */
export function timeLeft({ timeLeft }: Progress): string | null {
  if (timeLeft === null) return null
  if (timeLeft < MINUTE) return texts.overall.lessThanAMinute
  const minutes = Math.round(timeLeft / MINUTE)
  if (minutes < 90) return texts.overall.minutes(minutes)
  return texts.overall.hours(Math.round(minutes / 60))
}
