import { DAY } from '#contract/limits.ts'
import { dateFormat } from '../kit/format.ts'
import { currentDay, formatFilterDate } from './format.ts'

export interface FilterChoice {
  value: string | number
  label: string
  /** How many files it matches, where that is known. */
  count?: number
}

interface TypedDate extends FilterChoice {
  field: 'year' | 'date'
}

interface Reader {
  language?: string | undefined
  /** The current local date. */
  today?: string
}

/** The day, month or year that a text names, as people write them: "May 2019", "12 Feb 2015", "2019", "yesterday". */
export function readTypedDate(text: string, { language, today = currentDay() }: Reader = {}): TypedDate | null {
  const typed = text.trim().toLocaleLowerCase(language)
  if (typed === '') return null
  const day = relativeDay(typed, today, language)
  if (day !== undefined) return ofDate(day, language)
  const numbers = /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?$/.exec(typed) ?? undefined
  if (numbers) return ofParts(numbers.slice(1).map(Number), language)
  const [, first = '', separator, second = '', year] = /^(\d{1,2})([./])(\d{1,2})\2(\d{4})$/.exec(typed) ?? []
  if (year !== undefined) {
    const monthFirst = separator === '/' && writesMonthFirst(language)
    return ofParts([year, ...(monthFirst ? [first, second] : [second, first])].map(Number), language)
  }
  return ofParts(readWords(typed, language), language)
}

function relativeDay(typed: string, today: string, language: string | undefined): string | undefined {
  const relative = [language, 'en'].map(name => new Intl.RelativeTimeFormat(name, { numeric: 'auto' }))
  const daysAgo = [0, 1].find(days =>
    relative.some(format => format.format(-days, 'day').toLocaleLowerCase(language) === typed),
  )
  if (daysAgo === undefined) return
  return new Date(Date.parse(today) - daysAgo * DAY).toISOString().slice(0, 10)
}

function writesMonthFirst(language: string | undefined): boolean {
  const parts = dateFormat(language, { dateStyle: 'short' })
    .formatToParts(0)
    .map(({ type }) => type)
  return parts.indexOf('month') < parts.indexOf('day')
}

/** Year, month and, where there is one, day, of a text with the name of a month. */
function readWords(typed: string, language: string | undefined): number[] {
  const words = typed.split(/[\s,.]+/).filter(Boolean)
  const months = words.map(word => monthNamed(word, language))
  const numbers = words.filter((_, i) => months[i] === undefined).map(word => word.replace(/(?<=\d)(st|nd|rd|th)$/, ''))
  const year = numbers.find(number => /^\d{4}$/.test(number))
  const days = numbers.filter(number => number !== year)
  const known = months.filter(month => month !== undefined)
  if (year === undefined || known.length !== 1 || days.length > 1) return []
  return [year, ...known, ...days].map(Number)
}

/** A name, or its beginning of at least three letters, in the person's language or English. */
function monthNamed(word: string, language: string | undefined): number | undefined {
  if (!/^\p{L}{3,}$/u.test(word)) return
  for (const name of [language, 'en']) {
    const format = dateFormat(name, { month: 'long', timeZone: 'UTC' })
    for (let month = 1; month <= 12; month++) {
      const written = format.format(Date.UTC(2000, month - 1, 1)).toLocaleLowerCase(language)
      if (written.startsWith(word)) return month
    }
  }
}

/** Photography is younger than 1800, and other numbers of four digits are mostly parts of names. */
const EARLIEST_YEAR = 1800
const LATEST_YEAR = 2100

function ofParts([year, month, day]: number[], language: string | undefined): TypedDate | null {
  if (year === undefined || !(year >= EARLIEST_YEAR && year <= LATEST_YEAR)) return null
  if (month === undefined || Number.isNaN(month)) return { field: 'year', value: year, label: String(year) }
  const exact = new Date(Date.UTC(year, month - 1, day || 1))
  if (exact.getUTCMonth() !== month - 1 || (day && exact.getUTCDate() !== day) || day === 0) return null
  return ofDate(exact.toISOString().slice(0, day ? 10 : 7), language)
}

function ofDate(date: string, language: string | undefined): TypedDate {
  return { field: 'date', value: date, label: formatFilterDate(date, language) }
}
