import { DAY } from '#contract/limits.ts'
import type { DateSource } from '#contract/media.ts'
import { type DatePrecision, type PhotoMetadata, parseWallClock, type WallClock } from '#contract/metadata.ts'
import type { NewMedia } from '../db/schema.ts'
import { searchable } from '../kit/searchable.ts'
import { dateFromName } from '../processing/dates/date-from-name.ts'
import type { PartialDate } from '../processing/dates/date-from-tags.ts'
import { timeZoneAt, wallClockIn } from '../processing/dates/time-zones.ts'
import { naturalSortKey } from './words.ts'

/** What is known of a file besides its bytes. */
export interface MediaFacts {
  name: string
  /** The name it arrived with, where it has another now. */
  uploadedName?: string | null
  metadata: PhotoMetadata | null
  /** When it was taken, by the camera's clock. */
  takenAt: WallClock | null
  /** The same where only the year, the month or the day is known. */
  takenOn?: PartialDate | null
  /** Whether that was read from an XMP sidecar rather than from the file. */
  fromSidecar?: boolean
  location: string | null
  camera: string | null
  /** The file's own date (a moment), where a client or a disk knows it. */
  fileDate: number | null
  uploadedAt: number
  /** The zone in which moments are shown where the file has no place. */
  homeTimeZone: string
}

type DerivedColumns = Pick<
  NewMedia,
  | 'taken_local'
  | 'taken_offset'
  | 'date_sort'
  | 'day'
  | 'date_source'
  | 'date_precision'
  | 'file_date'
  | 'uploaded_name'
  | 'latitude'
  | 'longitude'
  | 'location'
  | 'location_sort'
  | 'camera'
  | 'metadata'
  | 'name_sort'
>

/** Every column that follows from what is known, so that none of them can be forgotten when it changes. */
export function mediaColumns(known: MediaFacts): DerivedColumns {
  const { metadata, location, camera } = known
  const { date, source, precision } = chooseDate(known)
  return {
    taken_local: known.takenAt && asIfUtc(known.takenAt),
    taken_offset: known.takenAt?.offsetMinutes ?? null,
    date_sort: date,
    day: Math.floor(date / DAY),
    date_source: source,
    date_precision: precision,
    file_date: plausibleDate(known.fileDate, known.uploadedAt),
    uploaded_name: known.uploadedName ?? known.name,
    latitude: metadata?.latitude ?? null,
    longitude: metadata?.longitude ?? null,
    location,
    location_sort: searchable(location ?? ''),
    camera,
    metadata: metadata && JSON.stringify(metadata),
    name_sort: naturalSortKey(known.name),
  }
}

interface ListedDate {
  /** A wall clock as if it were UTC. */
  date: number
  source: DateSource
  precision: DatePrecision
}

/** The date a file is listed under: metadata first, then its name, then its own date, then the upload's. */
function chooseDate(known: MediaFacts): ListedDate {
  const { takenAt: taken, takenOn, fileDate, uploadedAt } = known
  const source = known.fromSidecar ? 'sidecar' : 'metadata'
  if (taken) return { date: asIfUtc(taken), source, precision: 'time' }
  if (takenOn) return { date: asIfUtc(takenOn), source, precision: takenOn.precision }
  const named = dateFromName(known.uploadedName ?? known.name)
  if (named) {
    const clock = asIfUtc(named)
    return { date: named.utc ? toLocalTime(known, clock) : clock, source: 'name', precision: named.precision }
  }
  const own = plausibleDate(fileDate, uploadedAt)
  if (own !== null) return { date: toLocalTime(known, own), source: 'file', precision: 'time' }
  return { date: toLocalTime(known, uploadedAt), source: 'upload', precision: 'time' }
}

function asIfUtc({ local }: { readonly local: string }): number {
  return Date.parse(`${local}Z`)
}

/** A moment by the clocks of the place, else of home. */
function toLocalTime({ metadata, homeTimeZone }: MediaFacts, toIso: number): number {
  const { latitude, longitude } = metadata ?? {}
  const place = latitude != null && longitude != null ? timeZoneAt(latitude, longitude) : undefined
  const clock = wallClockIn(place ?? homeTimeZone, toIso)
  return clock ? asIfUtc(clock) : toIso
}

/** When a client says it was taken. */
export function takenAtByClient(metadata: PhotoMetadata | null): WallClock | null {
  const text = metadata?.dateTimeOriginal ?? metadata?.dateTimeDigitized
  return (text ? parseWallClock(text) : undefined) ?? null
}

const OLDEST_PHOTOGRAPH = Date.UTC(1826, 0)

/** Disks and clients say anything; a date that cannot be would stand at the top of the gallery for ever. */
function plausibleDate(date: number | null, uploadedAt: number): number | null {
  return date !== null && date >= OLDEST_PHOTOGRAPH && date <= uploadedAt + 365 * DAY ? date : null
}
