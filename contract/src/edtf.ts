import { z } from 'zod'
import { DAY } from './limits.ts'
import { isPossibleClock, isPossibleYear, parseWallClock } from './metadata.ts'

/** A day, month, season, year or decade. */
export interface CalendarDate {
  readonly precision: 'day' | 'month' | 'season' | 'year' | 'decade'
  readonly year: number
  readonly month?: number
  readonly day?: number
  /** 1 spring, 2 summer, 3 autumn, 4 winter. */
  readonly season?: Season
  readonly approximate: boolean
}

export type Season = 1 | 2 | 3 | 4

/** A date as a person knows it. */
export type KnownDate =
  | { readonly precision: 'time'; readonly local: string; readonly offsetMinutes: number | null }
  | CalendarDate
  | { readonly precision: 'interval'; readonly from: CalendarDate | null; readonly to: CalendarDate | null }
  /** Somebody has said that nobody knows. */
  | { readonly precision: 'unknown' }

/** EDTF for a date of which nothing is known. */
export const UNKNOWN_DATE = 'XXXX'

const MAX_LENGTH = 40
const CALENDAR = /^(?:(\d{3})X|(\d{4})(?:-(\d\d)(?:-(\d\d))?)?)(~)?$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?(?:Z|[+-]\d\d:\d\d)?$/

/** Reads the part of EDTF (levels 0 and 1) that the library stores. Undefined for anything else. */
export function parseEdtf(text: string): KnownDate | undefined {
  if (text.length > MAX_LENGTH) return undefined
  if (text === UNKNOWN_DATE) return { precision: 'unknown' }
  if (TIME.test(text)) {
    const clock = parseWallClock(text)
    return clock && isPossibleClock(clock) ? { precision: 'time', ...clock } : undefined
  }
  const ends = text.split('/')
  if (ends.length === 1) return parseCalendarDate(text)
  const [from, to] = ends.map(end => (end === '..' ? null : parseCalendarDate(end)))
  if (ends.length > 2 || from === undefined || to === undefined || (from === null && to === null)) return undefined
  if (from && to && boundsOfDate(from).earliest >= boundsOfDate(to).latest) return undefined
  return { precision: 'interval', from, to }
}

function parseCalendarDate(text: string): CalendarDate | undefined {
  const [, decade, year, month, day, tilde] = CALENDAR.exec(text) ?? []
  const approximate = tilde !== undefined
  if (decade !== undefined) {
    const first = Number(decade) * 10
    const possible = isPossibleYear(first) || isPossibleYear(first + 9)
    return possible ? { precision: 'decade', year: first, approximate } : undefined
  }
  const number = Number(year)
  if (year === undefined || !isPossibleYear(number)) return undefined
  if (month === undefined) return { precision: 'year', year: number, approximate }
  const second = Number(month)
  if (day === undefined) {
    if (second >= 21 && second <= 24) {
      return { precision: 'season', year: number, season: (second - 20) as Season, approximate }
    }
    return second >= 1 && second <= 12 ? { precision: 'month', year: number, month: second, approximate } : undefined
  }
  // `Date` accepts 31 February and normalises it to another day.
  const exact = new Date(utc(number, second, Number(day)))
  if (exact.getUTCMonth() !== second - 1 || exact.getUTCDate() !== Number(day)) return undefined
  return { precision: 'day', year: number, month: second, day: Number(day), approximate }
}

export function formatEdtf(date: KnownDate): string {
  switch (date.precision) {
    case 'unknown':
      return UNKNOWN_DATE
    case 'time':
      return date.offsetMinutes === null ? date.local : `${date.local}${formatOffset(date.offsetMinutes)}`
    case 'interval':
      return [date.from, date.to].map(end => (end === null ? '..' : formatEdtf(end))).join('/')
  }
  const { year, month, day, season, approximate } = date
  const parts = [
    date.precision === 'decade' ? `${Math.floor(year / 10)}X` : String(year),
    ...(season === undefined ? [] : [String(20 + season)]),
    ...(month === undefined ? [] : [two(month)]),
    ...(day === undefined ? [] : [two(day)]),
  ]
  return `${parts.join('-')}${approximate ? '~' : ''}`
}

