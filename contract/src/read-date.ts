import { anyOf, plain } from './date-words/lookup.ts'
import { boundsOf, type CalendarDate, formatEdtf, type KnownDate, neighbour, parseEdtf, UNKNOWN_DATE } from './edtf.ts'
import { DAY } from './limits.ts'
import { type Context, inCentury, LEADS, readCalendar } from './read-calendar.ts'

interface Reader {
  /** Of names and the order of day and month; default: that of the browser. */
  language?: string | undefined
  /** Whose names of months are understood, too. */
  otherLanguages?: readonly string[]
  /** The current local date. */
  today?: string
}

/** Nobody types a longer date, and the regular expressions below are not meant for long texts. */
const MAX_LENGTH = 60

const UNKNOWN = new RegExp(`^(?:${anyOf('unknown')}|\\?+)$`)
const SHORT_YEAR = new RegExp(`(?<!\\S)'(\\d\\d)(?!\\d|${anyOf('decadeEndings')})`, 'g')

/**
 * The date that a text names, in EDTF: "summer 1974", "about 1950", "the 60s", "12 Feb 2015 14:30", "Sommer 1974", "um 1950".
 * The words of all languages in `date-words` are understood.
 */
export function readDate(text: string, reader: Reader = {}): string | undefined {
  if (text.length > MAX_LENGTH) return undefined
  const context = contextOf(reader)
  const { today } = context
  const typed = normalised(text, context)
  if (UNKNOWN.test(typed)) return UNKNOWN_DATE
  const date = readKnown(typed, context)
  // Impossible years, intervals that end before they begin and what is still to come are no dates of photos.
  const edtf = date && formatEdtf(date)
  const possible = edtf === undefined ? undefined : parseEdtf(edtf)
  return edtf !== undefined && possible && !beginsAfter(possible, today) ? edtf : undefined
}

/** The filter of lists that finds a date; undefined for a time of day and where nothing is known. */
export function filterOfDate(
  edtf: string,
): { field: 'year'; value: number } | { field: 'date'; value: string } | undefined {
  const date = parseEdtf(edtf)
  if (date === undefined || date.precision === 'unknown' || date.precision === 'time') return undefined
  // Who looks for "about 1950" looks where such photos are listed.
  if ('approximate' in date && date.approximate) return filterOfDate(edtf.replace('~', ''))
  return date.precision === 'year' ? { field: 'year', value: date.year } : { field: 'date', value: edtf }
}

/** In plain words with single spaces and hyphens, and with the century of '74. "12. 3. 1981" is "12.3.1981". */
function normalised(text: string, { language, today }: Context): string {
  return plain(text.trim(), language)
    .replace(/\s+/g, ' ')
    .replace(/[–—]/g, '-')
    .replace(SHORT_YEAR, (_, short: string) => String(inCentury(short, today)))
    .replace(/(?<!\S)(\d{1,2})\. ?(\d{1,2})\. ?(?=(?:\d\d){1,2}(?!\d))/g, '$1.$2.')
}

function beginsAfter(date: KnownDate, today: string): boolean {
  const { earliest } = boundsOf(date)
  return earliest !== null && earliest >= Date.parse(today) + DAY
}

/** Why a text is not understood: it names a time to come, a day that no calendar has, or more than the year that is in it. */
export function problemWith(text: string, reader: Reader = {}): Problem {
  const context = contextOf(reader)
  const { today } = context
  const [year, ...others] = text.match(/(?<!\d)[12]\d{3}(?!\d)/g) ?? []
  const thisYear = Number(today.slice(0, 4))
  if ([year, ...others].some(number => number !== undefined && Number(number) > thisYear)) return { kind: 'future' }
  const date = text.length > MAX_LENGTH ? undefined : readKnown(normalised(text, context), context)
  if (date && beginsAfter(date, today)) return { kind: 'future' }
  const first = readDate(text.replace(/(?<!\d)(?:29|30|31)(?!\d)/, '1'), context)
  if (first !== undefined && parseEdtf(first)?.precision === 'day') return { kind: 'no such day' }
  const isYear = year !== undefined && others.length === 0 && readDate(year, context) !== undefined
  return isYear ? { kind: 'more than a year', year } : { kind: 'unknown' }
}

export type Problem = { kind: 'future' | 'no such day' | 'unknown' } | { kind: 'more than a year'; year: string }

function contextOf({ language, otherLanguages = [], today = currentDay() }: Reader): Context {
  return { language, otherLanguages, today }
}

function readKnown(typed: string, context: Context): KnownDate | undefined {
  return (
    readYears(typed) ??
    parseEdtf(typed.toUpperCase()) ??
    readCalendar(typed, context) ??
    readWithTime(typed, context) ??
    readInterval(typed, context) ??
    readPartOfPeriod(typed, context) ??
    readAbout(typed, context)
  )
}

/** "1920-24" are years to people, though EDTF has it for a season. So are "1980/81". */
function readYears(typed: string): KnownDate | undefined {
  const [, century, from = '', to = ''] = /^(\d\d)(\d\d)(?:-(?=2[1-4])|\/(?=1[3-9]|[2-9]))(\d\d)$/.exec(typed) ?? []
  if (century === undefined || to <= from) return undefined
  const year = (end: string) => ({ precision: 'year', year: Number(`${century}${end}`), approximate: false }) as const
  return { precision: 'interval', from: year(from), to: year(to) }
}

