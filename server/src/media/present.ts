import { headingOfGroup, UNDATED_LIMIT } from '#contract/edtf.ts'
import { DAY } from '#contract/limits.ts'
import type { MediaFile, MediaFileWithMetadata } from '#contract/media.ts'
import { formatWallClock } from '#contract/metadata.ts'
import type { Person } from '#contract/people.ts'
import { undoableChanges } from '../changes/public.ts'
import type { Database } from '../db/database.ts'
import type { Handle, MediaRow, PartKind } from '../db/schema.ts'
import { toIso } from '../kit/clock.ts'
import type { Storage } from '../storage/storage.ts'
import { noSuchFile } from './edit.ts'
import { hasDoubtfulClock, shownEdtf, wallClock } from './file-date.ts'
import { presentIncomplete } from './incomplete.ts'
import type { ListedRow } from './list.sql.ts'
import { findPart, findPartKeys, findPeople, type PartKeys } from './media.sql.ts'
import { findPlaceCorrection } from './place-corrections.sql.ts'

export interface PresentDeps {
  db: { query: Handle }
  storage: Storage
}

/** Takes two queries, however many rows there are. */
export async function presentAll({ db, storage }: PresentDeps, rows: ListedRow[]): Promise<MediaFile[]> {
  const uploaders = [...new Set(rows.map(row => row.uploaded_by))]
  const [parts, people] = await Promise.all([
    findPartKeys(
      db.query,
      rows.map(row => row.id),
    ),
    findPeople(db.query, uploaders),
  ])
  const personById = new Map(people.map(person => [person.id, person]))
  return rows.flatMap(row => {
    const keys = parts.get(row.id)
    // Deleted for good since its row was read.
    if (!keys) return []
    return present(storage, { row, keys, uploader: personById.get(row.uploaded_by) ?? null })
  })
}

export async function presentOne(deps: PresentDeps, row: ListedRow): Promise<MediaFile> {
  const [file] = await presentAll(deps, [row])
  if (!file) throw noSuchFile()
  return file
}

export async function presentWithMetadata(
  deps: PresentDeps & { db: Database },
  row: MediaRow,
  callerId: number,
): Promise<MediaFileWithMetadata> {
  const { date_source, date_precision, caption_source } = row
  const [clip, date_correction, corrected, undoable] = await Promise.all([
    findPart(deps.db.query, row.id, 'motion'),
    presentCorrection(deps, row),
    findPlaceCorrection(deps.db.query, row.id),
    undoableChanges(deps.db, row.id, callerId),
  ])
  const metadata = row.metadata ? JSON.parse(row.metadata) : null
  const motion_size = clip?.size ?? null
  const doubtful_taken_at = hasDoubtfulClock(row) ? clockOf(row) : null
  const dates = { date_source, date_precision, date_correction, doubtful_taken_at }
  const place_correction = corrected ? presentPlaceCorrection(corrected) : null
  return {
    ...(await presentOne(deps, row)),
    ...dates,
    place_correction,
    caption_source,
    undoable,
    metadata,
    motion_size,
  }
}

async function presentCorrection(
  { db }: PresentDeps,
  row: MediaRow,
): Promise<MediaFileWithMetadata['date_correction']> {
  const { date_source, corrected_by, corrected_at, found_edtf: found, found_source } = row
  if (date_source !== 'person' || corrected_by === null || corrected_at === null) return null
  const [by = null] = await findPeople(db.query, [corrected_by])
  return { by, at: toIso(corrected_at), found, found_source }
}

function presentPlaceCorrection(
  corrected: NonNullable<Awaited<ReturnType<typeof findPlaceCorrection>>>,
): MediaFileWithMetadata['place_correction'] {
  const { person_id: id, username, name, camera_latitude: latitude, camera_longitude: longitude } = corrected
  const camera =
    latitude === null || longitude === null ? null : { latitude, longitude, location: corrected.camera_location }
  return { by: { id, username, name }, at: toIso(corrected.corrected_at), camera }
}

interface ShownFile {
  row: ListedRow
  keys: PartKeys
  uploader: Person | null
}

/** Columns that the contract names alike are copied. The response is parsed by the contract, which removes all others. */
function present(storage: Pick<Storage, 'signedUrl'>, { row, keys, uploader }: ShownFile): MediaFile {
  const url = (kind: PartKind) => {
    const key = keys[kind]
    return key === undefined ? null : storage.signedUrl(key)
  }
  const { original } = keys
  if (original === undefined) throw new Error(`File ${row.id} has no original`)
  const thumbnail = url('thumbnail')
  const [mobile, website, desktop] = [url('mobile'), url('website'), url('desktop')]
  return {
    ...row,
    uploaded_at: toIso(row.uploaded_at),
    uploaded_by: uploader,
    rotation: rotationOf(row),
    url: shownUrl(row, url),
    download_url: storage.signedUrl(original, { download: row.original_name }),
    thumbnail_url: thumbnail,
    variant_urls: thumbnail && mobile && website && desktop ? { thumbnail, mobile, website, desktop } : null,
    motion_url: row.motion_part && url(row.motion_part),
    animated: row.animated === 1,
    first_frame_only: row.animated === 2,
    partly_damaged: row.partly_damaged === 1,
    incomplete: presentIncomplete(row),
    missing: row.missing_at !== null,
    compatible: compatibleVersion(row, url('compatible')),
    taken_at: takenAt(row),
    date: row.date_sort < UNDATED_LIMIT ? null : listedClock(row),
    edtf: shownEdtf(row.date_edtf),
    progress: row.status === 'processing' ? row.progress : null,
  }
}

/** While a video is converted, the original for browsers that play it. */
function shownUrl(
  { shown_part, status, playback_type, missing_at }: ListedRow,
  url: (kind: PartKind) => string | null,
) {
  if (missing_at !== null && shown_part !== 'full') return null
  if (shown_part) return url(shown_part)
  return status === 'processing' && playback_type !== null ? url('original') : null
}

function rotationOf(row: ListedRow): MediaFile['rotation'] {
  const { rotation: saved, variants_rotation: variants, shown_part, animated } = row
  if (saved === 0 && variants === 0) return null
  return { saved, variants, url: shown_part === 'full' && animated !== 1 ? variants : 0 }
}

function compatibleVersion(row: ListedRow, url: string | null): MediaFile['compatible'] {
  const { compatible_progress: progress, compatible_failure: failure_reason } = row
  return url === null && progress === null && failure_reason === null ? null : { url, progress, failure_reason }
}

/** As somebody has corrected it, else as the camera said, unless its clock was surely not set. */
function takenAt(row: ListedRow): string | null {
  if (row.date_source === 'person') return row.date_precision === 'time' ? row.date_edtf : null
  return hasDoubtfulClock(row) ? null : clockOf(row)
}

function clockOf({ taken_local, taken_offset }: Pick<ListedRow, 'taken_local' | 'taken_offset'>): string | null {
  return taken_local === null ? null : formatWallClock({ local: wallClock(taken_local), offsetMinutes: taken_offset })
}

/** Of a less exact date the day in its middle. */
function listedClock({ date_sort, heading_rank }: Pick<ListedRow, 'date_sort' | 'heading_rank'>): string {
  return wallClock(headingOfGroup({ heading_rank }) === 'day' ? date_sort : Math.floor(date_sort / DAY) * DAY)
}
