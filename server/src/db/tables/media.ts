import type { Generated, GeneratedAlways } from 'kysely'
import type { DateSource, FileType, MediaStatus, Rotation } from '#contract/media.ts'
import type { DatePrecision } from '#contract/metadata.ts'

/** Files, their parts, places and counts, and what people attach to them. */
export interface MediaTables {
  folders: FoldersTable
  media: MediaTable
  media_search_texts: MediaSearchTextsTable
  media_parts: MediaPartsTable
  part_checksums: PartChecksumsTable
  place_corrections: PlaceCorrectionsTable
  media_counts: MediaCountsTable
  media_day_counts: MediaDayCountsTable
  search_text_shapes: SearchTextShapesTable
  tags: TagsTable
  media_tags: MediaTagsTable
  hearts: HeartsTable
}

interface FoldersTable {
  id: Generated<number>
  name: string
  /** The case-insensitive name, unique among siblings. */
  name_key: string
  /** The name, normalised by `searchable`. */
  search_text: string
  parent_id: number | null
  created_at: number
  created_by: number | null
}

interface MediaTable {
  id: Generated<number>
  original_name: string
  file_type: FileType
  format: string
  mime_type: string
  file_size: number
  hash: string
  uploaded_at: number
  uploaded_by: number
  /** The name of the guest who sent it; `uploaded_by` has accepted it. */
  sent_by: string | null
  folder_id: number | null
  width: number | null
  height: number | null
  /** Width to height as one character, see `contract/src/proportions.ts`. Follows width and height. */
  proportion: Generated<string>
  /** How far people have turned it, clockwise in degrees; the original is never changed. */
  rotation: Generated<Rotation>
  /** How far the variants, width, height and thumbhash are turned: `rotation`, once they are made again. */
  variants_rotation: Generated<Rotation>
  duration: number | null
  /** The camera's wall clock as if it were UTC, and its offset from UTC in minutes; either may be unknown. */
  taken_local: number | null
  taken_offset: number | null
  latitude: number | null
  longitude: number | null
  location: string | null
  camera: string | null
  /** One line of words about it. */
  caption: string | null
  /** `person`: as somebody wrote or removed it; `photo`: from the file or its sidecar; null: none was found. */
  caption_source: 'person' | 'photo' | null
  thumbhash: string | null
  metadata: string | null
  /** Which part browsers show at full size; null until one exists. */
  shown_part: 'original' | 'full' | null
  /** Whether a picture is animated: 1 or 0; 2 if it is, but only its first frame can be shown. */
  animated: Generated<number>
  /** Whether part of a file could not be read: 1 or 0. */
  partly_damaged: Generated<number>
  /** Whether a file ends before its content does: 1 or 0. Then it is partly damaged too. */
  incomplete: Generated<number>
  /** How long it should be at least; null where that is not known, and for a whole file. */
  expected_size: number | null
  /** Of a video that only some browsers play: its MIME type with codecs (`video/webm; codecs="…"`). */
  playback_type: string | null
  /** Progress of the conversion for other browsers, in percent; null while none is running. */
  compatible_progress: number | null
  /** Why the conversion failed. */
  compatible_failure: string | null
  /** Which part browsers play of a Live Photo's clip; null if it has none or it is not known yet. */
  motion_part: 'motion' | 'motion_full' | null
  status: MediaStatus
  progress: number | null
  failure_reason: string | null
  failed_at: number | null
  /** Sort keys: never null, and normalised. How the key of a date is made: `contract/src/edtf.ts`. */
  date_sort: number
  /** The same, but sorts undated files last; a generated column. */
  date_sort_asc: GeneratedAlways<number>
  /** What it is listed under: 0 its day, 1 its month, 2 its year, 3 its decade, 4 undated. Breaks ties of `date_sort`. */
  heading_rank: number
  /** The day of `date_sort` since 1970; 0 for undated files. */
  day: number
  /** The date that counts, in EDTF: a person's correction, else what was found. Null: undated. */
  date_edtf: string | null
  /** Its first and last moment, as if local time were UTC; null where it is open. */
  date_earliest: number | null
  date_latest: number | null
  date_source: DateSource | null
  date_precision: DatePrecision | null
  /** The date that was found in the file, its name or its modification time; kept beside a correction. */
  found_edtf: string | null
  found_source: Exclude<DateSource, 'person'> | null
  /** Who changed the date last and when, also if they went back to the one that was found. */
  corrected_by: number | null
  corrected_at: number | null
  /** The file's modification time, and its name at upload: renaming does not change the date. */
  file_date: number | null
  uploaded_name: string | null
  name_sort: string
  /** Empty where the place is unknown. */
  location_sort: string
  /** The same, but sorts unknown places last; a generated column. */
  location_sort_asc: GeneratedAlways<string>
  /** Incremented when variants are generated again, so that their URLs change. */
  version: number
  deleted_at: number | null
  deleted_by: number | null
  /** When the stored original was last verified against its hash, and when a mismatch was found. */
  verified_at: number | null
  damaged_at: number | null
  /** Since when the original is not in its watched folder. */
  missing_at: number | null
}

/** The searchable text of a file itself. A separate narrow table, because searches for one or two letters scan it. */
interface MediaSearchTextsTable {
  media_id: number
  /** Name, caption, place, camera and the name of a guest, normalised by `searchable`. */
  search_text: string
}

export type PartKind =
  | 'original'
  | 'full'
  | 'thumbnail'
  | 'mobile'
  | 'website'
  | 'desktop'
  | 'poster'
  | 'motion'
  | 'motion_full'
  | 'compatible'
  | 'sidecar'
  /** A video without metadata, for guests. */
  | 'shared'

interface MediaPartsTable {
  media_id: number
  kind: PartKind
  key: string
  size: number
  mime_type: string
  width: number | null
  height: number | null
}

/** Of stored objects, which never change, for exports. BLAKE3 is in hex. */
interface PartChecksumsTable {
  key: string
  crc32: number
  blake3: string
}

/** The place that people gave to a file; that of the camera is beside it. */
interface PlaceCorrectionsTable {
  media_id: number
  /** `set`: to this place; `none`: cleared; `camera`: the camera's again. */
  kind: 'set' | 'none' | 'camera'
  latitude: number | null
  longitude: number | null
  location: string | null
  corrected_by: number
  corrected_at: number
  camera_latitude: number | null
  camera_longitude: number | null
  camera_location: string | null
}

/** Stored counts, because counting a million rows takes half a second. */
interface MediaCountsTable {
  /** 0: in no folder. */
  folder_id: number
  file_type: FileType
  files: number
  bytes: number
}

/** Files that are not deleted, by heading and day. Updated by triggers on `media` only. */
interface MediaDayCountsTable {
  heading_rank: number
  day: number
  /** 0: in no folder. */
  folder_id: number
  file_type: FileType
  files: number
}

/** Search texts with their digits masked, deleted files included. Updated by triggers on `media_search_texts`. */
interface SearchTextShapesTable {
  shape: string
  files: number
}

interface TagsTable {
  id: Generated<number>
  /** In the spelling of its first user. */
  name: string
  /** The case-insensitive name, which is unique. */
  name_key: string
  /** The name, normalised by `searchable`. */
  search_text: string
}

interface MediaTagsTable {
  media_id: number
  tag_id: number
  added_at: number
  added_by: number
}

/** What people love: their favourites. */
interface HeartsTable {
  media_id: number
  person_id: number
  created_at: number
  /** The notification that tells the uploader of it; null if there is none, or the uploader has deleted it. */
  notification_id: number | null
}
