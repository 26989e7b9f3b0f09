import {
  boundsOf,
  type CalendarDate,
  formatEdtf,
  type KnownDate,
  neighbour,
  parseEdtf,
  type Season,
  UNKNOWN_DATE,
} from './edtf.ts'
import { holidayOf } from './holidays.ts'
import { DAY } from './limits.ts'

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

/** The date that a text names, in EDTF: "summer 1974", "about 1950", "the 60s", "12 Feb 2015 14:30". */
export function readDate(text: string, reader: Reader = {}): string | undefined {
  if (text.length > MAX_LENGTH) return undefined
  const context = contextOf(reader)
  const { today } = context
  const typed = normalised(text, context)
  if (/^(?:unknown|undated|no date|nobody knows|\?+)$/.test(typed)) return UNKNOWN_DATE
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

/** In lower case with plain spaces, quotes and hyphens, and with the century of '74. */
function normalised(text: string, { language, today }: Context): string {
  return text
    .trim()
    .toLocaleLowerCase(language)
    .replace(/\s+/g, ' ')
    .replace(/[‘’`]/g, "'")
    .replace(/[–—]/g, '-')
    .replace(/(?<!\S)'(\d\d)(?!\d|'?s)/g, (_, short: string) => String(inCentury(short, today)))
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

interface Context {
  language: string | undefined
  otherLanguages: readonly string[]
  today: string
}

function contextOf({ language, otherLanguages = ['en'], today = currentDay() }: Reader): Context {
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

function readInterval(typed: string, context: Context): KnownDate | undefined {
  const [, open, bound = ''] = /^(before|until|till|up to|after|since|from) (.+)$/.exec(typed) ?? []
  const end = open === undefined ? undefined : readCalendar(bound, context)
  if (end) {
    const [from, to] = {
      before: [null, neighbour(end, -1)],
      until: [null, end],
      till: [null, end],
      'up to': [null, end],
      after: [neighbour(end, 1), null],
      since: [end, null],
      from: [end, null],
    }[open as 'before'] as [CalendarDate | null, CalendarDate | null]
    return { precision: 'interval', from, to }
  }
  const pattern = /^(?:between (.+) and (.+)|(?:from )?(.+?) ?(?:-| to | until | or ) ?(.+))$/
  const [, a, b, c, d] = pattern.exec(typed) ?? []
  const [first, last] = [a ?? c, b ?? d]
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

/** "Early 60s", "late 1974". */
function readPartOfPeriod(typed: string, context: Context): KnownDate | undefined {
  const [, part, rest = ''] = /^(?:the )?(early|mid|late|beginning of|middle of|end of)[ -](.+)$/.exec(typed) ?? []
  const period = part === undefined ? undefined : readCalendar(rest, context)
  if (!period) return undefined
  const third = /^(?:early|beg)/.test(part ?? '') ? 0 : /^mid/.test(part ?? '') ? 1 : 2
  const between = (from: CalendarDate, to: CalendarDate): KnownDate => ({ precision: 'interval', from, to })
  if (period.precision === 'decade') {
    const year = (offset: number): CalendarDate => ({
      precision: 'year',
      year: period.year + offset,
      approximate: false,
    })
    const [from, to] = [
      [0, 3],
      [4, 6],
      [7, 9],
    ][third] as [number, number]
    return between(year(from), year(to))
  }
  if (period.precision !== 'year') return undefined
  const month = (number: number): CalendarDate => ({
    precision: 'month',
    year: period.year,
    month: number,
    approximate: false,
  })
  return between(month(third * 4 + 1), month(third * 4 + 4))
}

const ABOUT =
  /^(?:about|around|circa|ca?\.?|approx(?:imately|\.)?|roughly|probably|perhaps|maybe|some time in|sometime in|~) ?(.+)$/

function readAbout(typed: string, context: Context): KnownDate | undefined {
  const rest = ABOUT.exec(typed)?.[1] ?? /^(.+?) ?(?:\?|~|or so)$/.exec(typed)?.[1]
  const date = rest === undefined ? undefined : readCalendar(rest, context)
  return date && { ...date, approximate: true }
}

/** A day and a time: "12 Feb 2015, 14:30", "12 feb 2015 at 2:30 pm", "12 feb 2015 3pm". */
function readWithTime(typed: string, context: Context): KnownDate | undefined {
  const pattern = /^(.+?),?(?: at)? (\d{1,2})(?:[:.h](\d\d)(?:[:.](\d\d))?)? ?(?:([ap])\.?m\.?)?$/
  const [, day = '', hours, minutes = '00', seconds = '00', half] = pattern.exec(typed) ?? []
  const isTime = half !== undefined || /[:.h]\d\d$/.test(typed)
  const date = hours === undefined || !isTime ? undefined : readCalendar(day, context)
  if (date?.precision !== 'day' || date.approximate) return undefined
  const hour =
    half === undefined ? Number(hours) : Number(hours) > 12 ? 99 : (Number(hours) % 12) + (half === 'p' ? 12 : 0)
  return parseEdtf(`${formatEdtf(date)}T${String(hour).padStart(2, '0')}:${minutes}:${seconds}`)
}

const decades = ['twenties', 'thirties', 'forties', 'fifties', 'sixties', 'seventies', 'eighties', 'nineties']
const seasons = new Map<string, Season>([
  ['spring', 1],
  ['summer', 2],
  ['autumn', 3],
  ['fall', 3],
  ['winter', 4],
])

function readCalendar(text: string, context: Context): CalendarDate | undefined {
  const typed = text.trim()
  const exact = { approximate: false } as const
  const [, year] = /^(?:in )?(\d{4})$/.exec(typed) ?? []
  if (year !== undefined) return { precision: 'year', year: Number(year), ...exact }
  const decade = readDecade(typed) ?? readUnknownDigit(typed)
  if (decade !== undefined) return { precision: 'decade', year: decade, ...exact }
  // "1974 summer" is "summer 1974".
  const inOrder = typed.replace(/^(\d{4}),? (\p{L}+)$/u, '$2 $1')
  const [, season = '', first = '', second] =
    /^(?:in )?(?:the )?((?:[\p{L}']+ ){0,2}?[\p{L}']+)(?: of|,)? (\d{4}|\d\d)(?:[/-](\d\d(?:\d\d)?))?$/u.exec(
      inOrder,
    ) ?? []
  const yearOfSeason = first.length === 2 ? inCentury(first, context.today) : Number(first)
  const holiday = second === undefined ? holidayOf(season, yearOfSeason) : undefined
  if (holiday !== undefined) return { precision: 'day', year: yearOfSeason, ...holiday }
  const known = seasons.get(season)
  if (known !== undefined && (second === undefined || known === 4)) {
    // The winter of 1974/75 counts as that of 1975.
    return { precision: 'season', season: known, year: yearOfSeason + (second === undefined ? 0 : 1), ...exact }
  }
  return readDay(typed, context)
}

function inCentury(short: string, today: string): number {
  const year = Math.floor(Number(today.slice(0, 4)) / 100) * 100 + Number(short)
  return year > Number(today.slice(0, 4)) ? year - 100 : year
}

/** "The 60s", "1960s", "the sixties". The twenties are those of the last century, the 00s those of this one. */
function readDecade(typed: string): number | undefined {
  const [, century, tens] = /^(?:in )?(?:the )?'?(1[89]|20)?(\d)0'?s$/.exec(typed) ?? []
  if (tens !== undefined) return Number(`${century ?? (tens === '0' ? '20' : '19')}${tens}0`)
  const named = decades.indexOf(/^(?:in )?(?:the )?(\p{L}+)$/u.exec(typed)?.[1] ?? '')
  return named === -1 ? undefined : 1920 + named * 10
}

/** The last digit of "195?" or "195x". */
function readUnknownDigit(typed: string): number | undefined {
  const [, known] = /^(?:in )?(1[89]\d|20\d)[?x_]$/.exec(typed) ?? []
  return known === undefined ? undefined : Number(known) * 10
}

/** A day or month, in digits or words. */
function readDay(typed: string, context: Context): CalendarDate | undefined {
  const { language, today } = context
  const relative = relativeDay(typed, today, language)
  if (relative !== undefined) return ofParts(relative.split('-').map(Number))
  const iso = /^(\d{4})[-/.](\d{1,2})(?:[-/.](\d{1,2}))?$/.exec(typed)
  if (iso) return ofParts(iso.slice(1).map(Number))
  const [, month, yearOfMonth] = /^(\d{1,2})[./](\d{4})$/.exec(typed) ?? []
  if (month !== undefined) return ofParts([Number(yearOfMonth), Number(month)])
  const [, first = '', separator, second = '', year] = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4}|\d\d)$/.exec(typed) ?? []
  if (year !== undefined) {
    const fullYear = year.length === 2 ? inCentury(year, today) : Number(year)
    const monthFirst = separator === '/' && writesMonthFirst(language)
    const [month, day] = (monthFirst ? [first, second] : [second, first]).map(Number) as [number, number]
    // There is no 13th month: 4/13/1990 can only be read one way.
    return ofParts(month > 12 ? [fullYear, day, month] : [fullYear, month, day])
  }
  return ofParts(readWords(typed, context))
}

function relativeDay(typed: string, today: string, language: string | undefined): string | undefined {
  const relative = [language, 'en'].map(name => new Intl.RelativeTimeFormat(name, { numeric: 'auto' }))
  const daysAgo = [0, 1].find(days =>
    relative.some(format => format.format(-days, 'day').toLocaleLowerCase(language) === typed),
  )
  return daysAgo === undefined ? undefined : daysBefore(today, daysAgo)
}

function writesMonthFirst(language: string | undefined): boolean {
  const parts = new Intl.DateTimeFormat(language, { dateStyle: 'short' }).formatToParts(0).map(({ type }) => type)
  return parts.indexOf('month') < parts.indexOf('day')
}

/** Year, month and, where there is one, day, of a text with the name of a month. The day of the week adds nothing. */
function readWords(typed: string, context: Context): number[] {
  const { today } = context
  const words = typed.split(/[\s,.]+/).filter(word => word !== '' && word !== 'of' && word !== 'in')
  const months = words.map(word => monthNamed(word, context))
  const numbers = words
    .filter((word, i) => months[i] === undefined && !isWeekday(word, context))
    .map(word => word.replace(/(?<=\d)(st|nd|rd|th)$/, ''))
  const full = numbers.findIndex(number => /^\d{4}$/.test(number))
  const last = numbers.at(-1) ?? ''
  // "12 Mar 81", "Mar 81"; but "12 Mar" has no year.
  const isShort = full === -1 && /^\d\d$/.test(last) && (numbers.length > 1 || Number(last) > 31)
  const year = isShort ? inCentury(last, today) : Number(numbers[full])
  const days = numbers.filter((_, i) => i !== (isShort ? numbers.length - 1 : full))
  const known = months.filter(month => month !== undefined)
  if (Number.isNaN(year) || known.length !== 1 || days.length > 1 || !days.every(day => /^\d{1,2}$/.test(day)))
    return []
  return [year, ...known, ...days].map(Number)
}

function monthNamed(word: string, context: Context): number | undefined {
  const found = indexOfName(word, context, { month: 'long' }, months)
  return found === undefined ? undefined : found + 1
}

function isWeekday(word: string, context: Context): boolean {
  return indexOfName(word, context, { weekday: 'long' }, weekdays) !== undefined
}

const months = Array.from({ length: 12 }, (_, i) => Date.UTC(2000, i, 1))
const weekdays = Array.from({ length: 7 }, (_, i) => Date.UTC(2000, 0, i + 1))

/** Of a name, or its beginning of at least three letters, in the person's language or another one. */
function indexOfName(
  word: string,
  { language, otherLanguages }: Context,
  part: Intl.DateTimeFormatOptions,
  dates: readonly number[],
): number | undefined {
  if (!/^\p{L}{3,}$/u.test(word)) return undefined
  for (const name of [language, ...otherLanguages]) {
    const index = namesOf(name, part, dates).findIndex(known => known.startsWith(word))
    if (index !== -1) return index
  }
  return undefined
}

function ofParts([year, month, day]: number[]): CalendarDate | undefined {
  if (year === undefined || month === undefined || Number.isNaN(year + month)) return undefined
  const dayKnown = day !== undefined && !Number.isNaN(day)
  const text = [year, month, ...(dayKnown ? [day] : [])].map(part => String(part).padStart(2, '0')).join('-')
  const date = parseEdtf(text)
  return date?.precision === 'day' || date?.precision === 'month' ? date : undefined
}

const names = new Map<string, readonly string[]>()

/** Formatters are slow to make. */
function namesOf(language: string | undefined, part: Intl.DateTimeFormatOptions, dates: readonly number[]) {
  const key = `${language} ${JSON.stringify(part)}`
  const known = names.get(key)
  if (known) return known
  const format = new Intl.DateTimeFormat(language, { ...part, timeZone: 'UTC' })
  const found = dates.map(date => format.format(date).toLocaleLowerCase(language))
  names.set(key, found)
  return found
}

/** The day on the person's calendar, as in "2026-11-17". Also computed in index.html. */
export function currentDay(now = new Date()): string {
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map(part => String(part).padStart(2, '0')).join('-')
}

function daysBefore(day: string, count: number): string {
  return new Date(Date.parse(day) - count * DAY).toISOString().slice(0, 10)
}
