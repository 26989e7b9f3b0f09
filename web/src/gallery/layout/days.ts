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

/** The first and last day of a month, or the day itself. */
export function daysIn(time: string): { from: string; to: string } {
  if (time !== monthOf(time)) return { from: time, to: time }
  const [year = 0, month = 0] = time.split('-').map(Number)
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate()
  return { from: `${time}-01`, to: `${time}-${last}` }
}
