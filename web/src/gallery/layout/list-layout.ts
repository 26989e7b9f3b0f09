import type { ListIndex } from '../files/queries.ts'
import type { View } from '../gallery-address.ts'
import type { Day } from './days.ts'
import { Layout, type Measures } from './layout.ts'

export interface LaidOutList {
  /** Identifies the files and their order, independent of the view. */
  listName: string
  layout: Layout
  days: readonly Day[]
  height: number
}

interface ViewOptions {
  view: View
  names: boolean
  width: number
  rem: number
}

/** Lays out a list for the available width: grouped by day if sorted by date. */
export function createListLayout(index: ListIndex, options: ViewOptions): LaidOutList {
  const layout = layoutOf(index, options)
  return { listName: JSON.stringify(index.list), layout, days: index.days, height: layout.height }
}

function layoutOf({ total, days }: ListIndex, { view, ...options }: ViewOptions): Layout {
  if (view === 'list') return Layout.flat(total, listMeasures(options.rem))
  const measures = gridMeasures(options)
  return days.length > 0 ? Layout.byDay(days, measures) : Layout.flat(total, measures)
}

/** Gap between tiles, in pixels. */
export const GAP = 8

/** Minimum width for a number of columns. */
const widths = [
  { columns: 5, from: 880 },
  { columns: 4, from: 680 },
  { columns: 3, from: 480 },
  { columns: 2, from: 400 },
] as const

/** One to five columns. With names the narrowest screens have one. */
export function columnsFor(width: number, names: boolean): number {
  return widths.find(step => width >= step.from)?.columns ?? (names ? 1 : 2)
}

/** `rem` in pixels: larger fonts get taller rows. */
export function gridMeasures({ width, names, rem }: { width: number; names: boolean; rem: number }): Measures {
  const columns = columnsFor(width, names)
  const tile = tileSide(width, columns)
  return {
    columns,
    rowPitch: tile + (names ? captionHeight(rem) : 0) + GAP,
    headingHeight: 2.75 * rem,
    bandGap: 0.75 * rem,
  }
}

export function tileSide(width: number, columns: number): number {
  return Math.floor((width - GAP * (columns - 1)) / columns)
}

/** Two lines of text. */
function captionHeight(rem: number): number {
  return 3 * rem
}

export function listMeasures(rem: number): Measures {
  return { columns: 1, rowPitch: Math.max(56, 3.5 * rem), headingHeight: 0, bandGap: 0 }
}

/** Shorter lists need no scrubber. */
const MIN_SCRUBBER_FILES = 120

export function hasScrubber({ days, total }: { days: readonly Day[]; total: number }): boolean {
  return days.length > 0 && total >= MIN_SCRUBBER_FILES
}
