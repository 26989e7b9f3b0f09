import { useSyncExternalStore } from 'react'
import { DAY } from '#contract/limits.ts'
import { currentDay } from '#contract/read-date.ts'
import { dateFormat } from '../kit/format.ts'

/** Changes when the page is looked at on another day. */
export function useToday(): string {
  return useSyncExternalStore(onReturn, () => currentDay())
}

function onReturn(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

/** Any leap year: so that all days are there. */
const SOME_YEAR = '2000'

/** As in "17 November". */
export function formatMonthDay(day: string, language?: string): string {
  const format = dateFormat(language, { day: 'numeric', month: 'long', timeZone: 'UTC' })
  return format.format(new Date(`${SOME_YEAR}-${day}`))
}

/** As in "Sunday, 17 November 2019". */
export function formatFullDay(date: string, language?: string): string {
  return dateFormat(language, { dateStyle: 'full', timeZone: 'UTC' }).format(new Date(date))
}

/** The day before or after, of any year. */
export function stepMonthDay(day: string, step: 1 | -1): string {
  return new Date(Date.parse(`${SOME_YEAR}-${day}`) + step * DAY).toISOString().slice(5, 10)
}

export function daysOfMonth(month: number): number {
  return new Date(Date.UTC(Number(SOME_YEAR), month, 0)).getUTCDate()
}

export function monthNames(language?: string): string[] {
  const format = dateFormat(language, { month: 'long', timeZone: 'UTC' })
  return Array.from({ length: 12 }, (_, month) => format.format(Date.UTC(Number(SOME_YEAR), month, 1)))
}
