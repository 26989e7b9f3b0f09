import { UNKNOWN_DATE } from '#contract/edtf.ts'
import { type DateScope, type Day, hasMonth, monthOf, runsOf, scopeBetween, scopeOfLabel, yearOf } from './days.ts'
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

/**
 * A month with enough files for a row; a year, for months in it that have fewer; or a date of which no more than the season,
 * year or decade is known. Undated files have one, too.
 */
export interface Heading {
  /** As in "2026-06", "2026", "196X" or "XXXX". */
  date: string
  first: number
  count: number
  scope: DateScope
  /** The files know more than the heading, such as the season, and all of them the same. */
  isLessExact: boolean
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
  const headings = headingsOf(days, measures.yearsOnly ? Number.POSITIVE_INFINITY : perRow)
  const sections: Section[] = []
  let [year, sinceBreak] = ['', 0]
  for (const part of partsOf(days, headings, measures.yearsOnly ? Number.POSITIVE_INFINITY : perRow)) {
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
  const labelled = measures.yearsOnly ? [] : days.filter(({ day }, i) => hasMonth(day) && day !== days[i - 1]?.day)
  return { sections, headings, labelled }

  function flowsOn(before: Section, part: Part): boolean {
    if (part.heading === undefined) return before.count === 1 || part.count === 1
    if (part.heading.date === UNKNOWN_DATE) return false
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

function headingsOf(days: readonly DayStart[], enough: number): Heading[] {
  const headings: Heading[] = []
  for (const run of runsOf(days, ({ day, first }) => (hasMonth(day) ? monthOf(day) : `${first}`))) {
    const [{ day, first }] = run
    const count = countOf(run)
    if (!hasMonth(day)) {
      headings.push({ date: day, first, count, scope: scopeOfLabel(day), isLessExact: day !== UNKNOWN_DATE })
      continue
    }
    const [year, month] = [yearOf(day), monthOf(day)]
    const last = run.at(-1)?.day ?? day
    const before = headings.at(-1)
    if (count >= enough)
      headings.push({ date: month, first, count, scope: scopeBetween(month, month), isLessExact: false })
    else if (before?.date === year && !before.isLessExact) {
      before.scope = scopeBetween('from' in before.scope ? furthest(before.scope, last) : day, last)
      before.count += count
    } else headings.push({ date: year, first, count, scope: scopeBetween(day, last), isLessExact: false })
  }
  return headings
}

/** The end of a range that is further from a day, whatever the order of the list is. */
function furthest({ from, to }: { from: string; to: string }, day: string): string {
  return day < from ? to : from
}

function countOf(days: readonly DayStart[]): number {
  return days.reduce((sum, { count }) => sum + count, 0)
}

function countOfYear(headings: readonly Heading[], year: string): number {
  return headings.reduce((sum, { date, count }) => sum + (yearOf(date) === year ? count : 0), 0)
}
