import { DAY } from '#contract/limits.ts'

const FIRST_YEAR = 1826

/**
 * A day of the year in all years before today, in days since 1970. The 28th of February has the photos of the 29th in years
 * that have none, so that nobody waits four years for a birthday.
 */
export function daysInOtherYears(today: string, monthDay = today.slice(5)): number[] {
  const [now, thisYear] = [dayNumber(today), Number(today.slice(0, 4))]
  const wanted = [monthDay]
  if (monthDay === '02-28' && today.endsWith('-02-28') && !isLeap(thisYear)) wanted.push('02-29')
  const days: number[] = []
  for (let year = FIRST_YEAR; year <= thisYear; year++) {
    for (const day of wanted) {
      if (day === '02-29' && !isLeap(year)) continue
      days.push(dayNumber(`${year}-${day}`))
    }
  }
  return days.filter(day => day < now)
}

/** Days since 1970. */
export function dayNumber(date: string): number {
  return Date.parse(date) / DAY
}

export function dateOfDay(day: number): string {
  return new Date(day * DAY).toISOString().slice(0, 10)
}

function isLeap(year: number): boolean {
  return new Date(Date.UTC(year, 1, 29)).getUTCDate() === 29
}
