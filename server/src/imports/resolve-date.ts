import type { WallClock } from '#contract/metadata.ts'
import { dateFromName, dateWrittenInName } from '../processing/dates/date-from-name.ts'
import { MINUTE, timeZoneAt, wallClockIn } from '../processing/dates/time-zones.ts'
import type { ImportedDate } from './plan.ts'

interface KnownOfFile {
  name?: string
  takenAt: WallClock | null
  takenOn?: object | null
  latitude?: number | null | undefined
  longitude?: number | null | undefined
  homeTimeZone: string
}

/** The date of a source in EDTF; undefined where that of the file counts. */
export function resolveDate(date: ImportedDate, known: KnownOfFile): string | undefined {
  if ('edtf' in date) return date.edtf
  const { takenAt, takenOn, name } = known
  const isDated = takenAt !== null || takenOn != null || (name !== undefined && isNamed(name, known.homeTimeZone))
  if (date.uncertain) return isDated ? undefined : `${wallClock(date.moment, known).slice(0, 10)}~`
  // The same moment, and the camera's clock knows its time zone better.
  if (takenAt && isSameMoment(Date.parse(`${takenAt.local}Z`), date.moment)) return undefined
  return wallClock(date.moment, known)
}

function isNamed(name: string, homeTimeZone: string): boolean {
  return (dateFromName(name) ?? dateWrittenInName(name, homeTimeZone)) !== undefined
}

const QUARTER_HOUR = 15 * MINUTE
const LARGEST_OFFSET = 14 * 4 * QUARTER_HOUR
/** Sources drop fractions of seconds, or round them. */
const TOLERANCE = 1_000

/** Whether a clock of unknown offset can be this moment: offsets are whole quarter hours. */
function isSameMoment(clock: number, moment: number): boolean {
  const difference = Math.abs(clock - moment)
  const remainder = difference % QUARTER_HOUR
  return difference <= LARGEST_OFFSET + TOLERANCE && Math.min(remainder, QUARTER_HOUR - remainder) <= TOLERANCE
}

/** At the file's place, or at home. */
function wallClock(moment: number, { latitude, longitude, homeTimeZone }: KnownOfFile): string {
  const zone = latitude != null && longitude != null ? timeZoneAt(latitude, longitude) : undefined
  const local = wallClockIn(zone ?? homeTimeZone, moment)?.local ?? new Date(moment).toISOString().slice(0, -1)
  return local.slice(0, '2019-05-12T10:11:12'.length)
}
