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
  /** Whether captions are shown below the photos, as in a book. */
  captions?: boolean
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
  const { view, width, rem } = options
  const arrangement = arrangementOf(options, proportionAt)
  if (isOverview(options)) {
    const [monthHeight, monthGap] = [MONTH_REM * rem, OVERVIEW_MONTH_GAP_REM * rem]
    return {
      width,
      arrangement,
      gap: OVERVIEW_GAP,
      captionHeight: 0,
      monthHeight,
      dayHeight: 0,
      monthGap,
      yearsOnly: true,
    }
  }
  return {
    width,
    arrangement,
    gap: view === 'list' ? 0 : GAP,
    captionHeight: captionRem(options) * rem,
    monthHeight: MONTH_REM * rem,
    dayHeight: DAY_REM * rem,
    monthGap: MONTH_GAP_REM * rem,
  }
}

function captionRem({ view, names, captions = false }: ViewOptions): number {
  if (view === 'list') return 0
  if (names) return CAPTION_REM
  return captions && view === 'proportions' ? BOOK_CAPTION_REM : 0
}

/** Without proportions, which may be loading, the files are squares. */
function arrangementOf(options: ViewOptions, proportionAt: ListTimeline['proportionAt']): Arrangement {
  const { view, width, rem, density } = options
  if (view === 'list') return { kind: 'list', rowHeight: Math.max(56, 3.5 * rem) }
  if (isOverview(options)) return { kind: 'squares', columns: overviewColumns(width) }
  if (view === 'proportions' && proportionAt !== undefined) {
    const size = sizeFor(width, density)
    if (size === 'one') return { kind: 'proportions', rowHeight: highestIn(width), proportionAt, oneARow: true }
    if (size !== 'overview') return { kind: 'proportions', rowHeight: size, proportionAt }
  }
  return { kind: 'squares', columns: columnsFor(width, density) }
}

/** Gap between tiles, in pixels. */
const GAP = 4
const OVERVIEW_GAP = 2
const OVERVIEW_MONTH_GAP_REM = 0.25
const MONTH_REM = 1.375
const DAY_REM = 1.125
const MONTH_GAP_REM = 1.5
/** Two lines of text. */
const CAPTION_REM = 3
/** Two lines, and room above the next photo. */
const BOOK_CAPTION_REM = 3.5

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

/** Intended heights of rows, in pixels. */
const rowHeights = [64, 96, 124, 168, 220, 288, 376, 480, 640] as const

/** A height, all photos of some years on one screen, or one photo in a row. */
type Size = number | 'overview' | 'one'

/** Phones have smaller rows, large screens higher ones. */
export function sizeFor(width: number, density: number): Size {
  const sizes: Size[] = ['overview', ...rowHeights.filter(height => height < 0.75 * width), 'one']
  const fitting = sizes.indexOf(width < 480 ? 96 : width < 1_600 ? 124 : 220)
  const step = Math.min(sizes.length - 1, Math.max(0, Math.max(1, fitting) - density))
  return sizes[step] ?? 'one'
}

/** Some hundred tiny photos on a screen, under years. */
export function isOverview({ view, width, density }: Pick<ViewOptions, 'view' | 'width' | 'density'>): boolean {
  return view === 'proportions' && sizeFor(width, density) === 'overview'
}

/** The side of a photo in the overview, in pixels: on a phone, too, there are some hundred. */
const overviewSide = (width: number) => (width < 600 ? 28 : 46)

function overviewColumns(width: number): number {
  return Math.floor((width + OVERVIEW_GAP) / (overviewSide(width) + OVERVIEW_GAP))
}

/** A photo in a row of its own may be higher than wide, but not much higher than the screen. */
function highestIn(width: number): number {
  return Math.round(width < 600 ? 1.4 * width : Math.min(0.75 * width, 900))
}

/** Limits the density to steps that change something at this width. */
export function limitDensity(density: number, { view, width }: Pick<ViewOptions, 'view' | 'width'>): number {
  const sizeAt = (step: number) => (view === 'proportions' ? sizeFor(width, step) : columnsFor(width, step))
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
