import { type Day, hasMonth, monthOf, runsOf, yearOf } from './days.ts'
import { type Measures, typicalPerRow } from './row-breaks.ts'

export interface DayStart extends Omit<Day, 'key'> {
  /** Index of its first file. */
  first: number
}

/** Files that flow without a break. */
export interface Section {
  first: number
  count: number
  /** Whether its last file is the only one of its day. */
  endsAlone: boolean
}

/** A month, or a year or decade of which no more is known. Undated files have one, too. */
export interface Heading {
  month: string
  first: number
  count: number
}

export interface Sections {
  sections: readonly Section[]
  headings: readonly Heading[]
  /** The days of which a label says more than the heading. */
  labelled: readonly DayStart[]
}

/** A day with this many full rows starts a row of its own, and so does the day after it. */
const LONG_DAY_ROWS = 2

/**
 * Where rows must break: at headings and at long days, unless that would leave a few files alone in their row. Then they
 * flow on, with the next heading above its first file.
 */
export function sectionsOf(days: readonly DayStart[], measures: Measures): Sections {
  const perRow = typicalPerRow(measures)
  const headings = headingsOf(days)
  const sections: Section[] = []
  let [year, sinceBreak] = ['', 0]
  for (const part of partsOf(days, headings, perRow)) {
    const before = sections.at(-1)
    if (before !== undefined && flowsOn(before, part)) {
      before.count += part.count
      before.endsAlone = part.endsAlone
    } else {
      sections.push({ first: part.first, count: part.count, endsAlone: part.endsAlone })
      if (part.heading !== undefined) sinceBreak = 0
    }
    year = part.year
    sinceBreak += part.count
  }
  return { sections, headings, labelled: days.filter(({ day }, i) => hasMonth(day) && day !== days[i - 1]?.day) }

  function flowsOn(before: Section, part: Part): boolean {
    if (part.heading === undefined) return before.count === 1 || part.count === 1
    // A year with more than a row starts with one, whatever its first month has.
    const count = part.year === year ? part.heading.count : countOfYear(headings, part.year)
    return sinceBreak < perRow || count < perRow
  }
}

interface Part extends Section {
  /** Set if it starts with one. */
  heading: Heading | undefined
  year: string
  isLong: boolean
}

/** The files between two places where rows may break. */
function partsOf(days: readonly DayStart[], headings: readonly Heading[], perRow: number): Part[] {
  const byFirst = new Map(headings.map(heading => [heading.first, heading]))
  const parts: Part[] = []
  for (const { day, count, first } of days) {
    const heading = byFirst.get(first)
    const isLong = count >= LONG_DAY_ROWS * perRow
    const last = parts.at(-1)
    if (last === undefined || heading !== undefined || isLong || last.isLong) {
      parts.push({ first, count, heading, year: yearOf(day), isLong, endsAlone: count === 1 })
    } else {
      last.count += count
      last.endsAlone = count === 1
    }
  }
  return parts
}

/** Dates with different middles, as the 60s and between 1964 and 1970, have the same heading. */
function headingsOf(days: readonly DayStart[]): Heading[] {
  return runsOf(days, ({ day }) => monthOf(day)).map(run => {
    const [{ day, first }] = run
    return { month: monthOf(day), first, count: run.reduce((sum, { count }) => sum + count, 0) }
  })
}

function countOfYear(headings: readonly Heading[], year: string): number {
  return headings.reduce((sum, { month, count }) => sum + (yearOf(month) === year ? count : 0), 0)
}
