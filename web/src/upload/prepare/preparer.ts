import { type VariantName, variants } from '#contract/limits.ts'
import type { PhotoMetadata } from '#contract/metadata.ts'
import {
  type ImageVariants,
  isUnreadable,
  PreparationError,
  type PreparationOptions,
  type PreparedImage,
  type PreparedVariant,
  type Preparer,
  type PreparerSettings,
  whyNotPrepared,
} from './prepare.ts'
import { texts } from './texts.ts'
import { VideoPreparer } from './video/prepare-video.ts'
import { TaskFailure, WorkerCrash, WorkerPool, WorkerStalled } from './worker-pool.ts'

/** With two workers, one can compute while the other reads or writes. More would need too much memory on phones. */
const IMAGE_WORKERS = 2

export function createPreparer({ transcoderCoreUrl }: PreparerSettings = {}): Preparer {
  const metadata = new WorkerPool<Blob, PhotoMetadata>(
    () => new Worker(new URL('./metadata.worker.ts', import.meta.url), { type: 'module' }),
  )
  const hashing = new WorkerPool<File, string>(
    () => new Worker(new URL('./hash.worker.ts', import.meta.url), { type: 'module' }),
  )
  const images = new WorkerPool<Blob, ImageVariants>(
    () => new Worker(new URL('./images/image.worker.ts', import.meta.url), { type: 'module' }),
    IMAGE_WORKERS,
  )
  const videos = new VideoPreparer(transcoderCoreUrl)
  return {
    readMetadata: (file, options) => metadata.run(file, options).catch(emptyMetadata),
    hashFile: (file, options) => hashing.run(file, options).catch(hashFailure),
    prepareImage: (file, options = {}) => prepareImage(images, file, options),
    prepareVideo: (file, options = {}) => videos.prepare(file, options),
    dispose() {
      for (const part of [metadata, hashing, images, videos]) part.dispose()
    },
  }
}

/** Metadata is optional because the server reads it too. Only an abort is rethrown. */
function emptyMetadata(error: unknown): PhotoMetadata {
  if (error instanceof TaskFailure || error instanceof WorkerCrash) return {}
  throw error
}

/** With a message for the person, where there is one. */
function hashFailure(error: unknown): never {
  const known = whyNotPrepared(error)
  if (known) throw new Error(texts.leftToServer[known], { cause: error })
  if (error instanceof WorkerStalled) throw new Error(texts.errors.noProgress, { cause: error })
  if (error instanceof WorkerCrash) throw new Error(error.message || texts.errors.notLoaded, { cause: error })
  throw error
}

const order = Object.keys(variants) as VariantName[]

async function prepareImage(
  pool: WorkerPool<Blob, ImageVariants>,
  file: File,
  options: PreparationOptions,
): Promise<PreparedImage> {
  // Browsers report an empty type for unknown formats; then the content decides.
  if (file.type !== '' && !file.type.startsWith('image/')) throw new PreparationError(texts.errors.notAnImage)
  try {
    return toPrepared(file, await pool.run(file, options))
  } catch (error) {
    if (isUnreadable(error)) throw new PreparationError(texts.errors.unreadableImage, { cause: error })
    if (error instanceof WorkerCrash) return { outcome: 'server', reason: texts.leftToServer.brokenDown }
    if (!(error instanceof TaskFailure)) throw error
    return { outcome: 'server', reason: texts.leftToServer[whyNotPrepared(error) ?? 'undecodable'] }
  }
}

function toPrepared(file: File, { width, height, variants: made }: ImageVariants): PreparedImage {
  const fullIsOriginal = made.every(({ type }) => type !== 'full')
  const all = fullIsOriginal ? [...made, { type: 'full' as const, blob: file, width, height }] : made
  const prepared = all.map((variant): PreparedVariant => {
    const { quality, suffix } = variants[variant.type]
    return { ...variant, quality, suffix, original: file }
  })
  prepared.sort((a, b) => order.indexOf(a.type) - order.indexOf(b.type))
  return { outcome: 'prepared', width, height, variants: prepared, fullIsOriginal }
}
