import type { VariantName } from '#contract/limits.ts'
import type { PhotoMetadata } from '#contract/metadata.ts'
import type { Messages } from '#messages/types.ts'

/**
 * Everything that happens to a file before it is sent. It runs in workers. An abort terminates the worker, and the
 * promise rejects with the signal's reason.
 */
export interface Preparer {
  /** EXIF metadata. A file that cannot be parsed has empty metadata; this is not an error. */
  readMetadata(file: File, options?: PreparationOptions): Promise<PhotoMetadata>
  /** BLAKE3 of the whole file, in hex. */
  hashFile(file: File, options?: ProgressOptions): Promise<string>
  /** Rejects with a {@link PreparationError} when the file cannot be read or is not an image. */
  prepareImage(file: File, options?: PreparationOptions): Promise<PreparedImage>
  /**
   * Call it for every video: even an MP4 may contain codecs that no browser plays. Progress is reported only while a
   * video is converted. Rejects with a {@link PreparationError} when the file cannot be read.
   */
  prepareVideo(file: File, options?: ProgressOptions): Promise<PreparedVideo>
  /** Terminates all workers and deletes temporary files. */
  dispose(): void
}

export interface PreparationOptions {
  signal?: AbortSignal | undefined
}

export interface ProgressOptions extends PreparationOptions {
  /** Whole percents, increasing. */
  onProgress?: ((percent: number) => void) | undefined
}

export interface PreparerSettings {
  /** TRANSCODER_CORE_URL: a folder with `ffmpeg-core.js` and `ffmpeg-core.wasm`; our own server's by default. */
  transcoderCoreUrl?: string | undefined
}

/**
 * With the outcome `server`, only the original is uploaded and the server prepares it; the reason is shown to the
 * person.
 */
export type PreparedImage =
  | {
      readonly outcome: 'prepared'
      /** Size of the original after applying its orientation. */
      readonly width: number
      readonly height: number
      /** All five, from the thumbnail to `full`. */
      readonly variants: readonly PreparedVariant[]
      /** Whether `full` is the original itself. If not, the original is uploaded as `original_` as well. */
      readonly fullIsOriginal: boolean
    }
  | { readonly outcome: 'server'; readonly reason: string }

export interface PreparedVariant {
  readonly type: VariantName
  readonly blob: Blob
  readonly width: number
  readonly height: number
  readonly quality: number
  readonly suffix: string
  readonly original: File
}

/** What is sent beside the original, if this browser prepared it. */
export interface PreparedParts {
  images?: { variants: readonly PreparedVariant[]; fullIsOriginal: boolean } | undefined
  converted?: File | undefined
  /** Deletes temporary files. */
  discard?(): Promise<void>
}

export type PreparedVideo =
  /** Browsers play the original, so it is uploaded alone. */
  | { readonly outcome: 'plays' }
  | {
      readonly outcome: 'converted'
      /** An MP4 that browsers play, uploaded with the original. On disk where the browser supports it. */
      readonly file: File
      readonly how: 'remuxed' | 'encoded' | 'fallback'
      /** Deletes the MP4. Call it when the file is sent or no longer needed. */
      discard(): Promise<void>
    }
  | { readonly outcome: 'server'; readonly reason: string }

/** The file can neither be prepared nor uploaded. The specification defines the message. */
export class PreparationError extends Error {
  override readonly name = 'PreparationError'
}

/** Why a browser cannot prepare a file: the key of a text, because workers have no texts. */
export type NotPrepared = keyof Messages['upload-prepare']['leftToServer']

/** The browser cannot prepare this file. Its message is the reason, which leaves a worker with it. */
export class CannotPrepare extends Error {
  override readonly name = 'CannotPrepare'

  constructor(reason: NotPrepared, options?: ErrorOptions) {
    super(reason, options)
  }
}

/** Also of an error that has left a worker. */
export function whyNotPrepared(error: unknown): NotPrepared | undefined {
  return error instanceof Error && error.name === 'CannotPrepare' ? (error.message as NotPrepared) : undefined
}

/** The file was moved or deleted, or its memory card was removed. */
export function isUnreadable(error: unknown): boolean {
  return error instanceof Error && ['NotReadableError', 'NotFoundError'].includes(error.name)
}

const CONVERTED_EXTENSIONS = new Set(['mts', 'm2ts', 'avi', 'mov', 'mkv', 'wmv', 'flv', 'm4v', 'mpg', 'mpeg', '3gp'])
const PLAYED_TYPES = new Set(['video/mp4', 'video/webm', 'video/ogg'])

/** Whether a video needs conversion, judged by its name and type. */
export function needsConversion({ name, type }: { name: string; type: string }): boolean {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return CONVERTED_EXTENSIONS.has(extension) || !PLAYED_TYPES.has(type)
}

/** What the image worker returns. */
export interface ImageVariants {
  readonly width: number
  readonly height: number
  /** Includes `full` only where browsers cannot show the original. */
  readonly variants: readonly ImageVariant[]
}

export type ImageVariant = Pick<PreparedVariant, 'type' | 'blob' | 'width' | 'height'>

/** Request of the video worker. */
export interface VideoRequest {
  readonly file: File
  /** Name of the output file in the scratch folder. */
  readonly scratchName: string
}

export interface FallbackRequest {
  readonly file: File
  /** Folder of the transcoder's core; our own by default. */
  readonly coreUrl: string | undefined
}

export type VideoResult<Reason> =
  | { readonly outcome: 'plays' }
  | { readonly outcome: 'converted'; readonly how: 'remuxed' | 'encoded'; readonly mp4: Blob }
  | { readonly outcome: 'server'; readonly reason: Reason }
  /** The browser cannot convert it; `pixels` is the number of pixels to encode, if known. */
  | { readonly outcome: 'unsupported'; readonly reason: Reason; readonly pixels: number | null }

/** Why the video worker has not converted a video: a known reason, or the error that ended it. */
export type NotConverted = NotPrepared | { readonly error: string }
