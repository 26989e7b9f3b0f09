import type { Album } from '#contract/albums.ts'
import { dateFormat } from '../kit/format.ts'
import { dateInWords } from '../media/date-words.ts'

/** From the first date of its files to the last, as in "June – August 2024" or "1960s – 1974"; undefined if none has one. */
export function formatDates(
  { first_date, last_date }: Pick<Album, 'first_date' | 'last_date'>,
  language?: string,
): string | undefined {
  if (first_date === null || last_date === null) return undefined
  const shortest = Math.min(first_date.length, last_date.length)
  if (shortest === '1974'.length) return formatYears(first_date.slice(0, 4), last_date.slice(0, 4), language)
  // Days are local dates: read and written as UTC, so that no time zone moves them.
  const sameMonth = first_date.slice(0, 7) === last_date.slice(0, 7)
  const day = sameMonth && shortest === '2026-06-14'.length ? ({ day: 'numeric' } as const) : {}
  const format = dateFormat(language, { ...day, month: 'long', year: 'numeric', timeZone: 'UTC' })
  return format.formatRange(Date.parse(first_date), Date.parse(last_date))
}

/** Years or decades. A year within the decade adds nothing to it. */
function formatYears(first: string, last: string, language: string | undefined): string {
  const decade = [first, last].find(date => date.endsWith('X'))
  if (first === last || (decade !== undefined && first.slice(0, 3) === last.slice(0, 3))) {
    return dateInWords(decade ?? first, 'short', language)
  }
  return [first, last].map(date => dateInWords(date, 'short', language)).join(' – ')
}
