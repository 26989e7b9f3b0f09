import { type PhotoMetadata, parseWallClock } from '#contract/metadata.ts'
import type { NewMedia } from '../db/schema.ts'
import { naturalKey, searchable, searchText } from './words.ts'

/** What is known of a file besides its bytes. */
export interface Known {
  name: string
  metadata: PhotoMetadata | null
  location: string | null
  camera: string | null
  /** The file's own date, where a client or a disk knows it. */
  fileDate: number | null
  uploadedAt: number
  tags?: readonly string[]
  notes?: readonly string[]
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
  | 'search_text'
>

const DAY = 86_400_000

/** Every column that follows from what is known, so that none of them can be forgotten when it changes. */
export function columnsFor(known: Known): Described {
  const { metadata, location, camera } = known
  const taken = takenAt(metadata)
  const date = taken?.local ?? known.fileDate ?? known.uploadedAt
  return {
    taken_local: taken?.local ?? null,
    taken_offset: taken?.offset ?? null,
    date_sort: date,
    day: Math.floor(date / DAY),
    latitude: metadata?.latitude ?? null,
    longitude: metadata?.longitude ?? null,
    location,
    location_sort: searchable(location ?? ''),
    camera,
    metadata: metadata && JSON.stringify(metadata),
    name_sort: naturalKey(known.name),
    search_text: searchText(known),
  }
}

function takenAt(metadata: PhotoMetadata | null): { local: number; offset: number | null } | undefined {
  const text = metadata?.dateTimeOriginal ?? metadata?.dateTimeDigitized
  const clock = text ? parseWallClock(text) : undefined
  return clock && { local: Date.parse(`${clock.local}Z`), offset: clock.offsetMinutes }
}

/** "Canon EOS R5", not "Canon Canon EOS R5". */
export function cameraName(metadata: PhotoMetadata | null): string | null {
  const make = metadata?.make?.trim() ?? ''
  const model = metadata?.model?.trim() ?? ''
  if (!model) return make || null
  const maker = make.split(/\s/)[0] ?? ''
  return model.toLowerCase().startsWith(maker.toLowerCase()) ? model : `${make} ${model}`
}
