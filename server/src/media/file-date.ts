import { boundsOf, formatEdtf, type KnownDate, listedDate, parseEdtf, UNKNOWN_DATE, undated } from '#contract/edtf.ts'
import { DAY } from '#contract/limits.ts'
import type { DateSource } from '#contract/media.ts'
import type { DatePrecision, PhotoMetadata, WallClock } from '#contract/metadata.ts'
import type { MediaRow, NewMedia } from '../db/schema.ts'
import { dateFromName, dateWrittenInName } from '../processing/dates/date-from-name.ts'
import type { PartialDate } from '../processing/dates/date-from-tags.ts'
import { timeZoneAt, wallClockIn } from '../processing/dates/time-zones.ts'
import { isDigital, isScan, isUnset } from '../processing/dates/unset-clocks.ts'

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
  /** When the file itself says that it was changed. */
  modifiedAt?: WallClock | null
  isVideo?: boolean
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

/**
 * The date of a file: from metadata, else its name, else when it was changed, by itself or by its modification time. The
 * upload's is no date of a photo.
 */
export function findDate(known: DateFacts): FoundDate {
  const { takenAt: taken, takenOn, uploadedAt } = known
  const source = known.fromSidecar ? 'sidecar' : 'metadata'
  if (known.edtf && !isAhead(earliestOf(known.edtf), uploadedAt)) return { edtf: known.edtf, source }
  if (taken && !isDoubtful(taken, known)) return { edtf: taken.local, source }
  if (takenOn && !isAhead(asIfUtc(takenOn), uploadedAt))
    return { edtf: truncate(takenOn.local, takenOn.precision), source }
  const named = dateInName(known)
  if (named !== undefined && !isAhead(earliestOf(named), uploadedAt)) return { edtf: named, source: 'name' }
  const { modifiedAt } = known
  if (modifiedAt && isBelievableChange(asIfUtc(modifiedAt), known))
    return { edtf: modifiedAt.local, source: 'modified' }
  const own = believableFileDate(known)
  return own === null ? { edtf: null, source: null } : { edtf: toLocalTime(known, own), source: 'file' }
}

/** "1974 July" is more exact than the year that it begins with. */
function dateInName(known: DateFacts): string | undefined {
  const name = known.uploadedName ?? known.name
  const found = dateFromName(name)
  const written = found && found.precision !== 'year' ? undefined : dateWrittenInName(name, known.homeTimeZone)
  if (written !== undefined || !found) return written
  return truncate(found.utc ? toLocalTime(known, asIfUtc(found)) : found.local, found.precision)
}

type DateColumns = Required<
  Pick<
    NewMedia,
    | 'date_edtf'
    | 'date_earliest'
    | 'date_latest'
    | 'date_sort'
    | 'heading_rank'
    | 'day'
    | 'date_source'
    | 'date_precision'
  >
>

/** All columns of the date that lists use, from the date that counts. */
export function dateColumns(edtf: string | null, source: DateSource | null, uploadedAt: number): DateColumns {
  const date = edtf === null ? undefined : parseEdtf(edtf)
  const { earliest, latest } = date ? boundsOf(date) : { earliest: null, latest: null }
  return {
    date_edtf: date ? formatEdtf(date) : null,
    date_earliest: earliest,
    date_latest: latest,
    ...(date ? listedDate(date, uploadedAt) : undated(uploadedAt)),
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

/** Whether a camera's clock was surely not set, or is later than the upload. A person's sidecar is no clock. */
function isDoubtful(taken: WallClock, { metadata, uploadedName, name, ...known }: DateFacts): boolean {
  const isClock = !known.fromSidecar && isDigital(metadata, uploadedName ?? name, known.isVideo ?? false)
  return isUnset(taken.local, isClock) || isAhead(asIfUtc(taken), known.uploadedAt)
}

/** Whether the camera's clock was doubtful when the date of a stored file was found. */
export function hasDoubtfulClock(
  row: Pick<MediaRow, 'taken_local' | 'found_source' | 'uploaded_at'>,
): row is typeof row & { taken_local: number } {
  const { taken_local: taken, found_source: source, uploaded_at } = row
  if (taken === null) return false
  const wasBelieved = source === 'metadata' || source === 'sidecar'
  return !wasBelieved || isUnset(wallClock(taken), false) || isAhead(taken, uploaded_at)
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

const FIRST_DIGITAL_CAMERAS = Date.UTC(1990, 0)

/** The modification time, unless it is surely that of a copy. */
function believableFileDate(known: DateFacts): number | null {
  const { fileDate } = known
  return fileDate !== null && isBelievableChange(fileDate, known) ? fileDate : null
}

/** Whether a file was changed when it was taken: not within a day of the upload, of a scan, or before digital cameras. */
function isBelievableChange(changed: number, { uploadedAt, metadata, name, uploadedName }: DateFacts): boolean {
  if (changed < FIRST_DIGITAL_CAMERAS || changed > uploadedAt - DAY || isUnset(wallClock(changed), false)) return false
  return !isScan(metadata, uploadedName ?? name)
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
