import {
  type DatePrecision,
  isPossibleClock,
  isPossibleYear,
  parseWallClock,
  type WallClock,
} from '#contract/metadata.ts'
import { dateFromName } from './date-from-name.ts'
import { MINUTE, timeZoneAt, wallClockAt, wallClockIn } from './time-zones.ts'
import { isUnset } from './unset-clocks.ts'

/** Output of exiftool: values by `Group:Tag`. */
export type Tags = Readonly<Record<string, unknown>>

/** A date without a time, as people give it to scans: a year, a month or a day. */
export interface PartialDate {
  /** Its first moment: `1985-07-01T00:00:00`. */
  readonly local: string
  readonly precision: Exclude<DatePrecision, 'time'>
}

/** For finding the time zone of a file whose date is in UTC. */
export interface ZoneHints {
  /** The file's name, which often has the local time. */
  readonly name: string
  readonly latitude?: number | null | undefined
  readonly longitude?: number | null | undefined
  /** Seconds, of a video. */
  readonly duration?: number | null | undefined
  /** Used if the time zone is not known otherwise. */
  readonly homeTimeZone: string
  /** Whether a camera or phone has recorded it: see `isUnset`. */
  readonly isDigital: boolean
}

/** The tags that hold dates. */
export const dateTags = [
  ...['SubSecDateTimeOriginal', 'DateTimeOriginal', 'OffsetTimeOriginal', 'SubSecCreateDate', 'CreateDate'],
  ...['SubSecModifyDate', 'ModifyDate', 'CreationDate', 'CreationDateValue', 'ContentCreateDate', 'MediaCreateDate'],
  ...['DateCreated', 'TimeCreated', 'CreationTime', 'AndroidTimeZone', 'GPSDateTime'],
  ...['HandlerDescription', 'CompressorName'],
]

/** Tags with the local time, best first; most have an offset. */
const localTags = [
  'Composite:SubSecDateTimeOriginal',
  'EXIF:DateTimeOriginal',
  'XMP:DateTimeOriginal',
  'QuickTime:CreationDate',
  'QuickTime:DateTimeOriginal',
  'QuickTime:ContentCreateDate',
  // Sony's camcorders.
  'XML:CreationDateValue',
  'H264:DateTimeOriginal',
  'RIFF:DateTimeOriginal',
  'XMP:DateCreated',
  'IPTC:DateCreated',
  'Composite:SubSecCreateDate',
  'EXIF:CreateDate',
  'XMP:CreateDate',
  'PNG:CreationTime',
  // The first digital cameras of Canon and Sigma write only maker notes.
  'MakerNotes:DateTimeOriginal',
  'SigmaRaw:DateTimeOriginal',
]

/** Tags that are in UTC by their format's definition, without an offset. */
const utcTags = [
  'Matroska:DateTimeOriginal',
  'ASF:CreationDate',
  'QuickTime:MediaCreateDate',
  'QuickTime:CreateDate',
  'Composite:GPSDateTime',
]

/** When a file was taken, according to its tags. A clock that was surely not set is returned if there is no other date. */
export function dateFromTags(tags: Tags, hints: ZoneHints): WallClock | PartialDate | null {
  let doubtful: WallClock | null = null
  for (const found of datesInTags(tags, hints)) {
    if ('precision' in found || (isPossibleClock(found) && !isUnset(found.local, hints.isDigital))) return found
    doubtful ??= found
  }
  return doubtful
}

/** Best first. */
function* datesInTags(tags: Tags, hints: ZoneHints): Generator<WallClock | PartialDate> {
  for (const tag of localTags) {
    const text = textOf(tags, tag)
    const clock = parseWallClock(text)
    const local = clock && (isUtcInVideo(tag, text) ? inLocalTime(clock, tags, hints) : withOffset(clock, tag, tags))
    // Movies and songs store their year of publication there.
    const partial = tag === 'QuickTime:ContentCreateDate' ? undefined : parsePartialDate(text)
    const found = local ?? partial
    if (found) yield found
  }
  for (const tag of utcTags) {
    const clock = parseWallClock(textOf(tags, tag))
    const local = clock && inLocalTime(clock, tags, hints)
    if (local) yield local
  }
}

function textOf(tags: Tags, tag: string): string {
  const text = String(tags[tag] ?? '')
  if (tag === 'IPTC:DateCreated') return withIptcTime(text, String(tags['IPTC:TimeCreated'] ?? ''))
  // Camcorders append "DST" to an offset that already includes it.
  return text.replace(/ DST$/, '')
}

