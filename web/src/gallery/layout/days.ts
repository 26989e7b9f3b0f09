/** A day and how many files stand under it; the wall clock's day, whatever the time zone. */
export interface Day {
  /** As in "2026-06-14". */
  day: string
  count: number
}

export function monthOf(day: string): string {
  return day.slice(0, 7)
}

export function yearOf(day: string): string {
  return day.slice(0, 4)
}
