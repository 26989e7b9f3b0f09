import { monthsByName, plain } from '#contract/date-words/lookup.ts'
import { boundsOf, type Heading, parseEdtf, UNKNOWN_DATE } from '#contract/edtf.ts'
import { DAY } from '#contract/limits.ts'
import { filterOfDate, readDate } from '#contract/read-date.ts'

/** Sort keys of dates, inclusive. */
export interface DateRange {
  first?: number | undefined
  last?: number | undefined
  /** Of the headings to begin and end with, where several have the same key. */
  firstRank?: number | undefined
  lastRank?: number | undefined
  /** Without dates that are less exact than this: a decade is in no year. */
  atLeast?: Exclude<Heading, 'undated'> | undefined
  /** Only dates with this heading. */
  exactly?: Exclude<Heading, 'day' | 'undated'> | undefined
  /** Only dates of which all that is known lies in this time, of whole days, of which the range may be a part. */
  within?: { first: number | null; last: number | null } | undefined
  /** Also decades and times between two dates that it is a part of; open ones, such as "before 1939", are in no year. */
  orAround?: true | undefined
}

/** A part of a list by date. */
export type ListPart = { dates: DateRange } | { undated: true }

const monthsIn = ['de', 'fr', 'es', 'it', 'nl']
/** Whether the day or the month is first in 3/4/1974 depends on who writes it. */
const AMBIGUOUS_DAY = /^(?:0?[1-9]|1[0-2])\/(?:0?[1-9]|1[0-2])\/\d+$/

/** The time that a search names. */
export interface SearchedTime extends DateRange {
  /** Of any year: 1 January to 12 December. */
  month?: number | undefined
}

/** "October", "oktober" and so on. No abbreviations: "mar" or "dec" are more often other words. */
const months = new Map([
  ...['en', ...monthsIn].flatMap(language => {
    const { format } = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' })
    return Array.from({ length: 12 }, (_, i) => [plain(format(Date.UTC(2000, i, 1)), language), i + 1] as const)
  }),
  ...monthsByName,
])

/**
 * The time that a search names, as in "summer 1974", "um 1950", "the 60s", "before 1939" or "October": its files are found beside those
 * with these words.
 */
export function rangeOfSearch(search: string): SearchedTime | undefined {
  const month = months.get(plain(search.trim(), 'en'))
  if (month !== undefined) return { month, atLeast: 'month' }
  if (AMBIGUOUS_DAY.test(search.trim())) return undefined
  const today = new Date().toISOString().slice(0, 10)
  const edtf = readDate(search, { language: 'en-GB', otherLanguages: monthsIn, today })
  const filter = edtf === undefined ? undefined : filterOfDate(edtf)
  if (filter === undefined) return undefined
  return filter.field === 'year' ? rangeOfYear(filter.value) : rangeOfText(filter.value)
}

/** With the decades and times between two dates that it is part of. */
export function rangeOfYear(year: number): DateRange {
  return { ...rangeOf(year), orAround: true }
}

/** As in "2019-05-12", "2019-05", "1974-22" (summer), "196X", "1964/1970" or "../1938". */
export function rangeOfText(date: string): DateRange {
  if (date.includes('/')) return rangeOfInterval(date)
  if (date.endsWith('X')) {
    const decade = Number(date.slice(0, 3)) * 10
    return { first: startOf(decade), last: startOf(decade + 10) - 1 }
  }
  const [year = 0, month, day] = date.split('-').map(Number)
  if (month !== undefined && month > 12) return rangeOfSeason(year, month - 20)
  return rangeOf(year, month, day)
}

function rangeOfInterval(edtf: string): DateRange {
  const { earliest: first, latest: last } = boundsOf(parseEdtf(edtf) ?? { precision: 'unknown' })
  return { first: first ?? undefined, last: last ?? undefined, within: { first, last } }
}

/** Of a year: 1 spring to 4 winter, which begins in the year before. */
function rangeOfSeason(year: number, season: number): DateRange {
  const first = season === 4 ? startOf(year - 1, 12) : startOf(year, season * 3)
  const last = startOf(year, season === 4 ? 3 : season * 3 + 3) - 1
  // A season has the heading of a year, which is in the middle of its summer.
  return { first, last, within: { first, last } }
}

function rangeOf(year: number, month?: number, day?: number): DateRange {
  const first = startOf(year, month, day)
  if (day !== undefined) return { first, last: first + DAY - 1, atLeast: 'day' }
  if (month !== undefined) return { first, last: startOf(year, month + 1) - 1, atLeast: 'month' }
  return { first, last: startOf(year + 1) - 1, atLeast: 'year' }
}

/** From a day to another one, inclusive; a single day has only what is known to be from it. */
export function partBetween(from: string | undefined, to: string | undefined): ListPart | undefined {
  if (from === undefined && to === undefined) return undefined
  return {
    dates: {
      first: from === undefined ? undefined : Date.parse(from),
      last: to === undefined ? undefined : Date.parse(to) + DAY - 1,
      atLeast: from === to ? 'day' : 'month',
    },
  }
}

/** Files under a heading of their own: 1985-07, 1974, 196X; or undated: XXXX. */
export function partUnderHeading(heading: string): ListPart {
  if (heading === UNKNOWN_DATE) return { undated: true }
  const exactly = heading.endsWith('X') ? 'decade' : heading.length === 4 ? 'year' : 'month'
  return { dates: { ...rangeOfText(heading), atLeast: undefined, exactly } }
}

/** `Date.UTC` takes years below 100 as those of the 20th century. */
function startOf(year: number, month = 1, day = 1): number {
  return new Date(0).setUTCFullYear(year, month - 1, day)
}
