import { motionPhotos, type VariantName, viewingSizes } from '#contract/limits.ts'
import type { PhotoMetadata, WallClock } from '#contract/metadata.ts'
import type { Database } from '../../db/database.ts'
import { AppError } from '../../kit/errors.ts'
import { type DetectedFormat, detectFormat } from '../../processing/detect-format.ts'
import { ProcessingError } from '../../processing/errors.ts'
import type { ExtractedMetadata } from '../../processing/metadata.ts'
import type { ReadOptions } from '../../processing/processing.ts'
import { isAudioOnly } from '../../processing/structure/audio-only.ts'
import { findMissingEnd } from '../../processing/structure/completeness/find-missing-end.ts'
import { folderExists } from '../media.sql.ts'
import type { MediaTools } from '../prepare/tools.ts'
import type { MadeFile } from '../store-files.ts'
import type { ReceivedFile, Submission } from './upload-form.ts'

/** A file whose bytes have all arrived, with what the checks before storing found out about it. */
export interface IncomingFile {
  name: string
  original: ReceivedFile
  /** Detected from the original's bytes, once. */
  format: DetectedFormat
  metadata: PhotoMetadata | null
  folderId: number | null
  fileDate: number | null
  uploaderId: number
  /** The client's conversion to a format that browsers show. Undefined when the original is one itself. */
  converted: ReceivedFile | undefined
  pictures: ClientPictures
  /** The video of a Live Photo. */
  clip?: IncomingClip | undefined
  /** The XMP sidecar. */
  sidecar?: ReceivedFile | undefined
}

export interface IncomingClip {
  file: ReceivedFile
  format: DetectedFormat
  /** Used if the clip is stored as a separate file. */
  name: string
  fileDate: number | null
  /** Whether the clip belongs to this photo. Otherwise it is stored as a separate file. */
  belongs: boolean
}

/** Variants that a client made and that passed the checks, with the facts about the original that they establish. */
export interface ClientPictures {
  variants: MadeFile[]
  width: number | null
  height: number | null
  thumbhash: string | null
}

export const noPictures: ClientPictures = { variants: [], width: null, height: null, thumbhash: null }

/** Throws when the original is empty, neither photo nor video, or its folder does not exist. */
export async function checkOriginal(
  { db }: { db: Database },
  { name, original, folderId }: Pick<IncomingFile, 'name' | 'original' | 'folderId'>,
): Promise<DetectedFormat> {
  if (original.size === 0) throw new AppError('not_a_photo_or_video', 'upload.fileEmpty', { name })
  const format = await detectFormat(original.path)
  if (format?.kind !== 'image' && (await isAudioOnly(original.path, format?.format))) throw audioOnly(name)
  if (!format) throw new AppError('not_a_photo_or_video', 'upload.noPhotoOrVideo', { name })
  if (folderId !== null && !(await folderExists(db.query, folderId))) throw noSuchFolder()
  return format
}

/** Throws when what was sent as the clip of a Live Photo cannot be one. */
export async function checkClip(name: string, still: DetectedFormat, clip: ReceivedFile): Promise<DetectedFormat> {
  if (still.kind !== 'image') throw new AppError('invalid', 'upload.clipWithoutPhoto', { name })
  const format = clip.size > 0 ? await detectFormat(clip.path) : undefined
  if (format?.kind !== 'video') throw new AppError('not_a_photo_or_video', 'upload.clipNoVideo', { name })
  if (await isAudioOnly(clip.path, format.format)) throw audioOnly(clip.name)
  return format
}

function audioOnly(name: string): AppError {
  return new AppError('not_a_photo_or_video', 'upload.soundOnly', { name })
}

export function noSuchFolder(): AppError {
  return new AppError('not_found', 'folders.missing')
}

/** For all checks of one file together, including the wait for a decoder: an upload request must always be answered. */
const CHECKS_TIMEOUT_MS = 30_000

