import type { Day } from './days.ts'
import type { Layout } from './layout.ts'

export interface LaidOut {
  layout: Layout
  /** Empty if it is not grouped by day. */
  days: readonly Day[]
}

/**
 * The scroll position that keeps the same files on the screen after the list or its columns changed: the file `anchor`,
 * or the one at the top. Files are identified by their day and their index in it, so that a change in one day moves
 * nothing in others.
 */
export function keepPosition(was: LaidOut, now: LaidOut, position: number, anchor?: number): number {
  if (was.layout.total === 0 || now.layout.total === 0) return position
  const index = anchor ?? was.layout.indexAt(position)
  const beyond = (position - was.layout.placeOf(index).top) / was.layout.measures.rowPitch
  const found = newIndexOf(was.days, now.days, index)
  const place = now.layout.placeOf(Math.min(found, now.layout.total - 1))
  return place.top + beyond * now.layout.measures.rowPitch
}

/** The new index of a file, by its day and its index in it. */
export function newIndexOf(was: readonly Day[], now: readonly Day[], index: number): number {
  const anchor = dayAt(was, index)
  if (anchor === undefined || now.length === 0) return index
  const newestFirst = (was[0]?.day ?? '') >= (was.at(-1)?.day ?? '')
  let start = 0
  for (const { day, count } of now) {
    if (day === anchor.day) return start + Math.min(anchor.within, count - 1)
    const passed = newestFirst ? day < anchor.day : day > anchor.day
    if (passed) return start
    start += count
  }
  return start - 1
}

function dayAt(days: readonly Day[], index: number): { day: string; within: number } | undefined {
  let start = 0
  for (const { day, count } of days) {
    if (index < start + count) return { day, within: index - start }
    start += count
  }
  return undefined
}
