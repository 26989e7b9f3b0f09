import { DAY } from '#contract/limits.ts'
import { dateFormat } from '../kit/format.ts'
import { texts } from './texts.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** Older moments are shown as a date. */
const DATE_AFTER = 7 * DAY

/** Relative for a week, then a date in the person's language and time zone. */
export function relativeTime(moment: string, now: number, language?: string, timeZone?: string): string {
  // The server's clock may be ahead of this one.
  const ago = Math.max(0, now - Date.parse(moment))
  if (ago < MINUTE) return texts.justNow
  if (ago < HOUR) return texts.minutesAgo({ minutes: Math.floor(ago / MINUTE) })
  if (ago < DAY) return texts.hoursAgo({ hours: Math.floor(ago / HOUR) })
  if (ago < DATE_AFTER) return texts.daysAgo({ days: Math.floor(ago / DAY) })
  return dateFormat(language, { dateStyle: 'medium', timeZone }).format(new Date(moment))
}
