import { isPossibleClock, type PhotoMetadata, parseWallClock, type WallClock } from '#contract/metadata.ts'
import type { NewMedia } from '../db/schema.ts'
import { searchable } from '../kit/searchable.ts'
import { isUnset } from '../processing/dates/unset-clocks.ts'
import { asIfUtc, type DateFacts, dateColumns, findDate, plausibleFileDate } from './file-date.ts'
import { naturalSortKey } from './search-text.ts'

/** The values from which the descriptive columns of a media row are derived. */
export interface MediaFacts extends DateFacts {
  location: string | null
  camera: string | null
}

type DerivedColumns = Pick<
  NewMedia,
  | 'taken_local'
  | 'taken_offset'
  | 'date_sort'
  | 'heading_rank'
  | 'day'
  | 'date_source'
  | 'date_precision'
  | 'date_edtf'
  | 'date_earliest'
  | 'date_latest'
  | 'found_edtf'
  | 'found_source'
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
  const { edtf, source } = findDate(known)
  return {
    taken_local: known.takenAt && asIfUtc(known.takenAt),
    taken_offset: known.takenAt?.offsetMinutes ?? null,
    ...dateColumns(edtf, source, known.uploadedAt),
    found_edtf: edtf,
    found_source: source,
    file_date: plausibleFileDate(known),
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

/** When it was taken, according to the client's metadata. */
export function takenAtByClient(metadata: PhotoMetadata | null): WallClock | null {
  const texts = [metadata?.dateTimeOriginal, metadata?.dateTimeDigitized]
  const clocks = texts.flatMap(text => (text && parseWallClock(text)) || [])
  return clocks.find(clock => isPossibleClock(clock) && !isUnset(clock.local, false)) ?? clocks[0] ?? null
}

/** When the file was changed, according to the client's metadata. */
export function modifiedAtByClient(metadata: PhotoMetadata | null): WallClock | null {
  return (metadata?.modifyDate && parseWallClock(metadata.modifyDate)) || null
}
