import {
  boundsOf,
  formatEdtf,
  groupOf,
  type KnownDate,
  parseEdtf,
  sortKeyOf,
  UNKNOWN_DATE,
  undatedKey,
} from '#contract/edtf.ts'
import { DAY } from '#contract/limits.ts'
import type { DateSource } from '#contract/media.ts'
import type { DatePrecision, PhotoMetadata, WallClock } from '#contract/metadata.ts'
import type { NewMedia } from '../db/schema.ts'
import { dateFromName } from '../processing/dates/date-from-name.ts'
import type { PartialDate } from '../processing/dates/date-from-tags.ts'
import { timeZoneAt, wallClockIn } from '../processing/dates/time-zones.ts'

/** From which the date of a file is found. */
export interface DateFacts {
  name: string
  /** The name at upload, if it was renamed since. */
  uploadedName?: string | null
  metadata: PhotoMetadata | null
  /** When it was taken, by the camera's clock. */
  takenAt: WallClock | null
  /** Instead of `takenAt` when only the year, month or day is known. */
  takenOn?: PartialDate | null
  /** Instead of both when a sidecar says it in EDTF. */
  edtf?: string | null
  /** Whether the date comes from an XMP sidecar rather than from the file. */
  fromSidecar?: boolean
  /** Modification time of the file on the client's disk, if known. */
  fileDate: number | null
  uploadedAt: number
  /** Time zone for files without a position. */
  homeTimeZone: string
}

/** In EDTF; null: undated. */
export interface FoundDate {
  edtf: string | null
  source: Exclude<DateSource, 'person'> | null
}

/** The date of a file: from metadata, else its name, else its modification time. The upload's is no date of a photo. */
export function findDate(known: DateFacts): FoundDate {
  const { takenAt: taken, takenOn, uploadedAt } = known
  const source = known.fromSidecar ? 'sidecar' : 'metadata'
  if (known.edtf && !isAhead(earliestOf(known.edtf), uploadedAt)) return { edtf: known.edtf, source }
  if (taken && !isDoubtful(asIfUtc(taken), uploadedAt)) return { edtf: taken.local, source }
  if (takenOn && !isAhead(asIfUtc(takenOn), uploadedAt))
    return { edtf: truncate(takenOn.local, takenOn.precision), source }
  const named = dateFromName(known.uploadedName ?? known.name)
  if (named && !isAhead(asIfUtc(named), uploadedAt)) {
    const local = named.utc ? toLocalTime(known, asIfUtc(named)) : named.local
    return { edtf: truncate(local, named.precision), source: 'name' }
  }
  const own = believableFileDate(known)
  return own === null ? { edtf: null, source: null } : { edtf: toLocalTime(known, own), source: 'file' }
}

type DateColumns = Required<
  Pick<NewMedia, 'date_edtf' | 'date_earliest' | 'date_latest' | 'date_sort' | 'day' | 'date_source' | 'date_precision'>
>

/** All columns of the date that lists use, from the date that counts. */
export function dateColumns(edtf: string | null, source: DateSource | null, uploadedAt: number): DateColumns {
  const date = edtf === null ? undefined : parseEdtf(edtf)
  const date_sort = date ? sortKeyOf(date, uploadedAt) : undatedKey(uploadedAt)
  const { earliest, latest } = date ? boundsOf(date) : { earliest: null, latest: null }
  return {
    date_edtf: date ? formatEdtf(date) : null,
    date_earliest: earliest,
    date_latest: latest,
    date_sort,
    day: groupOf(date_sort),
    date_source: date ? source : null,
    date_precision: date ? precisionOf(date) : null,
  }
}

function precisionOf(date: KnownDate): DatePrecision | null {
  const { precision } = date
  if (precision === 'time') return precision
  const exact = precision === 'day' || precision === 'month' || precision === 'year'
  return exact && !date.approximate ? precision : null
}

/** The date as an API client or a person reads it; null: nobody knows. */
export function shownEdtf(edtf: string | null): string | null {
  return edtf === UNKNOWN_DATE ? null : edtf
}

const letters: Record<DatePrecision, number> = { year: 4, month: 7, day: 10, time: 23 }

function truncate(local: string, precision: DatePrecision): string {
  return local.slice(0, letters[precision])
}

const [FIRST_OF_1970, FIRST_OF_1980, FIRST_OF_2000] = [1970, 1980, 2000].map(year => Date.UTC(year, 0)) as [
  number,
  number,
  number,
]
const MINUTE = 60_000

/**
 * Whether a camera's clock was not set: on the first day of 1970 or 1980, at midnight of 2000, or later than the upload.
 * Wall clocks are as if UTC.
 */
export function isDoubtful(taken: number, uploadedAt: number): boolean {
  const within = (start: number, length: number) => taken >= start && taken < start + length
  return (
    within(FIRST_OF_1970, DAY) ||
    within(FIRST_OF_1980, DAY) ||
    within(FIRST_OF_2000, MINUTE) ||
    isAhead(taken, uploadedAt)
  )
}

/** Of a date without a beginning: before all others. */
function earliestOf(edtf: string): number {
  const date = parseEdtf(edtf)
  return (date && boundsOf(date).earliest) ?? Number.NEGATIVE_INFINITY
}

/** Later than the upload, by more than time zones explain. */
function isAhead(taken: number, uploadedAt: number): boolean {
  return taken > uploadedAt + DAY
}

/** Words that scanners and their programs write, and people give to scans. */
const SCANNED = /scan|epson|perfection|opticfilm|plustek|silverfast|vuescan|negativ|\bslides?\b|\bdias?\b/i

const FIRST_DIGITAL_CAMERAS = Date.UTC(1990, 0)

/**
 * The modification time, unless it is surely that of a copy: within a day of the upload, of a scan, or from before
 * digital cameras.
 */
function believableFileDate({ fileDate, uploadedAt, metadata, name, uploadedName }: DateFacts): number | null {
  if (fileDate === null || fileDate < FIRST_DIGITAL_CAMERAS || isDoubtful(fileDate, uploadedAt)) return null
  if (fileDate > uploadedAt - DAY) return null
  const described = [metadata?.make, metadata?.model, metadata?.software, uploadedName ?? name]
  return described.some(text => text != null && SCANNED.test(text)) ? null : fileDate
}

const OLDEST_PHOTOGRAPH = Date.UTC(1826, 0)

/** What is stored of a client's date, which can be any number. */
export function plausibleFileDate({ fileDate, uploadedAt }: DateFacts): number | null {
  const plausible = fileDate !== null && fileDate >= OLDEST_PHOTOGRAPH && fileDate <= uploadedAt + 365 * DAY
  return plausible ? fileDate : null
}

export function asIfUtc({ local }: { readonly local: string }): number {
  return Date.parse(`${local}Z`)
}

/** Wall clock at the file's position, or in the home time zone. */
function toLocalTime({ metadata, homeTimeZone }: DateFacts, moment: number): string {
  const { latitude, longitude } = metadata ?? {}
  const place = latitude != null && longitude != null ? timeZoneAt(latitude, longitude) : undefined
  return (wallClockIn(place ?? homeTimeZone, moment) ?? { local: wallClock(moment) }).local
}

/** Wall clocks are stored as if they were UTC, so the `Z` is dropped. */
export function wallClock(time: number): string {
  const written = new Date(time).toISOString()
  return written.slice(0, written.endsWith('.000Z') ? -5 : -1)
}
