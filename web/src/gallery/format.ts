import { DAY } from '#contract/limits.ts'
import { currentDay } from '#contract/read-date.ts'
import { dateFormat } from '../kit/format.ts'
import { locale } from '../kit/messages.ts'
import { dateInWords, isWholeDay } from '../media/date-words.ts'
import { hasMonth } from './layout/days.ts'
import { texts } from './texts.ts'

/**
 * Days are local dates: parsed and formatted as UTC, so that no time zone shifts them. Files whose day is not known have
 * a heading instead: a month, year or decade, or none ("XXXX").
 */

type Style = 'day' | 'narrowDay' | 'dayAndYear' | 'month' | 'narrowMonth' | 'full'

const styles: Record<Style, Intl.DateTimeFormatOptions> = {
  day: { day: 'numeric', month: 'short' },
  narrowDay: { day: 'numeric', month: 'numeric' },
  dayAndYear: { day: 'numeric', month: 'short', year: 'numeric' },
  month: { month: 'short', year: 'numeric' },
  narrowMonth: { month: 'numeric', year: '2-digit' },
  full: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
}

function write(day: string, how: Intl.DateTimeFormatOptions, language: string | undefined): string {
  return dateFormat(language, { ...how, timeZone: 'UTC' }).format(Date.parse(day))
}

interface Reader {
  language?: string
  /** The current local date. */
  today?: string
}

/** The label of a day below the heading of its month, which has the year. */
export function formatDayLabel(day: string, reader: Reader = {}): string {
  if (!isWholeDay(day)) return texts.unknownDay
  const { language, today = currentDay() } = reader
  const daysAgo = (Date.parse(today) - Date.parse(day)) / DAY
  if (daysAgo === 0 || daysAgo === 1) return fromToday(-daysAgo, language)
  return write(day, styles.day, language)
}

/** The label of a day above a photo that is too narrow for the month in words: "15/03". */
export function formatDayWithin(label: string, day: string, width: number, language?: string): string {
  const fits = label.length * LETTER_OF_DAY <= width
  return fits || !isWholeDay(day) ? label : write(day, styles.narrowDay, language)
}

/** The width of a letter of these labels, in rem. */
const LETTER_OF_DAY = 0.45

/** The label of a day below the heading of its year; of some day of a month, the month. */
export function formatDayInYear(day: string, reader: Reader = {}): string {
  if (isWholeDay(day) || !hasMonth(day)) return formatDayLabel(day, reader)
  return write(day, { month: 'long' }, reader.language)
}

function fromToday(days: number, language: string | undefined): string {
  const text = new Intl.RelativeTimeFormat(language ?? locale, { numeric: 'auto' }).format(days, 'day')
  return text.charAt(0).toLocaleUpperCase(language ?? locale) + text.slice(1)
}

export function formatFullDay(day: string, language?: string): string {
  return isWholeDay(day) ? write(day, styles.full, language) : dateInWords(day, 'long', language)
}

export function formatShortDay(day: string, language?: string): string {
  return isWholeDay(day) ? write(day, styles.dayAndYear, language) : dateInWords(day, 'short', language)
}

/** A month as in "2026-06", or another heading. */
export function formatMonth(month: string, language?: string): string {
  return dateInWords(month, 'short', language)
}

/** The widths that "September 2023" and "Sept 2023" need above a photo, in rem. */
const WIDTH_OF = { month: 8.5, shortMonth: 5 }

/** Shorter for narrow photos, because two months may be beside each other: "Sep 2023", or "9/23". */
export function formatMonthWithin(month: string, width: number, language?: string): string {
  if (width >= WIDTH_OF.month || !isMonth(month)) return formatMonth(month, language)
  return write(month, width >= WIDTH_OF.shortMonth ? styles.month : styles.narrowMonth, language)
}

/** Rather than a season, an interval or an approximate month. */
function isMonth(date: string): boolean {
  return /^\d{4}-(0[1-9]|1[0-2])$/.test(date)
}

/** A day, month, season, decade or interval. */
export function formatFilterDate(date: string, language?: string): string {
  return dateInWords(date, 'short', language)
}
