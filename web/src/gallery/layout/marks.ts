import { type Day, monthOf, yearOf } from './days.ts'
import { type Layout, lastUpTo } from './layout.ts'

/** The position at which a month starts. */
export interface Mark {
  /** As in "2026-06". */
  month: string
  top: number
}

export function marksOf(days: readonly Day[], layout: Layout): Mark[] {
  const marks: Mark[] = []
  let index = 0
  for (const { day, count } of days) {
    const month = monthOf(day)
    if (marks.at(-1)?.month !== month) {
      const top = layout.topWithHeading(index)
      // Short months may share a row.
      if (marks.at(-1)?.top !== top) marks.push({ month, top })
    }
    index += count
  }
  return marks
}

/** Index of the mark at a position of the list. */
export function markAt(marks: readonly Mark[], position: number): number {
  return lastUpTo(marks, position, mark => mark.top)
}

/** Index of the first mark of the next or previous year. */
export function nextYear(marks: readonly Mark[], from: number, step: 1 | -1): number {
  const last = marks.length - 1
  let i = Math.min(Math.max(from + step, 0), last)
  while (i > 0 && i < last && yearAt(marks, i) === yearAt(marks, from)) i += step
  // Going back, continue to the first month of that year.
  while (step === -1 && i > 0 && yearAt(marks, i - 1) === yearAt(marks, i)) i -= 1
  return i
}

function yearAt(marks: readonly Mark[], i: number): string {
  return yearOf(marks[i]?.month ?? '')
}

export interface Label {
  text: string
  /** From 0 (top of the track) to 1. */
  at: number
}

/** The year labels that fit with this spacing. The first one is always included. */
export function yearLabels(marks: readonly Mark[], length: number, spacing: number): Label[] {
  const labels: Label[] = []
  for (const { month, top } of marks) {
    const text = yearOf(month)
    const at = top / length
    const last = labels.at(-1)
    if (last === undefined || (last.text !== text && at - last.at >= spacing)) labels.push({ text, at })
  }
  return labels
}
