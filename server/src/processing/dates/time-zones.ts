import timeZoneLookup from '@photostructure/tz-lookup'
import { DAY } from '#contract/limits.ts'
import { parseWallClock, type WallClock } from '#contract/metadata.ts'

export const MINUTE = 60_000

/** Whether Node knows this time zone: `Europe/Berlin`, `UTC`. */
export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name })
    // Node also accepts bare offsets such as "+02:00", which have no daylight saving time.
    return !/^[+-]/.test(name)
  } catch {
    return false
  }
}

/** The zone of the machine, as `TZ` or the system sets it. */
export function systemTimeZone(): string {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  return timeZone && isTimeZone(timeZone) ? timeZone : 'UTC'
}

/** The zone of a position, found offline; on the open sea by longitude. */
export function timeZoneAt(latitude: number, longitude: number): string | undefined {
  const zone = timeZoneLookup(latitude, longitude)
  // The zone boundaries may be newer than the zones of this Node.
  return isTimeZone(zone) ? zone : undefined
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** Local time in a zone at a moment (epoch milliseconds), with the offset in force then. */
export function wallClockIn(zone: string, moment: number): WallClock | undefined {
  return wallClockAt(moment, offsetIn(zone, moment))
}

/** Local time at a moment, for an offset from UTC. Undefined before photography. */
export function wallClockAt(moment: number, offsetMinutes: number): WallClock | undefined {
  const local = moment + offsetMinutes * MINUTE
  if (!(Math.abs(local) <= LATEST_MOMENT)) return undefined
  const clock = parseWallClock(new Date(local).toISOString())
  return clock && { ...clock, offsetMinutes }
}

/** Later values cannot be formatted by Date. */
const LATEST_MOMENT = 8.64e15 - DAY

/** The offset of a wall clock in a zone, in minutes. Of an hour that occurs twice it is one of the two. */
export function offsetOfClock(zone: string, local: string): number {
  const asIfUtc = Date.parse(`${local}Z`)
  const near = offsetIn(zone, asIfUtc)
  return offsetIn(zone, asIfUtc - near * MINUTE)
}

function offsetIn(zone: string, moment: number): number {
  if (!(Math.abs(moment) <= LATEST_MOMENT)) return 0
  // Node ignores case, and formatters are large: without this the cache would keep one for every way of writing a name.
  const key = zone.toLowerCase()
  let format = formats.get(key)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
    formats.set(key, format)
  }
  const name = format.formatToParts(moment).find(part => part.type === 'timeZoneName')?.value ?? ''
  // "GMT", "GMT+05:30"; before zones were standardised also "GMT+00:53:28".
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(name) ?? []
  const size = Number(hours ?? 0) * 60 + Number(minutes ?? 0)
  return sign === '-' ? -size : size
}
