/** A local date and its number of files. */
export interface Day {
  /** As in "2026-06-14". */
  day: string
  count: number
  /** Grows with the date. */
  key: number
}

export function monthOf(day: string): string {
  return day.slice(0, 7)
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