const OPEN = new RegExp(
  `^(?:(?<before>${anyOf('before')})|(?<until>${anyOf('until')})|(?<after>${anyOf('after')})|${anyOf('since')}) (?<bound>.+)$`,
)
const BETWEEN = new RegExp(`^${anyOf('between')} (.+) ${anyOf('and')} (.+)$`)
const FROM_TO = new RegExp(`^(?:${anyOf('since')} )?(.+?) ?(?:-| ${anyOf('to')} ) ?(.+)$`)

function readInterval(typed: string, context: Context): KnownDate | undefined {
  return readOpenInterval(typed, context) ?? readClosedInterval(typed, context)
}

function readOpenInterval(typed: string, context: Context): KnownDate | undefined {
  const { bound, before, until, after } = OPEN.exec(typed)?.groups ?? {}
  const end = bound === undefined ? undefined : readCalendar(bound, context)
  if (end === undefined) return undefined
  if (before !== undefined) return { precision: 'interval', from: null, to: neighbour(end, -1) }
  if (until !== undefined) return { precision: 'interval', from: null, to: end }
  return { precision: 'interval', from: after === undefined ? end : neighbour(end, 1), to: null }
}

function readClosedInterval(typed: string, context: Context): KnownDate | undefined {
  const [, first, last] = BETWEEN.exec(typed) ?? FROM_TO.exec(typed) ?? []
  if (first === undefined || last === undefined) return undefined
  const to = readCalendar(withCentury(first, last), context)
  // "June to August 1974" has one year for both.
  const from = readCalendar(first, context) ?? (to && readCalendar(`${first} ${to.year}`, context))
  return from && to ? { precision: 'interval', from, to } : undefined
}

/** The "70" of "1964-70". */
function withCentury(first: string, last: string): string {
  return /^\d{4}$/.test(first) && /^\d\d$/.test(last) ? `${first.slice(0, 2)}${last}` : last
}

const PART = new RegExp(
  `^(?:(?<early>${anyOf('early')})|(?<middle>${anyOf('middle')})|${anyOf('late')})[ -](?<period>.+)$`,
)

/** "Early 60s", "late 1974", "mid June 1974". */
function readPartOfPeriod(typed: string, context: Context): KnownDate | undefined {
  const { period = '', early, middle } = PART.exec(typed.replace(LEADS, ''))?.groups ?? {}
  const whole = period === '' ? undefined : readCalendar(period, context)
  return whole && thirdOf(whole, early !== undefined ? 0 : middle !== undefined ? 1 : 2)
}

const thirds = {
  decade: { first: [0, 4, 7], last: [3, 6, 9] },
  month: { first: [1, 11, 21], last: [10, 20, undefined] },
} as const

function thirdOf({ precision, year, month = 1 }: CalendarDate, third: 0 | 1 | 2): KnownDate | undefined {
  const monthText = (number: number) => `${year}-${two(number)}`
  switch (precision) {
    case 'decade':
      return parseEdtf(`${year + thirds.decade.first[third]}/${year + thirds.decade.last[third]}`)
    case 'year':
      return parseEdtf(`${monthText(third * 4 + 1)}/${monthText(third * 4 + 4)}`)
    case 'month': {
      const last = thirds.month.last[third] ?? new Date(Date.UTC(year, month, 0)).getUTCDate()
      return parseEdtf(`${monthText(month)}-${two(thirds.month.first[third])}/${monthText(month)}-${two(last)}`)
    }
    default:
      return undefined
  }
}

const two = (number: number) => String(number).padStart(2, '0')

const ABOUT = new RegExp(`^(?:~|${anyOf('about')}) ?(.+)$`)
const OR_SO = new RegExp(`^(.+?) ?(?:\\?|~|${anyOf('orSo')})$`)

function readAbout(typed: string, context: Context): KnownDate | undefined {
  const rest = ABOUT.exec(typed)?.[1] ?? OR_SO.exec(typed)?.[1]
  const date = rest === undefined ? undefined : readCalendar(rest, context)
  return date && { ...date, approximate: true }
}

const WITH_TIME = new RegExp(
  `^(?<day>.+?),?(?: ${anyOf('at')})? (?<hours>\\d{1,2})` +
    `(?:[:.h](?<minutes>\\d\\d)(?:[:.](?<seconds>\\d\\d))?)? ?` +
    `(?:(?<half>[ap])\\.?m\\.?|(?<clock>${anyOf('oClock')})(?: (?<past>\\d\\d))?)?$`,
)

/** A day and a time: "12 Feb 2015, 14:30", "12 feb 2015 at 2:30 pm", "12 feb 2015 3pm", "12.2.2015 um 15 Uhr 30". */
function readWithTime(typed: string, context: Context): KnownDate | undefined {
  const { day = '', hours, minutes, seconds = '00', half, clock, past } = WITH_TIME.exec(typed)?.groups ?? {}
  const isTime = minutes !== undefined || half !== undefined || clock !== undefined
  const date = hours === undefined || !isTime ? undefined : readCalendar(day, context)
  if (date?.precision !== 'day' || date.approximate) return undefined
  const hour =
    half === undefined ? Number(hours) : Number(hours) > 12 ? 99 : (Number(hours) % 12) + (half === 'p' ? 12 : 0)
  const time = [two(hour), minutes ?? past ?? '00', seconds].join(':')
  return parseEdtf(`${formatEdtf(date)}T${time}`)
}

/** The day on the person's calendar, as in "2026-11-17". Also computed in index.html. */
export function currentDay(now = new Date()): string {
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map(part => String(part).padStart(2, '0')).join('-')
}
