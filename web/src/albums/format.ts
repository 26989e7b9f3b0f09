import type { Album } from '#contract/albums.ts'
import { dateFormat } from '../kit/format.ts'

/** From the first day of its files to the last, as in "June – August 2024"; undefined for an empty album. */
export function formatDays(
  { first_day, last_day }: Pick<Album, 'first_day' | 'last_day'>,
  language?: string,
): string | undefined {
  if (first_day === null || last_day === null) return undefined
  // Days are local dates: read and written as UTC, so that no time zone moves them.
  const sameMonth = first_day.slice(0, 7) === last_day.slice(0, 7)
  const day = sameMonth ? ({ day: 'numeric' } as const) : {}
  const format = dateFormat(language, { ...day, month: 'long', year: 'numeric', timeZone: 'UTC' })
  return format.formatRange(Date.parse(first_day), Date.parse(last_day))
}
