import { DAY } from '#contract/limits.ts'
import type { DateSource } from '#contract/media.ts'
import { type DatePrecision, type PhotoMetadata, parseWallClock, type WallClock } from '#contract/metadata.ts'
import type { NewMedia } from '../db/schema.ts'
import { searchable } from '../kit/searchable.ts'
import { dateFromName } from '../processing/dates/date-from-name.ts'
import type { PartialDate } from '../processing/dates/date-from-tags.ts'
import { timeZoneAt, wallClockIn } from '../processing/dates/time-zones.ts'
import { naturalSortKey } from './search-text.ts'

/** The values from which the descriptive columns of a media row are derived. */
export interface MediaFacts {
  name: string
  /** The name at upload, if it was renamed since. */
  uploadedName?: string | null
  metadata: PhotoMetadata | null
  /** When it was taken, by the camera's clock. */
  takenAt: WallClock | null
  /** Instead of `takenAt` when only the year, month or day is known. */
  takenOn?: PartialDate | null
  /** Whether the date comes from an XMP sidecar rather than from the file. */
  fromSidecar?: boolean
  location: string | null
  camera: string | null
  /** Modification time of the file on the client's disk, if known. */
  fileDate: number | null
  uploadedAt: number
  /** Time zone for files without a position. */
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

/** All derived columns together, so that an update cannot forget one of them. */
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

/** The date a file is listed under: from metadata, else its name, else its modification time, else the upload. */
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

/** Wall clock at the file's position, or in the home time zone. */
function toLocalTime({ metadata, homeTimeZone }: MediaFacts, moment: number): number {
  const { latitude, longitude } = metadata ?? {}
  const place = latitude != null && longitude != null ? timeZoneAt(latitude, longitude) : undefined
  const clock = wallClockIn(place ?? homeTimeZone, moment)
  return clock ? asIfUtc(clock) : moment
}

/** When it was taken, according to the client's metadata. */
export function takenAtByClient(metadata: PhotoMetadata | null): WallClock | null {
  const text = metadata?.dateTimeOriginal ?? metadata?.dateTimeDigitized
  return (text ? parseWallClock(text) : undefined) ?? null
}

const OLDEST_PHOTOGRAPH = Date.UTC(1826, 0)

/** Clients can send any date, and one in the far future would stay at the top of the gallery. */
function plausibleDate(date: number | null, uploadedAt: number): number | null {
  return date !== null && date >= OLDEST_PHOTOGRAPH && date <= uploadedAt + 365 * DAY ? date : null
}
