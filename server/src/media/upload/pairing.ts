import { motionPhotos } from '#contract/limits.ts'
import type { WallClock } from '#contract/metadata.ts'
import type { ExtractedMetadata } from '../../processing/metadata.ts'
import type { ReadOptions } from '../../processing/processing.ts'
import type { MediaTools } from '../prepare/tools.ts'

/**
 * Whether a photo and a video of one name are the halves of a Live Photo. Where that cannot be said, they are two files:
 * two files can be looked at, while a video hidden behind a photo is as good as lost.
 */
export async function isLivePhotoPair(
  { readMetadata }: Pick<MediaTools, 'readMetadata'>,
  still: string,
  clip: string,
  run: ReadOptions,
): Promise<boolean> {
  const [photo, film] = await Promise.all([readMetadata(still, run), readMetadata(clip, run)])
  return isPair(photo, film)
}

type Half = Pick<ExtractedMetadata, 'contentIdentifier' | 'takenAt' | 'duration'>

/** Phones of Apple write the same identifier into both. Without one in each, the clip has to be short and of the same seconds. */
export function isPair(photo: Half, film: Half): boolean {
  if (photo.contentIdentifier !== null && film.contentIdentifier !== null) {
    return photo.contentIdentifier === film.contentIdentifier
  }
  if (film.duration === null || film.duration > motionPhotos.longestClip) return false
  return photo.takenAt !== null && film.takenAt !== null && sameSeconds(photo.takenAt, film.takenAt)
}

const SECOND = 1_000
const QUARTER_HOUR = 15 * 60 * SECOND
const WIDEST_ZONE = 14 * 4 * QUARTER_HOUR

/**
 * Cameras write a photo's time without its zone, and a video's in UTC. Where a zone is missing, the clocks may differ by
 * one: a whole number of quarter hours.
 */
function sameSeconds(photo: WallClock, film: WallClock): boolean {
  const tolerance = motionPhotos.clockDifference * SECOND
  const [one, other] = [photo, film].map(({ local }) => Date.parse(`${local}Z`)) as [number, number]
  if (photo.offsetMinutes !== null && film.offsetMinutes !== null) {
    const zones = (photo.offsetMinutes - film.offsetMinutes) * 60 * SECOND
    return Math.abs(one - other - zones) <= tolerance
  }
  const difference = Math.abs(one - other)
  const beyond = difference % QUARTER_HOUR
  return difference <= WIDEST_ZONE + tolerance && Math.min(beyond, QUARTER_HOUR - beyond) <= tolerance
}
