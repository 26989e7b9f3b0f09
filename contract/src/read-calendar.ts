import {
  anyOf,
  decadesByName,
  holidaysByName,
  languagesWithWords,
  monthsByName,
  plain,
  seasonsByName,
  setOf,
} from './date-words/lookup.ts'
import { boundsOf, type CalendarDate, parseEdtf, type Season } from './edtf.ts'
import { dayOfHoliday } from './holidays.ts'
import { DAY } from './limits.ts'

/** Who reads a date, and when. */
export interface Context {
  language: string | undefined
  otherLanguages: readonly string[]
  today: string
}

const FILLERS = setOf('fillers')
const WEEKDAYS = setOf('weekdays')
/** What a date begins with, as in "am", "in the" and "in den". */
export const LEADS = new RegExp(`^(?:(?:${anyOf('leads')}|${anyOf('fillers')}) )+`)
/** "Summer 1974", "winter 1974/75", "new year's eve 1999", "2. Weihnachtstag 1985". */
const NAME_AND_YEAR = /^((?:\S+ ){0,2}?[\p{L}']+),? (\d{4}|\d\d)(?:[/-](\d\d(?:\d\d)?))?$/u
const LAST_SEASON = new RegExp(`^${anyOf('last')} (\\p{L}+)$`, 'u')
const DECADE = new RegExp(`^'?(1[89]|20)?(\\d)0${anyOf('decadeEndings')}$`)
const ORDINAL = new RegExp(`(?<=\\d)${anyOf('ordinals')}$`)

/** A day, month, season, year or decade, of a text in plain words (`plain`). */
export function readCalendar(text: string, context: Context): CalendarDate | undefined {
  const typed = text
    .trim()
    .replace(LEADS, '')
    .split(' ')
    .filter(word => !FILLERS.has(word))
    .join(' ')
  const exact = { approximate: false } as const
  if (/^\d{4}$/.test(typed)) return { precision: 'year', year: Number(typed), ...exact }
  const decade = readDecade(typed) ?? readUnknownDigit(typed)
  if (decade !== undefined) return { precision: 'decade', year: decade, ...exact }
  return readSeasonOrHoliday(typed, context) ?? readDay(typed, context)
}

function readSeasonOrHoliday(typed: string, { today }: Context): CalendarDate | undefined {
  const lastOne = seasonsByName.get(LAST_SEASON.exec(typed)?.[1] ?? '')
  if (lastOne !== undefined) return lastSeason(lastOne, today)
  // "1974 summer" is "summer 1974".
  const inOrder = typed.replace(/^(\d{4}),? (\p{L}+)$/u, '$2 $1')
  const [, name = '', first = '', second] = NAME_AND_YEAR.exec(inOrder) ?? []
  const year = first.length === 2 ? inCentury(first, today) : Number(first)
  const holiday = second === undefined ? holidaysByName.get(name.replaceAll("'", '')) : undefined
  if (holiday !== undefined) return { precision: 'day', year, ...dayOfHoliday(holiday, year) }
  const season = seasonsByName.get(name)
  if (season === undefined || (second !== undefined && season !== 4)) return undefined
  // The winter of 1974/75 counts as that of 1975.
  return { precision: 'season', season, year: year + (second === undefined ? 0 : 1), approximate: false }
}

/** The one that ended last, in this year or the one before. */
function lastSeason(season: Season, today: string): CalendarDate {
  const year = Number(today.slice(0, 4))
  const thisYear: CalendarDate = { precision: 'season', season, year, approximate: false }
  const hasEnded = (boundsOf(thisYear).latest ?? 0) < Date.parse(today)
  return hasEnded ? thisYear : { ...thisYear, year: year - 1 }
}

/** The year of "74" that is not in the future. */
export function inCentury(short: string, today: string): number {
  const year = Math.floor(Number(today.slice(0, 4)) / 100) * 100 + Number(short)
  return year > Number(today.slice(0, 4)) ? year - 100 : year
}

/** "60s", "1960s", "sixties". The twenties are those of the last century, the 00s those of this one. */
function readDecade(typed: string): number | undefined {
  const [, century, tens] = DECADE.exec(typed) ?? []
  if (tens !== undefined) return Number(`${century ?? (tens === '0' ? '20' : '19')}${tens}0`)
  return decadesByName.get(typed)
}

/** The last digit of "195?" or "195x". */
function readUnknownDigit(typed: string): number | undefined {
  const [, known] = /^(1[89]\d|20\d)[?x_]$/.exec(typed) ?? []
  return known === undefined ? undefined : Number(known) * 10
}

/** A day or month, in digits or words. */
function readDay(text: string, context: Context): CalendarDate | undefined {
  const { language, today } = context
  const typed = withoutWeekday(text, context)
  const relative = relativeDay(typed, context)
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

function relativeDay(typed: string, context: Context): string | undefined {
  const daysAgo = [0, 1, 2].find(days => allLanguages(context).some(language => daysAgoIn(language, days) === typed))
  return daysAgo === undefined ? undefined : daysBefore(context.today, daysAgo)
}

function writesMonthFirst(language: string | undefined): boolean {
  const parts = new Intl.DateTimeFormat(language, { dateStyle: 'short' }).formatToParts(0).map(({ type }) => type)
  return parts.indexOf('month') < parts.indexOf('day')
}

/** Year, month and, where there is one, day, of a text with the name of a month. The day of the week adds nothing. */
function readWords(typed: string, context: Context): number[] {
  const { today } = context
  const words = typed.split(/[\s,.]+/).filter(word => word !== '')
  const months = words.map(word => monthNamed(word, context))
  const numbers = words
    .filter((word, i) => months[i] === undefined && !isWeekday(word, context))
    .map(word => word.replace(ORDINAL, ''))
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
  const found = indexOfBeginning(word, allLanguages(context), 'month')
  return found === undefined ? monthsByName.get(word) : found + 1
}

/** The names of days in another language begin like names of people: "Sam", "Don". They have to be whole. */
function isWeekday(word: string, context: Context): boolean {
  return (
    indexOfBeginning(word, ownLanguages(context), 'weekday') !== undefined ||
    languagesWithWords.some(language => namesOf(language, 'weekday').includes(word)) ||
    WEEKDAYS.has(word)
  )
}

/** "Thursday, 12/02/2015", "Do. 12.2.2015". */
function withoutWeekday(typed: string, context: Context): string {
  const [all = '', word = ''] = /^(\p{L}+)(?:\.,?|,)? (?=\d)/u.exec(typed) ?? []
  // In French "mar" is March and Tuesday.
  if (monthNamed(word, context) !== undefined) return typed
  const isShort = languagesWithWords.some(language => namesOf(language, 'weekday', 'short').includes(word))
  return isShort || isWeekday(word, context) ? typed.slice(all.length) : typed
}

function ownLanguages({ language, otherLanguages }: Context): (string | undefined)[] {
  return [language, ...otherLanguages, 'en']
}

function allLanguages(context: Context): (string | undefined)[] {
  return [...new Set([...ownLanguages(context), ...languagesWithWords])]
}

/** Of a name, or its beginning of at least three letters, in the first language that has one. */
function indexOfBeginning(
  word: string,
  languages: readonly (string | undefined)[],
  part: 'month' | 'weekday',
): number | undefined {
  if (!/^\p{L}{3,}$/u.test(word)) return undefined
  for (const language of languages) {
    const index = namesOf(language, part).findIndex(known => known.startsWith(word))
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

const datesWithNames = {
  month: Array.from({ length: 12 }, (_, i) => Date.UTC(2000, i, 1)),
  weekday: Array.from({ length: 7 }, (_, i) => Date.UTC(2000, 0, i + 1)),
}

/** Formatters are slow to make. */
const names = new Map<string, readonly string[]>()

function namesOf(language: string | undefined, part: 'month' | 'weekday', length: 'long' | 'short' = 'long') {
  return cached(`${language} ${part} ${length}`, () => {
    const format = new Intl.DateTimeFormat(language, { [part]: length, timeZone: 'UTC' })
    return datesWithNames[part].map(date => plain(format.format(date), language))
  })
}

/** "Today", "yesterday" and, in some languages, a word for the day before it. */
function daysAgoIn(language: string | undefined, days: number): string | undefined {
  return cached(`${language} days ago`, () => {
    const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
    return [0, 1, 2].map(ago => plain(format.format(-ago, 'day'), language))
  })[days]
}

function cached(key: string, make: () => readonly string[]): readonly string[] {
  const known = names.get(key) ?? make()
  names.set(key, known)
  return known
}

function daysBefore(day: string, count: number): string {
  return new Date(Date.parse(day) - count * DAY).toISOString().slice(0, 10)
}
