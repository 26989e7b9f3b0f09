import { type Day, monthOf, yearOf } from './days.ts'
import { type Layout, lastUpTo } from './layout.ts'

/** The position at which a month starts. */
export interface ScrubberMonth {
  /** As in "2026-06". */
  month: string
  top: number
}

export function scrubberMonths(days: readonly Day[], layout: Layout): ScrubberMonth[] {
  const months: ScrubberMonth[] = []
  let index = 0
  for (const { day, count } of days) {
    const month = monthOf(day)
    if (months.at(-1)?.month !== month) {
      const top = layout.topWithHeading(index)
      // Short months may share a row.
      if (months.at(-1)?.top !== top) months.push({ month, top })
    }
    index += count
  }
  return months
}

/** Index of the month at a position of the list. */
export function monthAt(months: readonly ScrubberMonth[], position: number): number {
  return lastUpTo(months, position, month => month.top)
}

/** Index of the first month of the next or previous year. */
export function nextYear(months: readonly ScrubberMonth[], from: number, step: 1 | -1): number {
  const last = months.length - 1
  let i = Math.min(Math.max(from + step, 0), last)
  while (i > 0 && i < last && yearAt(months, i) === yearAt(months, from)) i += step
  // Going back, continue to the first month of that year.
  while (step === -1 && i > 0 && yearAt(months, i - 1) === yearAt(months, i)) i -= 1
  return i
}

function yearAt(months: readonly ScrubberMonth[], i: number): string {
  return yearOf(months[i]?.month ?? '')
}

export interface Label {
  text: string
  /** From 0 (top of the track) to 1. */
  at: number
}

/** The year labels that fit with this spacing. The first one is always included. */
export function yearLabels(months: readonly ScrubberMonth[], length: number, spacing: number): Label[] {
  const labels: Label[] = []
  for (const { month, top } of months) {
    const text = yearOf(month)
    const at = top / length
    const last = labels.at(-1)
    if (last === undefined || (last.text !== text && at - last.at >= spacing)) labels.push({ text, at })
  }
  return labels
}
