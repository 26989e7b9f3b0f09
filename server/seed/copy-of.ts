import type { PhotoMetadata } from '#contract/metadata.ts'
import type { MediaPartRow, MediaRow, NewMedia } from '#server/db/schema.ts'
import { mediaColumns, takenAtByClient } from '#server/media/columns.ts'
import { newKeyStem, originalKey } from '#server/media/keys.ts'
import { createHasher } from '#server/processing/hash.ts'
import { cameraName } from '#server/processing/metadata.ts'
import type { Link } from './links.ts'
import type { StoryFile } from './story.ts'

/** A file with bytes of its own, which others share. */
export interface Template {
  media: MediaRow
  parts: MediaPartRow[]
}

export interface Copy {
  row: NewMedia
  parts: Omit<MediaPartRow, 'media_id'>[]
  links: Link[]
}

export interface Circumstances {
  now: number
  folderId: number | null
  uploaderId: number
  location: string | null
}

type Fate = 'ready' | 'processing' | 'failed' | 'deleted'

/** A few of each kind of trouble, so that the pages for it have something to show. */
function fateOf(number: number): Fate {
  if (number % 977 === 400) return 'failed'
  if (number % 4_001 === 500) return 'processing'
  return number % 499 === 300 ? 'deleted' : 'ready'
}

const HOUR = 3_600_000

/** A file of the story as its row, its parts and the names for the bytes that it shares with the template. */
export function copyOf({ media, parts }: Template, file: StoryFile, around: Circumstances): Copy {
  const fate = fateOf(file.number)
  const original = parts.find(part => part.kind === 'original')
  if (!original) throw new Error(`File ${media.id} has no original`)
  const name = `${file.name}.${endingOf(original.key)}`
  const taken = Date.parse(`${file.taken.local}Z`)
  const stem = newKeyStem(name, new Date(taken))
  const shared = fate === 'ready' || fate === 'deleted' ? parts : [original]
  const copies = shared.map(({ media_id, ...part }) => ({ from: part.key, part: { ...part, key: keyFor(stem, part) } }))
  const uploadedAt = Math.round(Math.min(taken + file.uploadDelay, around.now - HOUR))
  return {
    row: {
      ...wordsOf(media, file, name, uploadedAt, around.location),
      ...bytesOf(media),
      ...conditionOf(fate, media, around),
      original_name: name,
      hash: hashOf(file.number),
      uploaded_at: uploadedAt,
      uploaded_by: around.uploaderId,
      folder_id: around.folderId,
      version: 1,
    },
    parts: copies.map(copy => copy.part),
    links: copies.map(({ from, part }) => ({ from, to: part.key })),
  }
}

function wordsOf(media: MediaRow, file: StoryFile, name: string, uploadedAt: number, location: string | null) {
  const { width: originalWidth, height: originalHeight } = media
  const metadata: PhotoMetadata | null = file.metadata && { ...file.metadata, originalWidth, originalHeight }
  const camera = cameraName(metadata?.make, metadata?.model)
  const fileDate = Date.parse(`${file.taken.local}Z`)
  // The story tells wall clocks.
  const known = { name, metadata, location, camera, fileDate, uploadedAt, homeTimeZone: 'UTC' }
  return mediaColumns({ ...known, takenAt: takenAtByClient(metadata) })
}

function bytesOf(media: MediaRow) {
  const { file_type, format, mime_type, file_size, width, height, duration, thumbhash } = media
  const { animated, partly_damaged, playback_type } = media
  const pictured = { width, height, duration, thumbhash, animated, partly_damaged, playback_type }
  return { file_type, format, mime_type, file_size, ...pictured }
}

function conditionOf(fate: Fate, { shown_part, file_type }: MediaRow, { now, uploaderId }: Circumstances) {
  const unprepared = fate === 'processing' || fate === 'failed'
  return {
    status: unprepared ? fate : ('ready' as const),
    // Before it is prepared nobody knows whether a film plays.
    shown_part: unprepared && file_type === 'video' ? null : shown_part,
    progress: fate === 'processing' ? 0 : null,
    failure_reason: fate === 'failed' ? 'The work on this file was stopped: it took too long.' : null,
    failed_at: fate === 'failed' ? now : null,
    deleted_at: fate === 'deleted' ? now : null,
    deleted_by: fate === 'deleted' ? uploaderId : null,
    // Its hash is not that of the bytes it shares. Said to have been read, it is left alone for a month.
    verified_at: now,
    damaged_at: null,
  }
}

/** Hashes are unique in a library, and so cannot be those of shared bytes: these are of the file's number. */
function hashOf(number: number): string {
  const hasher = createHasher()
  hasher.update(Buffer.from(`seeded file ${number}`))
  return hasher.digest()
}

/** All in the month's folder: a folder for each file, as other files have it, would need a million of them. */
function keyFor(stem: string, { kind, key }: { kind: string; key: string }): string {
  const ending = endingOf(key)
  return kind === 'original' ? originalKey(stem, ending) : `variants/${stem}.${kind}-v1.${ending}`
}

function endingOf(key: string): string {
  return key.slice(key.lastIndexOf('.') + 1)
}
