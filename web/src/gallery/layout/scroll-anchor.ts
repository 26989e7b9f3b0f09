import type { Day } from './days.ts'
import type { Layout } from './layout.ts'

export interface LaidOut {
  layout: Layout
  /** Empty if it is not grouped by day. */
  days: readonly Day[]
}

/** A scroll position that is independent of the layout: a file, and how far its row is scrolled, in rows. */
export interface ScrollAnchor {
  index: number
  rowFraction: number
}

export function anchorAt(layout: Layout, position: number): ScrollAnchor {
  const index = layout.indexAt(position)
  const row = layout.rowOf(index)
  return { index, rowFraction: (position - row.top) / row.height }
}

export function positionOf(layout: Layout, { index, rowFraction }: ScrollAnchor): number {
  const row = layout.rowOf(Math.min(index, layout.total - 1))
  return row.top + rowFraction * row.height
}

/**
 * The scroll position that keeps the same files on the screen after the list or its columns changed: the file
 * `fixed` stays where it is on the screen, otherwise the one at the top. Files are identified by their day and their
 * index in it, so that a change in one day moves nothing in others.
 */
export function keepPosition(was: LaidOut, now: LaidOut, position: number, fixed?: number): number {
  if (was.layout.total === 0 || now.layout.total === 0) return position
  if (fixed === undefined) {
    const { index, rowFraction } = anchorAt(was.layout, position)
    return positionOf(now.layout, { index: newIndexOf(was.days, now.days, index), rowFraction })
  }
  const index = Math.min(newIndexOf(was.days, now.days, fixed), now.layout.total - 1)
  return position + middleOf(now.layout, index) - middleOf(was.layout, fixed)
}

interface Screen {
  height: number
  /** Heights that are covered. */
  insets: { top: number; bottom: number }
}

/** Between a file that is scrolled to and what covers the screen. */
export const MARGIN = 8

/** The nearest scroll position at which a file and its heading are whole on the screen. */
export function positionShowing(layout: Layout, index: number, position: number, { height, insets }: Screen): number {
  const row = layout.rowOf(index)
  const first = row.top + row.height + MARGIN + insets.bottom - height
  const last = layout.topWithHeading(index) - MARGIN - insets.top
  return Math.min(last, Math.max(first, position))
}

function middleOf(layout: Layout, index: number): number {
  const { top, height } = layout.rowOf(index)
  return top + height / 2
}

/** The new index of a file, by its day and its index in it. */
export function newIndexOf(was: readonly Day[], now: readonly Day[], index: number): number {
  const day = dayAt(was, index)
  if (day === undefined || now.length === 0) return index
  const newestFirst = (was[0]?.key ?? 0) >= (was.at(-1)?.key ?? 0)
  let start = 0
  for (const { key, count } of now) {
    if (key === day.key) return start + Math.min(day.within, count - 1)
    const passed = newestFirst ? key < day.key : key > day.key
    if (passed) return start
    start += count
  }
  return start - 1
}

function dayAt(days: readonly Day[], index: number): { key: number; within: number } | undefined {
  let start = 0
  for (const { key, count } of days) {
    if (index < start + count) return { key, within: index - start }
    start += count
  }
  return undefined
}
