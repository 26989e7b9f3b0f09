import { z } from 'zod'
import { DAY } from './limits.ts'
import { isPossibleClock, isPossibleYear, parseWallClock } from './metadata.ts'
import { refusal } from './refusal.ts'

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
  .refine(text => parseEdtf(text) !== undefined, refusal('dates.impossible'))
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

/** The next or previous day, month, season, year or decade. */
export function neighbour(date: CalendarDate, step: 1 | -1): CalendarDate {
  const { precision, year, month = 1, day = 1, season = 1 } = date
  if (precision === 'year') return { ...date, year: year + step }
  if (precision === 'decade') return { ...date, year: year + 10 * step }
  if (precision === 'season') {
    // In the order of a year: its winter is the one that it begins in.
    const next = (season % 4) + step
    return { ...date, season: (((next + 3) % 4) + 1) as Season, year: year + Math.floor(next / 4) }
  }
  const moved = new Date(
    precision === 'month' ? Date.UTC(year, month - 1 + step) : Date.UTC(year, month - 1, day + step),
  )
  const parts = { year: moved.getUTCFullYear(), month: moved.getUTCMonth() + 1 }
  return precision === 'month' ? { ...date, ...parts } : { ...date, ...parts, day: moved.getUTCDate() }
}

/** What a file is listed under: a day or, where that is not known, a heading of its own. Those of one day are in this order. */
const headings = ['day', 'month', 'year', 'decade', 'undated'] as const
export type Heading = (typeof headings)[number]

/** As stored in `media.heading_rank`. */
export function rankOf(heading: Heading): number {
  return headings.indexOf(heading)
}

/** Files that are listed together: by the day in the middle of their dates, since 1970. Undated ones are of day 0. */
export interface Group {
  day: number
  heading_rank: number
}

/** Where a file is in lists by date: sorted by `date_sort`, then `heading_rank`. */
export interface ListedDate extends Group {
  date_sort: number
}

/** Undated files have keys below all others, in the order of their upload. */
const UNDATED = -1e15
export const UNDATED_LIMIT = UNDATED / 2

/** At the middle of what is known or, of an open interval, at its end. Less exact dates follow the photos of that day. */
export function listedDate(date: KnownDate, uploadedAt: number): ListedDate {
  if (date.precision === 'unknown') return undated(uploadedAt)
  const heading = headingOf(date)
  const { earliest, latest } =
    'approximate' in date ? boundsOfDate(date) : (boundsOf(date) as { earliest: number; latest: number })
  if (heading === 'day') return { date_sort: earliest, day: Math.floor(earliest / DAY), heading_rank: rankOf(heading) }
  const middle = ((earliest ?? latest) + (latest ?? earliest)) / 2
  const day = Math.floor(middle / DAY)
  return { date_sort: endOfDay(day), day, heading_rank: rankOf(heading) }
}

export function undated(uploadedAt: number): ListedDate {
  return { date_sort: undatedKey(uploadedAt), day: 0, heading_rank: rankOf('undated') }
}

export function undatedKey(uploadedAt: number): number {
  return UNDATED + uploadedAt
}

/** Also the sort key of less exact dates with this day in their middle. */
export function endOfDay(day: number): number {
  return (day + 1) * DAY - 1
}

function headingOf(date: Exclude<KnownDate, { precision: 'unknown' }>): Exclude<Heading, 'undated'> {
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

function headingOfInterval(from: CalendarDate | null, to: CalendarDate | null): Exclude<Heading, 'undated' | 'day'> {
  if (!from || !to || from.year !== to.year || from.precision === 'decade' || to.precision === 'decade') return 'decade'
  return from.month !== undefined && from.month === to.month ? 'month' : 'year'
}

export function headingOfGroup({ heading_rank }: Pick<Group, 'heading_rank'>): Heading {
  return headings[heading_rank] ?? 'undated'
}

/** Beyond the keys of all days. */
const UNDATED_IN_TIMELINE = 10_000_000

/** The number of a group in a timeline: grows with the date. Undated files are the last in either order. */
export function timelineKey(group: Group, order: 'asc' | 'desc'): number {
  if (headingOfGroup(group) === 'undated') return order === 'desc' ? -UNDATED_IN_TIMELINE : UNDATED_IN_TIMELINE
  return group.day + group.heading_rank / 10
}

export function readTimelineKey(key: number): Group {
  if (Math.abs(key) >= UNDATED_IN_TIMELINE) return { day: 0, heading_rank: rankOf('undated') }
  const day = Math.floor(key)
  return { day, heading_rank: Math.min(Math.round((key - day) * 10), rankOf('decade')) }
}

/** A group in EDTF: 2026-06-14, 1985-07, 1974, 196X or XXXX. */
export function groupText(group: Group, dayText: (day: number) => string): string {
  const heading = headingOfGroup(group)
  if (heading === 'undated') return UNKNOWN_DATE
  const text = dayText(group.day)
  return {
    day: () => text,
    month: () => text.slice(0, 7),
    year: () => text.slice(0, 4),
    decade: () => `${text.slice(0, 3)}X`,
  }[heading]()
}
