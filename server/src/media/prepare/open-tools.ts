import { availableParallelism } from 'node:os'
import { delimiter } from 'node:path'
import { pathBelow } from '../../kit/safe-path.ts'
import { startProcessing } from '../../processing/processing.ts'
import { LIBRAW_MISSING } from '../../processing/raw/render-raw.ts'
import { openSandbox, type SandboxMode } from '../../processing/sandbox/open-sandbox.ts'
import type { SandboxLevel } from '../../processing/sandbox/sandbox.ts'
import { canTranscode, type FoundFfmpeg, findFfmpeg } from '../../processing/video/find-ffmpeg.ts'
import type { MediaTools } from './tools.ts'

export interface OpenTools extends MediaTools {
  /** What this machine lacks, in sentences for the admins. */
  warnings(): Promise<string[]>
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
  const processing = startProcessing({
    // Half of the cores: people look at photos while others are being prepared, and each decoder takes its memory.
    decoders: Math.max(1, Math.floor(availableParallelism() / 2)),
    sandbox,
    searchPath,
    homeTimeZone: options.homeTimeZone,
    warn: note,
    log: options.log,
  })
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
    sandboxLevel: sandbox.level,
    ffmpeg,
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

function ffmpegWarnings(ffmpeg: FoundFfmpeg | undefined): string[] {
  if (!ffmpeg)
    return ['There is no ffmpeg on this machine, so videos cannot be prepared. Install it, or set FFMPEG_PATH.']
  if (canTranscode(ffmpeg)) return []
  return ['The ffmpeg of this machine cannot write H.264 and AAC, so some videos will not play in browsers.']
}
