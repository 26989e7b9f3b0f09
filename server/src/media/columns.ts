import { type PhotoMetadata, parseWallClock, type WallClock } from '#contract/metadata.ts'
import type { NewMedia } from '../db/schema.ts'
import { searchable } from '../kit/searchable.ts'
import { naturalKey } from './words.ts'

/** What is known of a file besides its bytes. */
export interface Known {
  name: string
  metadata: PhotoMetadata | null
  /** When it was taken, by the camera's clock. */
  taken: WallClock | null
  location: string | null
  camera: string | null
  /** The file's own date, where a client or a disk knows it. */
  fileDate: number | null
  uploadedAt: number
}

type Described = Pick<
  NewMedia,
  | 'taken_local'
  | 'taken_offset'
  | 'date_sort'
  | 'day'
  | 'latitude'
  | 'longitude'
  | 'location'
  | 'location_sort'
  | 'camera'
  | 'metadata'
  | 'name_sort'
>

const DAY = 86_400_000

/** Every column that follows from what is known, so that none of them can be forgotten when it changes. */
export function columnsFor(known: Known): Described {
  const { metadata, location, camera } = known
  const taken = known.taken && Date.parse(`${known.taken.local}Z`)
  const date = taken ?? plausible(known.fileDate, known.uploadedAt) ?? known.uploadedAt
  return {
    taken_local: taken,
    taken_offset: known.taken?.offsetMinutes ?? null,
    date_sort: date,
    day: Math.floor(date / DAY),
    latitude: metadata?.latitude ?? null,
    longitude: metadata?.longitude ?? null,
    location,
    location_sort: searchable(location ?? ''),
    camera,
    metadata: metadata && JSON.stringify(metadata),
    name_sort: naturalKey(known.name),
  }
}

/** When a client says it was taken. */
export function takenBy(metadata: PhotoMetadata | null): WallClock | null {
  const text = metadata?.dateTimeOriginal ?? metadata?.dateTimeDigitized
  return (text ? parseWallClock(text) : undefined) ?? null
}

const OLDEST_PHOTOGRAPH = Date.UTC(1826, 0)

/** Disks and clients say anything; a date that cannot be would stand at the top of the gallery for ever. */
function plausible(date: number | null, uploadedAt: number): number | null {
  return date !== null && date >= OLDEST_PHOTOGRAPH && date <= uploadedAt + 365 * DAY ? date : null
}
