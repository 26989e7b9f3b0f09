const YEARS = 2

/** Whether a program of this year is more than two years old. Its day is not known: the middle of the year is assumed. */
export function isOldProgram(year: number | null, now: number): boolean {
  return year !== null && Date.UTC(year + YEARS, 6) < now
}
