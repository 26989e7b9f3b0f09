import type { PhotoMetadata } from '#contract/metadata.ts'
import type { MadeVariants } from './images/made.ts'
import { prepareImage } from './images/prepare-image.ts'
import type { Preparer, PreparerSettings } from './prepare.ts'
import { VideoPreparer } from './video/prepare-video.ts'
import { TaskFailure, WorkerBreakdown, WorkerPool } from './workers/pool.ts'

/** Two pictures at once keep a processor busy while one is read or written; more would take a phone's memory. */
const IMAGE_WORKERS = 2

export function createPreparer({ transcoderCoreUrl }: PreparerSettings = {}): Preparer {
  const metadata = new WorkerPool<Blob, PhotoMetadata>(
    () => new Worker(new URL('./metadata/metadata.worker.ts', import.meta.url), { type: 'module' }),
  )
  const hashing = new WorkerPool<File, string>(
    () => new Worker(new URL('./hash.worker.ts', import.meta.url), { type: 'module' }),
  )
  const images = new WorkerPool<Blob, MadeVariants>(
    () => new Worker(new URL('./images/image.worker.ts', import.meta.url), { type: 'module' }),
    IMAGE_WORKERS,
  )
  const videos = new VideoPreparer(transcoderCoreUrl)
  return {
    readMetadata: (file, options) => metadata.run(file, options).catch(nothingKnown),
    hashFile: (file, options) => hashing.run(file, options),
    prepareImage: (file, options = {}) => prepareImage(images, file, options),
    prepareVideo: (file, options = {}) => videos.prepare(file, options),
    dispose() {
      for (const part of [metadata, hashing, images, videos]) part.dispose()
    },
  }
}

/** Nothing hangs on metadata: the server reads them again. Only an abort is passed on. */
function nothingKnown(error: unknown): PhotoMetadata {
  if (error instanceof TaskFailure || error instanceof WorkerBreakdown) return {}
  throw error
}
