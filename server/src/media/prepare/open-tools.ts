import { availableParallelism } from 'node:os'
import { startProcessing } from '../../processing/processing.ts'
import { canTranscode, type FoundFfmpeg, findFfmpeg } from '../../processing/video/find-ffmpeg.ts'
import type { MediaTools } from './tools.ts'

export interface OpenTools extends MediaTools {
  /** What this machine lacks, in sentences for the admins. */
  warnings(): Promise<string[]>
  close(): Promise<void>
}

export interface ToolsOptions {
  ffmpegPath: string | undefined
  searchPath: string | undefined
  warn(sentence: string, cause: unknown): void
}

/** Starts nothing yet: decoders and programs come up when a file needs them. */
export function openMediaTools({ ffmpegPath, searchPath, warn }: ToolsOptions): OpenTools {
  const said = new Set<string>()
  const processing = startProcessing({
    // Half of the cores: people look at photos while others are being prepared, and each decoder takes its memory.
    decoders: Math.max(1, Math.floor(availableParallelism() / 2)),
    warn(sentence, cause) {
      said.add(sentence)
      warn(sentence, cause)
    },
  })
  let found: Promise<FoundFfmpeg | undefined> | undefined

  function ffmpeg(): Promise<FoundFfmpeg | undefined> {
    found ??= findFfmpeg({ configuredPath: ffmpegPath, searchPath })
    return found
  }

  return {
    ...processing,
    ffmpeg,
    async makePictures({ path, format, folder, ownerId }, signal) {
      const made = await processing.makeVariants({ path, format, outDir: folder }, { signal, ownerId })
      const extensionOf = (mime: string) => (mime === 'image/png' ? 'png' : 'jpg')
      return { ...made, pictures: made.variants.map(variant => ({ ...variant, extension: extensionOf(variant.mime) })) }
    },
    async warnings() {
      return [...ffmpegWarnings(await ffmpeg()), ...said]
    },
  }
}

function ffmpegWarnings(ffmpeg: FoundFfmpeg | undefined): string[] {
  if (!ffmpeg)
    return ['There is no ffmpeg on this machine, so videos cannot be prepared. Install it, or set FFMPEG_PATH.']
  if (canTranscode(ffmpeg)) return []
  return ['The ffmpeg of this machine cannot write H.264 and AAC, so some videos will not play in browsers.']
}
