import { isWholeDay } from '../../media/date-words.ts'

/** A local date, or a heading of files whose day is not known, and its number of files. */
export interface Day {
  /** As in "2026-06-14", "1985-07", "1974", "196X" or, for undated files, "XXXX". */
  day: string
  count: number
  /** Grows with the date. */
  key: number
}

export function monthOf(day: string): string {
  return day.slice(0, 7)
}

/** Rather than a year, a decade or undated files. */
export function hasMonth(day: string): boolean {
  return day.length >= '2026-06'.length
}

export function yearOf(day: string): string {
  return day.slice(0, 4)
}

/** Files of a list: of all days in a range, or under a heading of their own. */
export type DateScope = { from: string; to: string } | { heading: string }

/** The files of a heading: its months, which follow each other, as one range; each year and decade by its own. */
export function scopesOfHeading(months: readonly string[]): DateScope[] {
  const exact = months.filter(hasMonth).sort()
  const [oldest, newest] = [exact[0], exact.at(-1)]
  const range = oldest && newest ? [{ from: `${oldest}-01`, to: lastDayOf(newest) }] : []
  return [...range, ...months.filter(month => !hasMonth(month)).map(heading => ({ heading }))]
}

/** The files below a label: where their day is not known, not all of that month. */
export function scopeOfLabel(day: string): DateScope {
  return isWholeDay(day) ? { from: day, to: day } : { heading: day }
}

function lastDayOf(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return `${month}-${new Date(Date.UTC(year, number, 0)).getUTCDate()}`
}