function formatOffset(minutes: number): string {
  const size = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`
}

const two = (value: number) => String(value).padStart(2, '0')

/** In canonical form, so that equal dates have equal texts. */
export const Edtf = z
  .string()
  .max(MAX_LENGTH)
  .refine(text => parseEdtf(text) !== undefined, 'This is not a date that a photo can have.')
  .overwrite(text => {
    const date = parseEdtf(text)
    return date ? formatEdtf(date) : text
  })
  .describe('A date in EDTF: 2019-05-12T10:11:12, 1985-07, 1974-22 (summer), 1950~, 196X, 1964/1970, ../1938')

/** First and last moment, as if local time were UTC; null where it is open. */
export interface Bounds {
  earliest: number | null
  latest: number | null
}

/** How far from an approximate year the date may be. */
const ABOUT_YEARS = 2

export function boundsOf(date: KnownDate): Bounds {
  switch (date.precision) {
    case 'unknown':
      return { earliest: null, latest: null }
    case 'time': {
      const moment = Date.parse(`${date.local}Z`)
      return { earliest: moment, latest: moment }
    }
    case 'interval':
      return { earliest: date.from && boundsOf(date.from).earliest, latest: date.to && boundsOf(date.to).latest }
  }
  if (date.approximate && date.precision === 'year') {
    const earliest = boundsOfDate({ ...date, year: date.year - ABOUT_YEARS }).earliest
    return { earliest, latest: boundsOfDate({ ...date, year: date.year + ABOUT_YEARS }).latest }
  }
  return boundsOfDate(date)
}

/** Without the years around an approximate one. */
function boundsOfDate({ precision, year, month = 1, day = 1, season = 1 }: CalendarDate) {
  // The winter of a year is the one that it begins in, as meteorologists count.
  const firstMonth = precision === 'season' ? season * 3 : month
  const beginning = precision === 'season' && season === 4 ? utc(year - 1, 12, 1) : utc(year, firstMonth, day)
  const ends = {
    day: () => utc(year, month, day + 1),
    month: () => utc(year, month + 1, 1),
    season: () => (season === 4 ? utc(year, 3, 1) : utc(year, firstMonth + 3, 1)),
    year: () => utc(year + 1, 1, 1),
    decade: () => utc(year + 10, 1, 1),
  }
  return { earliest: beginning, latest: ends[precision]() - 1 }
}

/** Months and days beyond the end are of the next year or month. */
function utc(year: number, month: number, day: number): number {
  return Date.UTC(year, month - 1, day)
}

/** What a file is listed under: a day or, where that is not known, a heading of its own. */
export type Heading = 'day' | 'month' | 'year' | 'decade'

/**
 * The last milliseconds of a day are for dates that are less exact, so that each heading is a range of sort keys between
 * two days, and the key alone says which.
 */
const places: Record<Heading, number> = { day: 0, month: 3, year: 2, decade: 1 }
const LAST_OF_DAY = DAY - 4

/** Undated files have keys below all others, in the order of their upload. */
const UNDATED = -1e15
export const UNDATED_LIMIT = UNDATED / 2

/** The sort key of a file: the middle of what is known, or of an open interval its end. */
export function sortKeyOf(date: KnownDate, uploadedAt: number): number {
  if (date.precision === 'unknown') return undatedKey(uploadedAt)
  const heading = headingOf(date)
  const { earliest, latest } =
    'approximate' in date ? boundsOfDate(date) : (boundsOf(date) as { earliest: number; latest: number })
  if (heading === 'day') {
    const day = Math.floor(earliest / DAY) * DAY
    return Math.min(earliest, day + LAST_OF_DAY)
  }
  const middle = ((earliest ?? latest) + (latest ?? earliest)) / 2
  return Math.floor(middle / DAY) * DAY + DAY - places[heading]
}

export function undatedKey(uploadedAt: number): number {
  return UNDATED + uploadedAt
}

function headingOf(date: Exclude<KnownDate, { precision: 'unknown' }>): Heading {
  switch (date.precision) {
    case 'time':
      return 'day'
    case 'interval':
      return headingOfInterval(date.from, date.to)
    case 'day':
      return date.approximate ? 'month' : 'day'
    case 'season':
      return 'year'
    default:
      return date.precision
  }
}

function headingOfInterval(from: CalendarDate | null, to: CalendarDate | null): Heading {
  if (!from || !to || from.year !== to.year || from.precision === 'decade' || to.precision === 'decade') return 'decade'
  return from.month !== undefined && from.month === to.month ? 'month' : 'year'
}

/** Groups of a list by date, as stored in `media.day`: the day since 1970, or a number beyond all days. */
const GROUP_STEP = 1_000_000
const UNDATED_GROUP = -10_000_000

export function groupOf(sortKey: number): number {
  if (sortKey < UNDATED_LIMIT) return UNDATED_GROUP
  const day = Math.floor(sortKey / DAY)
  const fromEnd = DAY - (sortKey - day * DAY)
  return fromEnd > places.month ? day : day + fromEnd * GROUP_STEP
}

/** The day by which a group is sorted, and what its heading says. */
export function readGroup(group: number): { day: number; heading: Heading } | 'undated' {
  if (group === UNDATED_GROUP) return 'undated'
  const place = Math.round(group / GROUP_STEP)
  const heading = (Object.keys(places) as Heading[]).find(name => places[name] === place) ?? 'day'
  return { day: group - places[heading] * GROUP_STEP, heading }
}

/** The number of a group in a timeline: grows with the date. Undated files are the last in either order. */
export function timelineKey(group: number, order: 'asc' | 'desc'): number {
  const read = readGroup(group)
  if (read === 'undated') return order === 'desc' ? UNDATED_GROUP : -UNDATED_GROUP
  return read.heading === 'day' ? read.day : read.day + 1 - places[read.heading] / 10
}

/** The first and last sort key of a number in a timeline. */
export function sortKeysAt(key: number): { first: number; last: number } {
  const day = Math.floor(key)
  const place = Math.round((day + 1 - key) * 10)
  if (place === 10) return { first: day * DAY, last: day * DAY + LAST_OF_DAY }
  const exact = day * DAY + DAY - Math.min(Math.max(place, 1), places.month)
  return { first: exact, last: exact }
}

export function isUndatedKey(key: number): boolean {
  return Math.abs(key) >= -UNDATED_GROUP
}

/** The last moment of a day among the keys of headings that are at least this exact. */
export function lastOfDay(heading: Heading): number {
  return heading === 'day' ? LAST_OF_DAY : DAY - places[heading]
}

/** A group in EDTF: 2026-06-14, 1985-07, 1974, 196X or XXXX. */
export function groupText(group: number, dayText: (day: number) => string): string {
  const read = readGroup(group)
  if (read === 'undated') return UNKNOWN_DATE
  const text = dayText(read.day)
  return {
    day: () => text,
    month: () => text.slice(0, 7),
    year: () => text.slice(0, 4),
    decade: () => `${text.slice(0, 3)}X`,
  }[read.heading]()
}
