/** A local date and its number of files. */
export interface Day {
  /** As in "2026-06-14". */
  day: string
  count: number
}

export function dayOf({ date }: { date: string }): string {
  return date.slice(0, 10)
}

export function monthOf(day: string): string {
  return day.slice(0, 7)
}

export function yearOf(day: string): string {
  return day.slice(0, 4)
}

/** Groups files that are sorted by date. */
export function daysOf(files: readonly { date: string }[]): Day[] {
  const days = new Map<string, number>()
  for (const file of files) days.set(dayOf(file), (days.get(dayOf(file)) ?? 0) + 1)
  return [...days].map(([day, count]) => ({ day, count }))
}
