import type { HolidayName } from '../holidays.ts'

/**
 * The words in which people of a language name dates, as they would write them: case and accents do not matter to the
 * reader, and "ue" is "ü".
 */
export interface DateWords {
  /** The names of its months and days are known to `Intl`. */
  language: string
  /** Nobody knows the date. */
  unknown: readonly string[]
  /** Words that say nothing about a date: "the 60s", "in summer", "the 12th of May". */
  fillers: readonly string[]
  /** Fillers that only come before a date, and mean something after it: in German "am 12. Mai", in English "3 am". */
  leads: readonly string[]
  before: readonly string[]
  /** With the date that follows. */
  until: readonly string[]
  after: readonly string[]
  /** With the date that follows. */
  since: readonly string[]
  between: readonly string[]
  and: readonly string[]
  /** In the middle of "1964 to 1970". */
  to: readonly string[]
  early: readonly string[]
  middle: readonly string[]
  late: readonly string[]
  about: readonly string[]
  /** Say it after the date: "1950 or so". */
  orSo: readonly string[]
  /** Before a time of day. */
  at: readonly string[]
  /** After the hour. */
  oClock: readonly string[]
  /** After the number of a day. */
  ordinals: readonly string[]
  seasons: Record<'spring' | 'summer' | 'autumn' | 'winter', readonly string[]>
  /** Before a season: the one that ended last. */
  last: readonly string[]
  /** After the number of a decade: "60s". */
  decadeEndings: readonly string[]
  decades: Record<
    'twenties' | 'thirties' | 'forties' | 'fifties' | 'sixties' | 'seventies' | 'eighties' | 'nineties',
    readonly string[]
  >
  /** Names of days of the week that `Intl` does not have. */
  weekdays: readonly string[]
  /** Names of months (1 to 12) that neither `Intl` has nor are the beginning of one of its names. */
  months: Partial<Record<number, readonly string[]>>
  holidays: Record<HolidayName, readonly string[]>
}
