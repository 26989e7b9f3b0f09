import type { Day } from './days.ts'
import type { Measures } from './layout.ts'

/** Between pictures. */
export const GAP = 8

/** The least width at which a number of columns is used. */
const widths = [
  { columns: 5, from: 880 },
  { columns: 4, from: 680 },
  { columns: 3, from: 480 },
  { columns: 2, from: 400 },
] as const

/** One to five columns. Names need room, so on the narrowest screens they stand alone in theirs. */
export function columnsFor(width: number, names: boolean): number {
  return widths.find(step => width >= step.from)?.columns ?? (names ? 1 : 2)
}

/** `rem` in pixels: people who read larger letters get more room for them. */
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

/** Two short lines under a picture. */
function captionHeight(rem: number): number {
  return 3 * rem
}

export function listMeasures(rem: number): Measures {
  return { columns: 1, rowPitch: Math.max(56, 3.5 * rem), headingHeight: 0, bandGap: 0 }
}

/** Fewer files than these are as quickly scrolled through. */
const WORTH_SCRUBBING = 120

/** Whether a scrubber stands beside the grid of these files. */
export function scrubs({ days, total }: { days: readonly Day[]; total: number }): boolean {
  return days.length > 0 && total >= WORTH_SCRUBBING
}
