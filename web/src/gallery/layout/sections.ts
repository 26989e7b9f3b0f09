import { type Day, isMonth, monthOf, yearOf } from './days.ts'
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

/** Where rows must break: at the headings of months, and at long days. */
export function sectionsOf(days: readonly DayStart[], measures: Measures): Section[] {
  const perRow = typicalPerRow(measures)
  const headings = new Map(monthHeadingsOf(days, perRow).map(heading => [heading.first, heading]))
  const sections: Section[] = []
  let flowing: Section | undefined
  for (const { count, first } of days) {
    const heading = headings.get(first)
    const isLong = count >= LONG_DAY_ROWS * perRow
    if (flowing === undefined || heading !== undefined || isLong) {
      flowing = { first, count, heading }
      sections.push(flowing)
    } else flowing.count += count
    if (isLong) flowing = undefined
  }
  return sections
}

interface MonthHeading {
  /** Of its last month. */
  month: string
  first: number
  count: number
  /** Whether each of its months has less than a row of files. */
  isShort: boolean
}

/** One for each month, but short months of a year that follow each other share one, and so do years that fit into one row. */
function monthHeadingsOf(days: readonly DayStart[], perRow: number): MonthHeading[] {
  const months: MonthHeading[] = []
  for (const { day, count, first } of days) {
    let month = months.at(-1)
    if (month?.month !== monthOf(day)) {
      month = { month: monthOf(day), first, count: 0, isShort: true }
      months.push(month)
    }
    month.count += count
    month.isShort = month.count < perRow
  }
  const headings: MonthHeading[] = []
  for (const month of months) {
    const last = headings.at(-1)
    if (
      last?.isShort &&
      month.isShort &&
      isMonth(last.month) &&
      isMonth(month.month) &&
      yearOf(last.month) === yearOf(month.month)
    ) {
      last.count += month.count
      last.month = month.month
    } else headings.push(month)
  }
  return joinYears(headings, perRow)
}

function joinYears(headings: readonly MonthHeading[], perRow: number): MonthHeading[] {
  const joined: MonthHeading[] = []
  for (const heading of headings) {
    const last = joined.at(-1)
    if (last && isMonth(last.month) && isMonth(heading.month) && last.count + heading.count <= perRow) {
      last.count += heading.count
      last.month = heading.month
    } else joined.push(heading)
  }
  return joined
}
