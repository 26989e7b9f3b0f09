import { availableParallelism, totalmem } from 'node:os'
import { delimiter } from 'node:path'
import type { Rotation } from '#contract/media.ts'
import { pathBelow, type RootFolder } from '../../kit/safe-path.ts'

import { createFairSemaphore } from '../../processing/fair-semaphore.ts'
import type { ImageFormat } from '../../processing/formats.ts'
import { type Processing, startProcessing } from '../../processing/processing.ts'

import { LIBRAW_MISSING } from '../../processing/raw/render-raw.ts'
import { openSandbox, type SandboxMode } from '../../processing/sandbox/open-sandbox.ts'
import type { SandboxLevel } from '../../processing/sandbox/sandbox.ts'
import { canTranscode, type FindPackaged, type FoundFfmpeg, findFfmpeg } from '../../processing/video/find-ffmpeg.ts'

import { defaultVideoLimits } from '../../processing/video/run-ffmpeg.ts'
import type { RunOptions } from '../../processing/worker-pool.ts'
import type { MadeFile } from '../store-files.ts'

export interface MadePictures {
  pictures: MadeFile[]
  /** Size of the original after rotation. */
  width: number
  height: number
  thumbhash: string
  /** Part of the original could not be decoded. */
  damaged: boolean
}

export interface PictureRequest {
  path: string
  format: ImageFormat
  folder: RootFolder
  /** Clockwise, after the picture is made upright. */
  rotation?: Rotation
}

type Tool =
  | 'readMetadata'
  | 'placeName'
  | 'townsWithin'
  | 'searchPlaces'
  | 'measure'
  | 'checkVariant'
  | 'isAnimated'
  | 'makeAnimation'
  | 'isPartlyDamaged'
  | 'findEmbeddedClip'

/** Decoders and external programs (ffmpeg, exiftool) for preparing files. */
export interface MediaTools extends Pick<Processing, Tool> {
  /** Time zone for dates without one. */
  readonly homeTimeZone: string
  makePictures(request: PictureRequest, run: RunOptions): Promise<MadePictures>
  /** Undefined when no ffmpeg is installed. */
  ffmpeg(): Promise<FoundFfmpeg | undefined>
  /**
   * Limits how many ffmpeg processes run at the same time, because of their memory. For jobs in the quick lane, of which
   * many run in parallel; the slow lane limits them itself.
   */
  withVideoSlot<Result>(ownerId: number, signal: AbortSignal, work: () => Promise<Result>): Promise<Result>
}

export interface OpenTools extends MediaTools {
  /** Missing programs and other problems of this machine, in sentences for admins. */
  warnings(): Promise<string[]>
  /** How many files of one person to prepare in parallel so that all decoders are busy. */
  readonly filesAtOnce: number
  readonly sandboxLevel: SandboxLevel
  close(): Promise<void>
}

export interface ToolsOptions {
  ffmpegPath: string | undefined
  searchPath: string | undefined
  /** Default: the ffmpeg of the npm package. Tests replace it, since not every processor has one. */
  findPackagedFfmpeg?: FindPackaged | undefined
  sandbox: SandboxMode
  homeTimeZone: string
  /** Folder for exchanging files with the sandbox. */
  exchangeFolder: string
  dataFolder: string
  /** Default: by the cores and memory of this machine. */
  limits?: ReturnType<typeof decoderLimits> | undefined
  /** Logs, and adds the sentence to the warnings for admins. */
  warn(sentence: string, cause: unknown): void
  log(sentence: string, cause: unknown): void
}

