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

/** What follows one another under the same name: a decade may be before and after a day in it, and is two runs then. */
export function runsOf<Item>(items: readonly Item[], nameOf: (item: Item) => string): [Item, ...Item[]][] {
  const runs: [Item, ...Item[]][] = []
  for (const item of items) {
    const last = runs.at(-1)
    if (last !== undefined && nameOf(last[0]) === nameOf(item)) last.push(item)
    else runs.push([item])
  }
  return runs
}

/** Files of a list: of all days in a range, or under a heading of their own. */
export type DateScope = { from: string; to: string } | { heading: string }

/** All files of days and months that follow each other. */
export function scopeBetween(one: string, other: string): DateScope {
  const [from, to] = one < other ? [one, other] : [other, one]
  return { from: isWholeDay(from) ? from : `${from}-01`, to: isWholeDay(to) ? to : lastDayOf(to) }
}

/** The files below a label: where their day is not known, not all of that month. */
export function scopeOfLabel(day: string): DateScope {
  return isWholeDay(day) ? { from: day, to: day } : { heading: day }
}

function lastDayOf(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return `${month}-${new Date(Date.UTC(year, number, 0)).getUTCDate()}`
}