/** IPTC stores day and time in two fields; programs that know only the day write midnight. */
function withIptcTime(day: string, time: string): string {
  return time === '' || time.startsWith('00:00:00') ? day : `${day} ${time}`
}

/** Converters write the UTC time of the movie header where phones write their local time. */
function isUtcInVideo(tag: string, text: string): boolean {
  return tag.startsWith('QuickTime:') && text.endsWith('Z')
}

/** exiftool joins date and offset, but does not parse offsets like "GMT+02:00". */
function withOffset(clock: WallClock, tag: string, tags: Tags): WallClock {
  if (clock.offsetMinutes !== null || !/^(?:EXIF:|Composite:SubSec)DateTimeOriginal$/.test(tag)) return clock
  const offset = textOf(tags, 'EXIF:OffsetTimeOriginal')
  return parseWallClock(`${clock.local}${offset}`) ?? clock
}

/** When the file was changed, which is all that some cameras write. Not that of XMP, which programs update. */
export function modifiedAt(tags: Tags): WallClock | null {
  const texts = ['Composite:SubSecModifyDate', 'EXIF:ModifyDate'].map(tag => textOf(tags, tag))
  return texts.map(text => parseWallClock(text)).find(clock => clock !== undefined) ?? null
}

const PARTIAL = /^(\d{4})(?:[-:](\d\d|\s\s)(?:[-:](\d\d|\s\s))?)?(?:[T\s][\s:0]*)?$/

/** `1985`, `1985-07`, `1985:07:12`; unknown months and days may be 00 or blank. */
export function parsePartialDate(text: string): PartialDate | undefined {
  const [, year = '', month = '', day = ''] = PARTIAL.exec(text) ?? []
  if (!isPossibleYear(Number(year))) return undefined
  if (isUnknown(month)) {
    return isUnknown(day) ? { local: `${year}-01-01T00:00:00`, precision: 'year' } : undefined
  }
  const local = `${year}-${month}-${isUnknown(day) ? '01' : day}T00:00:00`
  const date = new Date(`${local}Z`)
  // `Date` accepts 31 February and normalises it to another day.
  if (Number.isNaN(date.getTime()) || !date.toISOString().startsWith(local)) return undefined
  if (isUnknown(day)) return { local, precision: 'month' }
  return local === '1970-01-01T00:00:00' ? undefined : { local, precision: 'day' }
}

function isUnknown(digits: string): boolean {
  return digits.trim() === '' || digits === '00'
}

/** Time zone as recorded by the phone, else of the position, else derived from the file name, else the home time zone. */
function inLocalTime({ local }: WallClock, tags: Tags, hints: ZoneHints): WallClock | null {
  if (hasLocalClock(tags)) return { local, offsetMinutes: null }
  const moment = Date.parse(`${local}Z`)
  const ownOffset = parseWallClock(`${local}${textOf(tags, 'QuickTime:AndroidTimeZone')}`)?.offsetMinutes
  const { latitude, longitude } = hints
  const place = latitude != null && longitude != null ? timeZoneAt(latitude, longitude) : undefined
  const found =
    ownOffset != null
      ? wallClockAt(moment, ownOffset)
      : place
        ? wallClockIn(place, moment)
        : (byName(moment, hints) ?? wallClockIn(hints.homeTimeZone, moment))
  return found ?? null
}

/** GoPro cameras do not know the time zone and write local time where the format requires UTC. */
function hasLocalClock(tags: Tags): boolean {
  const fromCamera = ['QuickTime:HandlerDescription', 'QuickTime:CompressorName'].map(tag => textOf(tags, tag))
  return fromCamera.some(text => /^\s*GoPro\b/.test(text))
}

const QUARTER = 15 * MINUTE
const LARGEST_OFFSET = 14 * 60
/** A phone names the file a little before or after it writes the header. */
const SLACK = 90_000

/** The name contains the local start time, the header the start or end in UTC; the difference is the offset. */
function byName(moment: number, { name, duration }: ZoneHints): WallClock | undefined {
  const named = dateFromName(name)
  if (named?.precision !== 'time' || named.utc) return undefined
  const local = Date.parse(`${named.local}Z`)
  for (const beginning of [moment, moment - (duration ?? 0) * 1_000]) {
    const difference = local - beginning
    const offset = Math.round(difference / QUARTER) * QUARTER
    if (Math.abs(difference - offset) > SLACK || Math.abs(offset) > LARGEST_OFFSET * MINUTE) continue
    return wallClockAt(moment, offset / MINUTE)
  }
  return undefined
}
