import type { Album } from '#contract/albums.ts'
import { rangeInWords } from '../media/date-words.ts'

/** From the first date of its files to the last; undefined if none has one. */
export function formatDates(
  { first_date, last_date }: Pick<Album, 'first_date' | 'last_date'>,
  language?: string,
): string | undefined {
  return first_date === null || last_date === null ? undefined : rangeInWords(first_date, last_date, language)
}