/** Tests the sandbox; decoders and programs are started when a file needs them. Throws SandboxUnavailable. */
export async function openMediaTools(options: ToolsOptions): Promise<OpenTools> {
  const { ffmpegPath, searchPath, warn, exchangeFolder: folder, dataFolder } = options
  const { sandbox, warning } = await openSandbox({
    mode: options.sandbox,
    folder,
    hidden: [dataFolder],
    // Services are often started with a short PATH.
    searchPath: [searchPath ?? '', '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
  })
  const warned = new Set<string>()
  if (warning !== undefined) note(warning, undefined)
  const limits = options.limits ?? decoderLimitsHere()
  const processing = startProcessing({
    ...limits,
    sandbox,
    searchPath,
    homeTimeZone: options.homeTimeZone,
    warn: note,
    log: options.log,
  })
  // One more slot than a single person may use, so that one person's long videos never block the others.
  const videoSlots = createFairSemaphore({ size: limits.videos, sizePerOwner: limits.videos - 1 })
  let found: Promise<FoundFfmpeg | undefined> | undefined

  function note(sentence: string, cause: unknown): void {
    warned.add(sentence)
    warn(sentence, cause)
  }

  function ffmpeg(): Promise<FoundFfmpeg | undefined> {
    found ??= findFfmpeg({ configuredPath: ffmpegPath, searchPath, findPackaged: options.findPackagedFfmpeg, sandbox })
    return found
  }

  return {
    ...processing,
    homeTimeZone: options.homeTimeZone,
    filesAtOnce: limits.decoders + FILES_BEYOND_DECODERS,
    sandboxLevel: sandbox.level,
    ffmpeg,
    async withVideoSlot(ownerId, signal, work) {
      const release = await videoSlots.acquire(ownerId, signal)
      return work().finally(release)
    },
    async makePictures({ path, format, folder, rotation }, run) {
      const made = await processing.makeVariants({ path, format, outDir: folder, rotation }, run)
      const pictures = made.variants.map(({ name, mime, size, width, height }) => {
        // The path that was asked for, not the one in the reply: the decoder may have been taken over by a hostile file.
        const path = pathBelow(folder, `${name}.${mime === 'image/png' ? 'png' : 'jpg'}`)
        return { kind: name, path, size, mime, width, height }
      })
      return { ...made, pictures }
    },
    async warnings() {
      return [
        ...ffmpegWarnings(await ffmpeg()),
        ...((await processing.rendersRaw()) ? [] : [LIBRAW_MISSING]),
        ...warned,
      ]
    },
    async close() {
      await processing.close()
      sandbox.close()
    },
  }
}

/** While some files are decoded, metadata is read and results are stored for others. */
const FILES_BEYOND_DECODERS = 2
/** A decoder takes 150 MB for 12 megapixels and up to 600 MB for 50; rarely all at the same time. */
const MB_PER_DECODER = 400
const MB_PER_LARGE_DECODER = 1_500
/** The limit for ffmpeg; few videos need half of it. */
const MB_PER_VIDEO = defaultVideoLimits.memoryMb

/** One decoder per core (they run at low priority, see `lowerPriority`), within half of the memory. */
export function decoderLimits({ cores, memoryMb }: { cores: number; memoryMb: number }) {
  const half = memoryMb / 2
  return {
    decoders: Math.max(1, Math.min(cores, Math.floor(half / MB_PER_DECODER))),
    largeDecoders: Math.max(2, Math.floor(half / MB_PER_LARGE_DECODER)),
    // Videos whose poster is made at the same time.
    videos: Math.max(2, Math.min(cores + 1, Math.floor(half / MB_PER_VIDEO))),
  }
}

export function decoderLimitsHere() {
  return decoderLimits({ cores: availableParallelism(), memoryMb: memoryOfMachine() })
}

/** In MB; the container's limit if it has one. */
function memoryOfMachine(): number {
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY
  return Math.min(totalmem(), limit) / 1024 ** 2
}

function ffmpegWarnings(ffmpeg: FoundFfmpeg | undefined): string[] {
  if (!ffmpeg) return ['ffmpeg is not installed, so videos cannot be prepared. Install it, or set FFMPEG_PATH.']
  if (canTranscode(ffmpeg)) return []
  return ['The installed ffmpeg cannot encode H.264 and AAC, so some videos will not play in browsers.']
}
