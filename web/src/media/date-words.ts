import { boundsOf, type CalendarDate, type KnownDate, neighbour, parseEdtf } from '#contract/edtf.ts'
import { parseWallClock } from '#contract/metadata.ts'
import type { Messages } from '#messages/types.ts'
import { dateFormat } from '../kit/format.ts'
import { texts } from './date-words-texts.ts'

/** Dates in EDTF, as people say them: in the language of the page, with the order of the person's region. */

/** What is not of the page's language and region, as in tests. */
interface Writer {
  language: string | undefined
  words: Messages['date-words']
}

/** How much of an exact date is said. */
export type DateStyle = 'short' | 'long' | 'time'

const styles: Record<DateStyle, Intl.DateTimeFormatOptions> = {
  short: { day: 'numeric', month: 'short', year: 'numeric' },
  long: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  time: { dateStyle: 'full', timeStyle: 'short' },
}

/** As in "12 Feb 2015", "Summer 1974", "About 1950", "1960s", "Before 1939"; null is "Undated". */
export function dateInWords(
  edtf: string | null,
  style: DateStyle = 'short',
  language?: string,
  words: Messages['date-words'] = texts,
): string {
  const date = edtf === null ? undefined : (parseEdtf(edtf) ?? clockAhead(edtf))
  const text = date ? inWords(date, style, { language, words }) : words.undated
  return text.charAt(0).toLocaleUpperCase(language) + text.slice(1)
}

/** From the oldest date to the newest, as in "2 – 14 June 2024", "June – August 2024" or "1960s – 1974". */
export function rangeInWords(
  first: string,
  last: string,
  language?: string,
  words: Messages['date-words'] = texts,
): string {
  const shortest = Math.min(first.length, last.length)
  if (shortest === '1974'.length) return yearsInWords(first.slice(0, 4), last.slice(0, 4), { language, words })
  // Days are local dates: read and written as UTC, so that no time zone moves them.
  const sameMonth = first.slice(0, 7) === last.slice(0, 7)
  const day = sameMonth && shortest === '2026-06-14'.length ? ({ day: 'numeric' } as const) : {}
  const format = dateFormat(language, { ...day, month: 'long', year: 'numeric', timeZone: 'UTC' })
  return format.formatRange(Date.parse(first), Date.parse(last))
}

/** Years or decades. A year within the decade adds nothing to it. */
function yearsInWords(first: string, last: string, { language, words }: Writer): string {
  const decade = [first, last].find(date => date.endsWith('X'))
  if (first === last || (decade !== undefined && first.slice(0, 3) === last.slice(0, 3))) {
    return dateInWords(decade ?? first, 'short', language, words)
  }
  return [first, last].map(date => dateInWords(date, 'short', language, words)).join(' – ')
}

/** What a camera said whose clock is years ahead, which is no date of a photo. */
function clockAhead(text: string): KnownDate | undefined {
  const clock = parseWallClock(text)
  return clock && { precision: 'time', ...clock }
}

function inWords(date: KnownDate, style: DateStyle, writer: Writer): string {
  const { language, words } = writer
  switch (date.precision) {
    case 'unknown':
      return words.undated
    case 'time': {
      const text = write(Date.parse(`${date.local}Z`), styles[style], language)
      return style === 'time' && date.offsetMinutes !== null ? `${text} (${zoneName(date.offsetMinutes)})` : text
    }
    case 'interval':
      return intervalInWords(date.from, date.to, writer)
  }
  const text = calendarInWords(date, style === 'time' ? 'long' : style, writer)
  if (!date.approximate) return text
  if (date.precision === 'decade') return words.about.decade({ year: String(date.year) })
  return date.precision === 'year' ? words.about.year({ year: text }) : words.about.date({ date: text })
}

/** "Before 1939" is stored as up to 1938. */
function intervalInWords(from: CalendarDate | null, to: CalendarDate | null, writer: Writer): string {
  const { words } = writer
  if (from === null) return to === null ? words.undated : words.before({ end: endInWords(neighbour(to, 1), writer) })
  if (to === null) return words.after({ end: endInWords(neighbour(from, -1), writer) })
  return words.between({ from: endInWords(from, writer), to: endInWords(to, writer) })
}

/** After "before", "after", "between" and "and": in German all of them need the dative. */
function endInWords(date: CalendarDate, writer: Writer): string {
  const { ends } = writer.words
  const text = calendarInWords(date, 'short', writer)
  switch (date.precision) {
    case 'decade':
      return ends.decade({ year: String(date.year) })
    case 'season':
      return ends.season({ season: text })
    case 'day':
      return ends.day({ day: text })
    default:
      return text
  }
}

function calendarInWords(date: CalendarDate, style: 'short' | 'long', { language, words }: Writer): string {
  const { precision, year, month = 1, day = 1, season = 1 } = date
  const first = Date.UTC(year, month - 1, day)
  switch (precision) {
    case 'day':
      return write(first, styles[style], language)
    case 'month':
      return write(first, { month: 'long', year: 'numeric' }, language)
    case 'season': {
      const { spring, summer, autumn, winter } = words.seasons
      // A winter is in two years.
      if (season === 4) return winter({ years: `${year - 1}/${String(year).slice(2)}` })
      return { 1: spring, 2: summer, 3: autumn }[season]({ year: String(year) })
    }
    case 'year':
      return write(first, { year: 'numeric' }, language)
    case 'decade':
      return words.decade({ year: String(year) })
  }
}

/** What a date means where its words leave it open: "between June and August 1974". */
export function spanInWords(
  edtf: string,
  language?: string,
  words: Messages['date-words'] = texts,
): string | undefined {
  const date = parseEdtf(edtf)
  if (date === undefined || !('approximate' in date)) return undefined
  const isVague = date.precision === 'season' || date.precision === 'decade'
  if (!isVague && !(date.approximate && date.precision === 'year')) return undefined
  const { earliest, latest } = boundsOf(date)
  if (earliest === null || latest === null) return undefined
  const how: Intl.DateTimeFormatOptions =
    date.precision === 'season' ? { month: 'long', year: 'numeric' } : { year: 'numeric' }
  const [from, to] = [write(earliest, how, language), write(latest, how, language)]
  const sameYear = date.precision === 'season' && sameYearIn(earliest, latest)
  return words.between({ from: sameYear ? write(earliest, { month: 'long' }, language) : from, to })
}

function sameYearIn(a: number, b: number): boolean {
  return new Date(a).getUTCFullYear() === new Date(b).getUTCFullYear()
}

/** Wall clocks are formatted as UTC, so that the browser's time zone does not shift them. */
function write(asIfUtc: number, how: Intl.DateTimeFormatOptions, language: string | undefined): string {
  return dateFormat(language, { ...how, timeZone: 'UTC' }).format(asIfUtc)
}

/** As in UTC, UTC+2 or UTC−3:30. */
function zoneName(minutes: number): string {
  if (minutes === 0) return 'UTC'
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  return `UTC${minutes < 0 ? '−' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`
}

export function isWholeDay(text: string): boolean {
  return text.length === '2026-06-14'.length
}
