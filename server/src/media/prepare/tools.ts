import type { VariantName } from '#contract/limits.ts'
import type { RootFolder, SafePath } from '../../kit/safe-path.ts'
import type { ImageFormat } from '../../processing/formats.ts'
import type { Processing } from '../../processing/processing.ts'
import type { FoundFfmpeg } from '../../processing/video/find-ffmpeg.ts'

export interface MadePicture {
  name: VariantName
  path: SafePath
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
  /** Part of the original could not be read. */
  damaged: boolean
}

export interface PictureRequest {
  path: string
  format: ImageFormat
  folder: RootFolder
  /** Whose file it is: people are served in turn. */
  ownerId?: number
}

type Tool =
  | 'readMetadata'
  | 'placeName'
  | 'measure'
  | 'checkVariant'
  | 'isAnimated'
  | 'isPartlyDamaged'
  | 'findEmbeddedClip'

/** What preparing a file needs from outside programs. */
export interface MediaTools extends Pick<Processing, Tool> {
  /** The zone of dates for which nothing tells one. */
  readonly homeTimeZone: string
  makePictures(order: PictureRequest, signal: AbortSignal): Promise<MadePictures>
  /** Undefined where this machine has none. */
  ffmpeg(): Promise<FoundFfmpeg | undefined>
  /**
   * Runs ffmpeg while few other videos do, since it takes much memory. For jobs of the quick lane, many of which run at the
   * same time; the slow lane has few.
   */
  withVideoSlot<Result>(ownerId: number, signal: AbortSignal, work: () => Promise<Result>): Promise<Result>
}
