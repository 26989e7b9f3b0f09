import type { VariantName } from '#contract/limits.ts'
import type { PhotoMetadata } from '#contract/metadata.ts'
import { formats, type ImageFormat } from '../../processing/formats.ts'
import type { DecoderTasks } from '../../processing/images/decoder.ts'
import type { FoundFfmpeg } from '../../processing/video/find-ffmpeg.ts'
import type { WorkerPool } from '../../processing/worker-pool.ts'

/** Processes that open hostile pictures, each within limits. */
export type Decoders = WorkerPool<DecoderTasks>

export interface MadePicture {
  name: VariantName
  path: string
  size: number
  mime: string
  extension: string
  width: number
  height: number
}

export interface MadePictures {
  pictures: MadePicture[]
  /** Of the original, standing upright. */
  width: number
  height: number
  thumbhash: string
}

export interface PictureOrder {
  path: string
  format: ImageFormat
  folder: string
}

/** What preparing a file needs from outside programs. */
export interface MediaTools {
  makePictures(order: PictureOrder, signal: AbortSignal): Promise<MadePictures>
  /** Null where nothing could be read: the file is still a file. */
  readMetadata(path: string): Promise<PhotoMetadata | null>
  placeName(latitude: number, longitude: number): Promise<string | null>
  /** Undefined where this machine has none. */
  ffmpeg(): Promise<FoundFfmpeg | undefined>
}

export async function makePictures(
  decoders: Decoders,
  { path, format, folder }: PictureOrder,
  signal: AbortSignal,
): Promise<MadePictures> {
  const full = !formats[format].browserShows
  const made = await decoders.run('makeVariants', { path, format, outDir: folder, full }, { signal })
  return {
    pictures: made.variants.map(variant => ({ ...variant, extension: variant.mime === 'image/png' ? 'png' : 'jpg' })),
    width: made.width,
    height: made.height,
    thumbhash: made.thumbhash,
  }
}
