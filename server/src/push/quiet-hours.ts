import { MINUTE } from '#contract/limits.ts'
import { wallClockIn } from '../processing/dates/time-zones.ts'

const DAY_MINUTES = 24 * 60

export interface QuietHours {
  /** Minutes of the day; null: none. */
  quiet_from: number | null
  quiet_until: number | null
  time_zone: string
}

/** In epoch milliseconds. */
export interface QuietTime {
  since: number
  end: number
}

/** When the quiet hours that contain this moment began and end; undefined outside of them. */
export function quietHoursAt(
  { quiet_from: from, quiet_until: until, time_zone }: QuietHours,
  now: number,
): QuietTime | undefined {
  if (from === null || until === null || from === until) return undefined
  const local = wallClockIn(time_zone, now)?.local
  if (local === undefined) return undefined
  const minute = Number(local.slice(11, 13)) * 60 + Number(local.slice(14, 16))
  const isQuiet = from < until ? minute >= from && minute < until : minute >= from || minute < until
  if (!isQuiet) return undefined
  // On the day on which the clocks change this is an hour off; it is looked at once more at the end.
  const thisMinute = Math.floor(now / MINUTE) * MINUTE
  return {
    since: thisMinute - minutesFrom(from, minute) * MINUTE,
    end: thisMinute + minutesFrom(minute, until) * MINUTE,
  }
}

/** From one time of day to the next other. */
function minutesFrom(from: number, to: number): number {
  return (to - from + DAY_MINUTES) % DAY_MINUTES
}