/** The client's variants if the set is complete and valid, otherwise none: the job would make all of them again anyway. */
export async function checkClientPictures(
  tools: Pick<MediaTools, 'measure' | 'checkVariant'>,
  original: Pick<IncomingFile, 'original' | 'format'>,
  { variants, converted }: Pick<Submission, 'variants' | 'converted'>,
  ownerId: number,
): Promise<ClientPictures> {
  if (!viewingSizes.every(name => variants[name]) || original.format.kind !== 'image') return noPictures
  const run = { ownerId, signal: AbortSignal.timeout(CHECKS_TIMEOUT_MS) }
  try {
    const { format } = original.format
    const { width, height, hdr } = await tools.measure({ path: original.original.path, format }, run)
    // Browsers tone-map HDR differently, so the server makes these variants itself.
    if (hdr) return noPictures
    const size = { width, height }
    const checked: ClientPictures = { ...noPictures, ...size, variants: [] }
    for (const [name, file] of entries({ ...variants, ...(converted ? { full: converted } : {}) })) {
      const check = await tools.checkVariant({ path: file.path, name, originalFormat: format, original: size }, run)
      if (!check.ok && check.tooComplex) throw new AppError('invalid', 'upload.pictureTooComplex', { picture: name })
      if (!check.ok) return noPictures
      const { ok, thumbhash, ...picture } = check
      checked.variants.push({ ...picture, kind: name, path: file.path, size: file.size })
      if (name === 'thumbnail') checked.thumbhash = thumbhash
    }
    return checked
  } catch (error) {
    // Do not keep variants that crash the decoder. The job reports what is wrong with the original.
    if (error instanceof ProcessingError) return noPictures
    throw error
  }
}

function entries(files: Submission['variants']): [VariantName, ReceivedFile][] {
  return Object.entries(files) as [VariantName, ReceivedFile][]
}

/**
 * Whether a photo and a video of the same name are the two halves of a Live Photo. When in doubt they are stored as two
 * files: a video hidden behind an unrelated photo would never be found again. So is a clip whose end is missing, which
 * then says so itself.
 */
export async function isLivePhotoPair(
  { readMetadata }: Pick<MediaTools, 'readMetadata'>,
  still: string,
  clip: { path: string; format: DetectedFormat },
  run: ReadOptions,
): Promise<boolean> {
  if (await findMissingEnd(clip.path, clip.format.format)) return false
  const [photo, video] = await Promise.all([readMetadata(still, run), readMetadata(clip.path, run)])
  return isPair(photo, video)
}

type Half = Pick<ExtractedMetadata, 'contentIdentifier' | 'takenAt' | 'duration'>

/** iPhones write the same identifier into both halves. Without one, the clip must be short and of the same seconds. */
export function isPair(photo: Half, video: Half): boolean {
  if (photo.contentIdentifier !== null && video.contentIdentifier !== null) {
    return photo.contentIdentifier === video.contentIdentifier
  }
  if (video.duration === null || video.duration > motionPhotos.longestClip) return false
  return photo.takenAt !== null && video.takenAt !== null && isSameTime(photo.takenAt, video.takenAt)
}

const SECOND = 1_000
const QUARTER_HOUR = 15 * 60 * SECOND
const LARGEST_OFFSET = 14 * 4 * QUARTER_HOUR

/**
 * Cameras write a photo's time without its time zone, and a video's in UTC. When an offset is unknown, the clocks may
 * differ by any valid offset: a whole number of quarter hours.
 */
function isSameTime(photo: WallClock, video: WallClock): boolean {
  const tolerance = motionPhotos.clockDifference * SECOND
  const [one, other] = [photo, video].map(({ local }) => Date.parse(`${local}Z`)) as [number, number]
  if (photo.offsetMinutes !== null && video.offsetMinutes !== null) {
    const offset = (photo.offsetMinutes - video.offsetMinutes) * 60 * SECOND
    return Math.abs(one - other - offset) <= tolerance
  }
  const difference = Math.abs(one - other)
  const remainder = difference % QUARTER_HOUR
  return difference <= LARGEST_OFFSET + tolerance && Math.min(remainder, QUARTER_HOUR - remainder) <= tolerance
}
