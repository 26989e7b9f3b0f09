import { availableParallelism, totalmem } from 'node:os'
import { delimiter } from 'node:path'
import { pathBelow } from '../../kit/safe-path.ts'
import { createFairSemaphore } from '../../processing/owner-turns.ts'
import { startProcessing } from '../../processing/processing.ts'
import { LIBRAW_MISSING } from '../../processing/raw/render-raw.ts'
import { openSandbox, type SandboxMode } from '../../processing/sandbox/open-sandbox.ts'
import type { SandboxLevel } from '../../processing/sandbox/sandbox.ts'
import { canTranscode, type FoundFfmpeg, findFfmpeg } from '../../processing/video/find-ffmpeg.ts'
import { defaultVideoLimits } from '../../processing/video/run-ffmpeg.ts'
import type { MediaTools } from './tools.ts'

export interface OpenTools extends MediaTools {
  /** What this machine lacks, in sentences for the admins. */
  warnings(): Promise<string[]>
  /** How many files of one person to prepare at the same time, so that no decoder waits for work. */
  readonly filesAtOnce: number
  /** How far the programs that read foreign files are confined. */
  readonly sandboxLevel: SandboxLevel
  close(): Promise<void>
}

export interface ToolsOptions {
  ffmpegPath: string | undefined
  searchPath: string | undefined
  sandbox: SandboxMode
  homeTimeZone: string
  /** Where files are exchanged with the sandbox. */
  exchangeFolder: string
  dataFolder: string
  /** Absent: what this machine has room for. */
  limits?: ReturnType<typeof decoderLimits> | undefined
  /** For the log. Admins read the sentence too. */
  warn(sentence: string, cause: unknown): void
  /** For the log alone. */
  log(sentence: string, cause: unknown): void
}

/** Only tries the sandbox: decoders and programs start when a file needs them. Throws a SandboxUnavailable. */
export async function openMediaTools(options: ToolsOptions): Promise<OpenTools> {
  const { ffmpegPath, searchPath, warn, exchangeFolder: folder, dataFolder } = options
  const { sandbox, warning } = await openSandbox({
    mode: options.sandbox,
    folder,
    hidden: [dataFolder],
    // A service may be started with a PATH that lacks what the system has.
    searchPath: [searchPath ?? '', '/usr/local/bin', '/usr/bin', '/bin'].join(delimiter),
  })
  const said = new Set<string>()
  if (warning !== undefined) note(warning, undefined)
  const room = options.limits ?? decoderLimits({ cores: availableParallelism(), memoryMb: memoryOfMachine() })
  const processing = startProcessing({
    ...room,
    sandbox,
    searchPath,
    homeTimeZone: options.homeTimeZone,
    warn: note,
    log: options.log,
  })
  // One more than a single person may use: a film that takes minutes keeps nobody else waiting.
  const videoTurns = createFairSemaphore({ size: room.videos, sizePerOwner: room.videos - 1 })
  let found: Promise<FoundFfmpeg | undefined> | undefined

  function note(sentence: string, cause: unknown): void {
    said.add(sentence)
    warn(sentence, cause)
  }

  function ffmpeg(): Promise<FoundFfmpeg | undefined> {
    found ??= findFfmpeg({ configuredPath: ffmpegPath, searchPath, sandbox })
    return found
  }

  return {
    ...processing,
    homeTimeZone: options.homeTimeZone,
    filesAtOnce: room.decoders + FILES_BEYOND_DECODERS,
    sandboxLevel: sandbox.level,
    ffmpeg,
    async withVideoSlot(ownerId, signal, work) {
      const giveBack = await videoTurns.acquire(ownerId, signal)
      return work().finally(giveBack)
    },
    async makePictures({ path, format, folder, ownerId }, signal) {
      const made = await processing.makeVariants({ path, format, outDir: folder }, { signal, ownerId })
      const pictures = made.variants.map(variant => {
        const extension = variant.mime === 'image/png' ? 'png' : 'jpg'
        // Where it was asked for, not where the decoder says: that process has read a stranger's file.
        return { ...variant, extension, path: pathBelow(folder, `${variant.name}.${extension}`) }
      })
      return { ...made, pictures }
    },
    async warnings() {
      return [...ffmpegWarnings(await ffmpeg()), ...((await processing.rendersRaw()) ? [] : [LIBRAW_MISSING]), ...said]
    },
  }
}

/** While some files are decoded, the metadata of others is read, and what was made of others is stored. */
const FILES_BEYOND_DECODERS = 2
/** For a photo of 12 megapixels a decoder takes 150 MB, for one of 50 up to 600; rarely all at the same time. */
const MB_PER_DECODER = 400
const MB_PER_LARGE_DECODER = 1_500
/** What ffmpeg may take; few videos need half of it. */
const MB_PER_VIDEO = defaultVideoLimits.memoryMb

/** Every core, since decoders run at the lowest priority (`lowerPriority`), as far as half of the memory is enough for them. */
export function decoderLimits({ cores, memoryMb }: { cores: number; memoryMb: number }) {
  const half = memoryMb / 2
  return {
    decoders: Math.max(1, Math.min(cores, Math.floor(half / MB_PER_DECODER))),
    largeDecoders: Math.max(2, Math.floor(half / MB_PER_LARGE_DECODER)),
    // Videos whose picture is made at the same time.
    videos: Math.max(2, Math.min(cores + 1, Math.floor(half / MB_PER_VIDEO))),
  }
}

/** Of the container, where it has a limit of its own. */
function memoryOfMachine(): number {
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY
  return Math.min(totalmem(), limit) / 1024 ** 2
}

function ffmpegWarnings(ffmpeg: FoundFfmpeg | undefined): string[] {
  if (!ffmpeg)
    return ['There is no ffmpeg on this machine, so videos cannot be prepared. Install it, or set FFMPEG_PATH.']
  if (canTranscode(ffmpeg)) return []
  return ['The ffmpeg of this machine cannot write H.264 and AAC, so some videos will not play in browsers.']
}
