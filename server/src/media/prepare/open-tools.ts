import { canTranscode, type FoundFfmpeg, findFfmpeg } from '../../processing/video/find-ffmpeg.ts'
import { startWorkerPool } from '../../processing/worker-pool.ts'
import { type Decoders, type MediaTools, makePictures } from './tools.ts'

export interface OpenTools extends MediaTools {
  decoders: Decoders
  /** What this machine lacks, in sentences for the admins. */
  warnings(): Promise<string[]>
  close(): Promise<void>
}

const DECODER = new URL('../../processing/images/decoder.ts', import.meta.url)

/** Starts nothing yet: decoders and programs come up when a file needs them. */
export function openMediaTools(where: { ffmpegPath: string | undefined; searchPath: string | undefined }): OpenTools {
  const decoders: Decoders = startWorkerPool(DECODER, { size: 2, memoryMb: 1_500, timeoutMs: 120_000 })
  let ffmpeg: Promise<FoundFfmpeg | undefined> | undefined

  function findOnce(): Promise<FoundFfmpeg | undefined> {
    ffmpeg ??= findFfmpeg({ configuredPath: where.ffmpegPath, searchPath: where.searchPath })
    return ffmpeg
  }

  return {
    decoders,
    makePictures: (order, signal) => makePictures(decoders, order, signal),
    readMetadata: async () => null,
    placeName: async () => null,
    ffmpeg: findOnce,
    async warnings() {
      const found = await findOnce()
      if (!found)
        return ['There is no ffmpeg on this machine, so videos cannot be prepared. Install it, or set FFMPEG_PATH.']
      if (canTranscode(found)) return []
      return ['The ffmpeg of this machine cannot write H.264 and AAC, so some videos will not play in browsers.']
    },
    close: () => decoders.close(),
  }
}
