import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { variants } from '#contract/limits.ts'
import { startMetadataReader } from './exiftool.ts'
import { formats, type ImageFormat, isRaw } from './formats.ts'
import type { VariantClaim, VariantVerdict } from './images/check-variant.ts'
import type { DecoderTasks } from './images/decoder-worker.ts'
import type { MadeImage } from './images/variants.ts'
import type { FileMetadata } from './metadata.ts'
import type { PlacesTasks } from './places-worker.ts'
import { startWorkerPool } from './worker-pool.ts'

interface Cancellable {
  readonly signal?: AbortSignal | undefined
}

/** What can be made of a photo. Everything that reads a file's pixels runs in a process of its own, within limits. */
export interface Processing {
  /**
   * Makes the four variants in `outDir`, and `full` where browsers cannot show the original. On failure it leaves
   * nothing there and rejects with a ProcessingError.
   */
  makeVariants(order: { path: string; format: ImageFormat; outDir: string }, options?: Cancellable): Promise<MadeImage>
  /** The size of a photo as it is seen, upright. */
  measure(
    file: { path: string; format: ImageFormat },
    options?: Cancellable,
  ): Promise<{ width: number; height: number; animated: boolean }>
  /** Whether what a client sent can stand as a variant. */
  checkVariant(claim: VariantClaim, options?: Cancellable): Promise<VariantVerdict>
  /** What the camera wrote into a photo or video. Never rejects: what cannot be read is not known. */
  readMetadata(path: string): Promise<FileMetadata>
  /** "Ronda, Spain"; undefined on the high seas. */
  placeName(latitude: number, longitude: number): Promise<string | undefined>
  close(): Promise<void>
}

export interface ProcessingOptions {
  /** How many photos are decoded at the same time. */
  readonly decoders: number
  readonly memoryMb?: number
  readonly timeoutMs?: number
  /** Told what the people who run the server should know. */
  warn(sentence: string, cause: unknown): void
}

const PLACES_LIMITS = { memoryMb: 400, timeoutMs: 30_000 }

export function startProcessing(options: ProcessingOptions): Processing {
  const { decoders, memoryMb = 1_500, timeoutMs = 120_000, warn } = options
  const decoderProgram = new URL('./images/decoder-worker.ts', import.meta.url)
  const placesProgram = new URL('./places-worker.ts', import.meta.url)
  const pool = startWorkerPool<DecoderTasks>(decoderProgram, { size: decoders, memoryMb, timeoutMs })
  const places = startWorkerPool<PlacesTasks>(placesProgram, { size: 1, ...PLACES_LIMITS })
  const reader = startMetadataReader({ warn })

  /** Of a RAW file the picture inside stands for the whole; any other file is taken as it is. */
  async function withPicture<Result>(
    { path, format }: { path: string; format: ImageFormat },
    folder: string,
    act: (file: { path: string; format: ImageFormat; orientation?: number | undefined }) => Promise<Result>,
  ): Promise<Result> {
    if (!isRaw(format)) return act({ path, format })
    const scratch = await mkdtemp(join(folder, 'preview-'))
    try {
      const preview = join(scratch, 'preview.jpg')
      const { orientation } = await reader.extractPreview(path, preview)
      return await act({ path: preview, format: 'jpeg', orientation })
    } finally {
      await rm(scratch, { recursive: true, force: true })
    }
  }

  return {
    async makeVariants({ path, format, outDir }, run) {
      const full = !formats[format].browserShows
      try {
        await mkdir(outDir, { recursive: true })
        return await withPicture({ path, format }, outDir, file =>
          pool.run('makeVariants', { ...file, outDir, full }, run),
        )
      } catch (error) {
        await removeVariants(outDir)
        throw error
      }
    },
    async measure(file, run) {
      const { size, animated } = await withPicture(file, tmpdir(), picture => pool.run('measureSource', picture, run))
      return { ...size, animated }
    },
    checkVariant: (claim, run) => pool.run('checkVariant', claim, run),
    readMetadata: path => reader.read(path),
    placeName: (latitude, longitude) => places.run('placeName', { latitude, longitude }),
    async close() {
      await Promise.all([pool.close(), places.close(), reader.close()])
    },
  }
}

/** A process that was stopped leaves what it had made so far. */
async function removeVariants(folder: string): Promise<void> {
  const names = Object.keys(variants).flatMap(name => [`${name}.jpg`, `${name}.png`])
  await Promise.all(names.map(name => rm(join(folder, name), { force: true })))
}
