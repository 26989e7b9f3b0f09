import type { ListTimeline } from '../files/queries.ts'
import type { Day } from './days.ts'
import { Layout } from './layout.ts'
import type { Arrangement, Measures } from './row-breaks.ts'

export interface LaidOutList {
  /** Identifies the files and their order, independent of the view. */
  listName: string
  layout: Layout
  days: readonly Day[]
  height: number
  /** The view and density; with another one all files have other sizes. */
  scale: string
}

export type View = 'squares' | 'proportions' | 'list'

interface ViewOptions {
  view: View
  names: boolean
  width: number
  /** One rem in pixels: larger fonts get taller headings. */
  rem: number
  /** Steps from the size that fits the screen: positive ones are smaller. */
  density: number
}

/** Lays out a list for the available width: grouped by month if sorted by date. */
export function createListLayout(timeline: ListTimeline, options: ViewOptions): LaidOutList {
  const layout = layoutOf(timeline, options)
  return {
    listName: JSON.stringify(timeline.list),
    layout,
    days: timeline.days,
    height: layout.height,
    scale: `${options.view} ${options.density}`,
  }
}

function layoutOf(timeline: ListTimeline, options: ViewOptions): Layout {
  const { total, days } = timeline
  const measures = measuresOf(timeline, options)
  return options.view === 'list' || days.length === 0 ? Layout.flat(total, measures) : Layout.byDay(days, measures)
}

export function measuresOf({ proportionAt }: Pick<ListTimeline, 'proportionAt'>, options: ViewOptions): Measures {
  const { view, names, width, rem } = options
  return {
    width,
    arrangement: arrangementOf(options, proportionAt),
    gap: view === 'list' ? 0 : GAP,
    captionHeight: names && view !== 'list' ? CAPTION_REM * rem : 0,
    monthHeight: MONTH_REM * rem,
    dayHeight: DAY_REM * rem,
    monthGap: MONTH_GAP_REM * rem,
  }
}

/** Without proportions, which may be loading, the files are squares. */
function arrangementOf(options: ViewOptions, proportionAt: ListTimeline['proportionAt']): Arrangement {
  const { view, width, rem, density } = options
  if (view === 'list') return { kind: 'list', rowHeight: Math.max(56, 3.5 * rem) }
  if (view === 'proportions' && proportionAt !== undefined) {
    return { kind: 'proportions', rowHeight: rowHeightFor(width, density), proportionAt }
  }
  return { kind: 'squares', columns: columnsFor(width, density) }
}

/** Gap between tiles, in pixels. */
const GAP = 4
const MONTH_REM = 1.5
const DAY_REM = 1.25
const MONTH_GAP_REM = 1.5
/** Two lines of text. */
const CAPTION_REM = 3

const MAX_COLUMNS = 5

/** Minimum width for a number of columns. */
const widths = [
  { columns: 5, from: 880 },
  { columns: 4, from: 680 },
  { columns: 3, from: 300 },
] as const

/** One to five columns. */
export function columnsFor(width: number, density: number): number {
  const columns = widths.find(({ from }) => width >= from)?.columns ?? 2
  return Math.min(MAX_COLUMNS, Math.max(1, columns + density))
}

const rowHeights = [96, 128, 168, 220, 288, 376, 480] as const

/** Phones have smaller rows. */
export function rowHeightFor(width: number, density: number): number {
  const fitting = width < 480 ? 1 : width < 1_600 ? 3 : 4
  const step = Math.min(rowHeights.length - 1, Math.max(0, fitting - density))
  // A row never has to be higher than the screen is wide.
  return Math.min(rowHeights[step] ?? rowHeights[0], width)
}

/** Limits the density to steps that change something at this width. */
export function limitDensity(density: number, { view, width }: Pick<ViewOptions, 'view' | 'width'>): number {
  const sizeAt = (step: number) => (view === 'proportions' ? -rowHeightFor(width, step) : columnsFor(width, step))
  let limited = density
  while (limited !== 0 && sizeAt(limited) === sizeAt(limited - Math.sign(limited))) limited -= Math.sign(limited)
  return limited
}

/** Whether photos can be shown smaller and larger. */
export interface DensitySteps {
  smaller: boolean
  larger: boolean
}

export function densityStepsFrom(density: number, options: Pick<ViewOptions, 'view' | 'width'>): DensitySteps {
  // The preference may have been set on a wider window.
  const now = limitDensity(density, options)
  const canStep = (step: 1 | -1) => options.view !== 'list' && limitDensity(now + step, options) !== now
  return { smaller: canStep(1), larger: canStep(-1) }
}

/** Shorter lists need no scrubber. */
const MIN_SCRUBBER_FILES = 120

export function hasScrubber({ days, total }: { days: readonly Day[]; total: number }): boolean {
  return days.length > 0 && total >= MIN_SCRUBBER_FILES
}
