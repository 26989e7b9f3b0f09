import { viewingSizes } from '#contract/limits.ts'
import type { MediaRow, NewMedia, Tx } from '../../db/schema.ts'
import type { RootFolder } from '../../kit/safe-path.ts'
import { ProcessingError } from '../../processing/errors.ts'
import type { ImageFormat } from '../../processing/formats.ts'
import { findParts } from '../media.sql.ts'
import { extractMetadata } from './extract-metadata.ts'
import { enqueueMotion, type PrepareDeps } from './jobs.ts'
import { embeddedClip } from './motion.ts'
import { readyColumns, storeParts } from './store-parts.ts'

/** Makes the four sizes, a full-size version if browsers cannot show the original, and extracts metadata. */
export async function prepareImage(
  deps: PrepareDeps,
  media: MediaRow,
  path: string,
  folder: RootFolder,
  signal: AbortSignal,
): Promise<void> {
  const format = media.format as ImageFormat
  const learned = await extractMetadata(deps, media, path, signal)
  // Even a file that cannot be shown is listed under the day when it was taken.
  const keep = (known: Partial<NewMedia>) => async (error: unknown) => {
    await storeParts(deps, media, [], known)
    throw error
  }
  const animated = await isAnimated(deps, media, path, signal).catch(keep(learned))
  const facts = { ...learned, animated: animated ? 1 : 0 }
  const parts = (await findParts(deps.db.query, [media.id])).get(media.id) ?? []
  const has = (kind: string) => parts.some(part => part.kind === kind)
  const moves = !media.motion_part && (has('motion') || (await mayHaveEmbeddedClip(deps, media, path, signal)))
  const also = (tx: Tx) => (moves ? enqueueMotion(deps.queue, tx, media) : Promise.resolve())
  // Variants of a damaged original are made again: it may have been replaced by an intact one.
  if (media.shown_part && viewingSizes.every(has) && media.partly_damaged === 0) {
    const partly_damaged = (await findDamage(deps, media, path, signal)) ? 1 : 0
    await storeParts(deps, media, [], { ...facts, ...readyColumns, partly_damaged }, also)
    return
  }
  const order = { path, format, folder, ownerId: media.uploaded_by }
  const made = await deps.tools.makePictures(order, signal).catch(keep(facts))
  const shownPart = made.pictures.some(picture => picture.kind === 'full') ? 'full' : 'original'
  const { width, height, thumbhash } = made
  const shown = { width, height, thumbhash, shown_part: shownPart, partly_damaged: made.damaged ? 1 : 0 } as const
  await storeParts(deps, media, made.pictures, { ...facts, ...readyColumns, ...shown }, also)
}

/** Checks an original whose variants were made by a client. If the check itself fails, the variants are used anyway. */
async function findDamage(deps: PrepareDeps, media: MediaRow, path: string, signal: AbortSignal): Promise<boolean> {
  const file = { path, format: media.format as ImageFormat }
  try {
    return await deps.tools.isPartlyDamaged(file, { signal, ownerId: media.uploaded_by })
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ProcessingError) return false
    throw error
  }
}

/** False when the frames cannot be counted: then it is shown as a still. */
async function isAnimated(deps: PrepareDeps, media: MediaRow, path: string, signal: AbortSignal): Promise<boolean> {
  const file = { path, format: media.format as ImageFormat }
  try {
    return await deps.tools.isAnimated(file, { signal, ownerId: media.uploaded_by })
  } catch (error) {
    if (error instanceof ProcessingError && !error.isRetryable) return false
    throw error
  }
}

/** True if the search fails: the motion job repeats it, and the photo itself must not fail. */
async function mayHaveEmbeddedClip(
  deps: PrepareDeps,
  media: MediaRow,
  path: string,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    return (await embeddedClip(deps, media, path, signal)) !== undefined
  } catch {
    signal.throwIfAborted()
    return true
  }
}
