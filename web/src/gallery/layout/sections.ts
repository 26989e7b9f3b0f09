import { UNKNOWN_DATE } from '#contract/edtf.ts'
import { type Day, hasMonth, monthOf, yearOf } from './days.ts'
import { type Measures, typicalPerRow } from './row-breaks.ts'

export interface DayStart extends Omit<Day, 'key'> {
  /** Index of its first file. */
  first: number
}

/** Files that flow without a break. */
export interface Section {
  first: number
  count: number
  /** Set for the first section below a heading. */
  heading: { count: number } | undefined
}

/** A day with this many full rows starts a row of its own, and so does the day after it. */
const LONG_DAY_ROWS = 2

/** Where rows must break: at headings, and at long days. `labelled`: the days of which a label says more than the heading. */
export function sectionsOf(
  days: readonly DayStart[],
  measures: Measures,
): { sections: Section[]; labelled: DayStart[] } {
  const perRow = typicalPerRow(measures)
  const headings = new Map(headingsOf(days, perRow).map(heading => [heading.first, heading]))
  const sections: Section[] = []
  const labelled: DayStart[] = []
  let isShared = false
  let flowing: Section | undefined
  for (const start of days) {
    const { day, count, first } = start
    const heading = headings.get(first)
    if (heading !== undefined) isShared = heading.isShared
    // Dates with different middles, as the 60s and between 1964 and 1970, have the same heading.
    if ((isShared || hasMonth(day)) && day !== labelled.at(-1)?.day) labelled.push(start)
    const isLong = count >= LONG_DAY_ROWS * perRow
    if (flowing === undefined || heading !== undefined || isLong) {
      flowing = { first, count, heading }
      sections.push(flowing)
    } else flowing.count += count
    if (isLong) flowing = undefined
  }
  return { sections, labelled }
}

interface Heading {
  /** Of its last files: a month, a year, a decade or undated. */
  month: string
  first: number
  count: number
  /** Whether each of its months has less than a row of files. */
  isShort: boolean
  /** Whether it is that of several months, years or decades. */
  isShared: boolean
}

/**
 * One for each month, and for each year or decade of which no more is known. Short ones of a year that follow each other
 * share one, and so do those that fit into one row. Undated files have their own.
 */
function headingsOf(days: readonly DayStart[], perRow: number): Heading[] {
  const months: Heading[] = []
  for (const { day, count, first } of days) {
    let month = months.at(-1)
    if (month?.month !== monthOf(day)) {
      month = { month: monthOf(day), first, count: 0, isShort: true, isShared: false }
      months.push(month)
    }
    month.count += count
    month.isShort = month.count < perRow
  }
  const ofYears = joinNeighbours(months, (a, b) => a.isShort && b.isShort && yearOf(a.month) === yearOf(b.month))
  return joinNeighbours(
    ofYears,
    (a, b) => a.count + b.count <= perRow && a.month !== UNKNOWN_DATE && b.month !== UNKNOWN_DATE,
  )
}

function joinNeighbours(headings: readonly Heading[], belongTogether: (a: Heading, b: Heading) => boolean): Heading[] {
  const joined: Heading[] = []
  for (const heading of headings) {
    const last = joined.at(-1)
    if (last && belongTogether(last, heading)) {
      last.count += heading.count
      last.month = heading.month
      last.isShared = true
    } else joined.push(heading)
  }
  return joined
}
