import { chat } from '#contract/limits.ts'
import { dateFormat } from '../kit/format.ts'
import { texts } from './texts.ts'

/** By default the browser's. */
interface LocaleOptions {
  language?: string
  timeZone?: string
}

/** In the list: the time of day for 24 hours, then a short date. */
export function listTime(moment: string, now: number, locale: LocaleOptions = {}): string {
  return now - Date.parse(moment) < chat.timeOfDay ? timeOfDay(moment, locale) : shortDate(moment, now, locale)
}

export function timeOfDay(moment: string, { language, timeZone }: LocaleOptions = {}): string {
  return dateFormat(language, { timeStyle: 'short', timeZone }).format(new Date(moment))
}

/** Above the first message of a day. */
export function dayLabel(moment: string, now: number, locale: LocaleOptions = {}): string {
  const day = dayOf(moment, locale)
  if (day === dayOf(now, locale)) return texts.conversation.today
  if (day === dayBefore(dayOf(now, locale))) return texts.conversation.yesterday
  const { language, timeZone } = locale
  const year = yearIfOther(moment, now, locale)
  const how = { weekday: 'long', day: 'numeric', month: 'long', timeZone, ...year } as const
  return dateFormat(language, how).format(new Date(moment))
}

/** The local calendar day: 2026-06-14. */
export function dayOf(moment: string | number, { timeZone }: LocaleOptions = {}): string {
  // The Swedish format is ISO 8601.
  return dateFormat('sv-SE', { year: 'numeric', month: '2-digit', day: '2-digit', timeZone }).format(new Date(moment))
}

/** When a message was read: the time, with the date if it was not today. */
export function readTime(moment: string, now: number, locale: LocaleOptions = {}): string {
  const time = timeOfDay(moment, locale)
  return dayOf(moment, locale) === dayOf(now, locale) ? time : `${shortDate(moment, now, locale)}, ${time}`
}

function shortDate(moment: string, now: number, locale: LocaleOptions): string {
  const { language, timeZone } = locale
  const how = { day: 'numeric', month: 'short', timeZone, ...yearIfOther(moment, now, locale) } as const
  return dateFormat(language, how).format(new Date(moment))
}

function yearIfOther(moment: string, now: number, locale: LocaleOptions): { year?: 'numeric' } {
  return dayOf(moment, locale).slice(0, 4) === dayOf(now, locale).slice(0, 4) ? {} : { year: 'numeric' }
}

/** By the calendar, because a day may have 23 or 25 hours. */
function dayBefore(day: string): string {
  return new Date(Date.parse(day) - 24 * 3_600_000).toISOString().slice(0, 10)
}
