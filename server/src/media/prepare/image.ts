import { viewingSizes } from '#contract/limits.ts'
import type { MediaRow, NewMedia, Tx } from '../../db/schema.ts'
import type { RootFolder } from '../../kit/safe-path.ts'
import { ProcessingError } from '../../processing/errors.ts'
import type { ImageFormat } from '../../processing/formats.ts'
import { findParts } from '../media.sql.ts'
import { extractMetadata } from './learn.ts'
import { embeddedClip } from './motion.ts'
import { enqueueMotion, type PrepareDeps } from './orders.ts'
import { readyColumns, storeParts } from './pictures.ts'

/** The four sizes, a full-size version where browsers can't show the original, and what the camera wrote. */
export async function prepareImage(
  deps: PrepareDeps,
  media: MediaRow,
  path: string,
  folder: RootFolder,
  signal: AbortSignal,
): Promise<void> {
  const format = media.format as ImageFormat
  const learned = await extractMetadata(deps, media, path, signal)
  // A file that cannot be shown still stands under the day on which it was taken.
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
  // Pictures of a damaged original are made again: it may have been replaced by a sound one.
  if (media.shown_part && viewingSizes.every(has) && media.partly_damaged === 0) {
    const partly_damaged = (await findDamage(deps, media, path, signal)) ? 1 : 0
    await storeParts(deps, media, [], { ...facts, ...readyColumns, partly_damaged }, also)
    return
  }
  const order = { path, format, folder, ownerId: media.uploaded_by }
  const made = await deps.tools.makePictures(order, signal).catch(keep(facts))
  const shownPart = made.pictures.some(picture => picture.name === 'full') ? 'full' : 'original'
  const { width, height, thumbhash } = made
  const shown = { width, height, thumbhash, shown_part: shownPart, partly_damaged: made.damaged ? 1 : 0 } as const
  await storeParts(deps, media, made.pictures, { ...facts, ...readyColumns, ...shown }, also)
}

/** Of an original whose pictures a client made. Where the search fails, the pictures are no worse than without it. */
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

/** A file whose frames can't be counted is shown as a still one, if it can be shown at all. */
async function isAnimated(deps: PrepareDeps, media: MediaRow, path: string, signal: AbortSignal): Promise<boolean> {
  const file = { path, format: media.format as ImageFormat }
  try {
    return await deps.tools.isAnimated(file, { signal, ownerId: media.uploaded_by })
  } catch (error) {
    if (error instanceof ProcessingError && !error.isRetryable) return false
    throw error
  }
}

/** Trouble with the search for a clip is the motion job's: the photo itself is none the worse for it. */
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
