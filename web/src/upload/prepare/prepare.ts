import type { VariantName } from '#contract/limits.ts'
import type { PhotoMetadata } from '#contract/metadata.ts'

export { PreparationError } from './errors.ts'

/**
 * Everything that happens to a file before it is sent. All of it runs in workers; the page only waits. An abort ends the
 * worker that is at it, so that it stops at once, and the promise rejects with the signal's reason.
 */
export interface Preparer {
  /** What the camera wrote. An odd file gives an empty answer, never an error. */
  readMetadata(file: File, options?: PreparationOptions): Promise<PhotoMetadata>
  /** BLAKE3 of the whole file, in hex. */
  hashFile(file: File, options?: ProgressOptions): Promise<string>
  /** Rejects with a {@link PreparationError} when the file can't be read or is no image. */
  prepareImage(file: File, options?: PreparationOptions): Promise<PreparedImage>
  /**
   * Call it for every video: one whose name needs no conversion may still hold what no browser plays. Progress is told
   * from the moment a conversion begins, and never where there is none. Rejects with a {@link PreparationError} when the
   * file can't be read.
   */
  prepareVideo(file: File, options?: ProgressOptions): Promise<PreparedVideo>
  /** Ends all workers and throws away what they kept. Nothing can be prepared afterwards. */
  dispose(): void
}

export interface PreparationOptions {
  signal?: AbortSignal | undefined
}

export interface ProgressOptions extends PreparationOptions {
  /** Whole percents, rising. */
  onProgress?: ((percent: number) => void) | undefined
}

export interface PreparerSettings {
  /** TRANSCODER_CORE_URL: a folder with `ffmpeg-core.js` and `ffmpeg-core.wasm`. Absent: our own server's. */
  transcoderCoreUrl?: string | undefined
}

/** The reason of `server` is a sentence for people: why the original goes up alone and the server prepares it. */
export type PreparedImage =
  | {
      readonly outcome: 'prepared'
      /** The original's size as it is seen, upright. */
      readonly width: number
      readonly height: number
      /** All five, thumbnail first and `full` last. */
      readonly variants: readonly PreparedVariant[]
      /** Whether `full` is the original itself; if not, the original travels as `original_` beside it. */
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

export type PreparedVideo =
  /** Browsers play the file as it is: it goes up alone. */
  | { readonly outcome: 'plays' }
  | {
      readonly outcome: 'converted'
      /** An MP4 that browsers play, on disk where the browser has a place for it. The original travels beside it. */
      readonly file: File
      readonly how: 'rewrapped' | 'encoded' | 'fallback'
      /** Throws the MP4 away; call it when it has been sent or is no longer wanted. */
      discard(): Promise<void>
    }
  | { readonly outcome: 'server'; readonly reason: string }
