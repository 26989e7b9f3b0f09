import type { VariantName } from '#contract/limits.ts'
import type { PhotoMetadata } from '#contract/metadata.ts'
import type { ImageFormat } from '../../processing/formats.ts'
import type { FoundFfmpeg } from '../../processing/video/find-ffmpeg.ts'

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

/** What preparing a file needs from the decoders, each in a process of its own. */
export interface MediaTools {
  makePictures(order: { path: string; format: ImageFormat; folder: string }, signal: AbortSignal): Promise<MadePictures>
  thumbhashOf(path: string, signal: AbortSignal): Promise<string>
  /** Null where nothing could be read: the file is still a file. */
  readMetadata(path: string): Promise<PhotoMetadata | null>
  placeName(latitude: number, longitude: number): Promise<string | null>
  /** Undefined where this machine has none. */
  ffmpeg(): Promise<FoundFfmpeg | undefined>
}
