import { viewingSizes } from '#contract/limits.ts'
import type { MediaRow, NewMedia, Tx } from '../../db/schema.ts'
import { ifPermanent, ProcessingError } from '../../processing/errors.ts'
import type { ImageFormat } from '../../processing/formats.ts'
import { findMedia, findParts } from '../media.sql.ts'
import { extractMetadata } from './extract-metadata.ts'
import { enqueueMotion, enqueueRotate, type FileTask, type PrepareDeps, photoOf } from './jobs.ts'
import { embeddedClip } from './motion.ts'
import { readyColumns, storeParts } from './store-parts.ts'

/** Makes the four sizes, a full-size version if browsers cannot show the original, and extracts metadata. */
export async function prepareImage(deps: PrepareDeps, task: FileTask): Promise<void> {
  const { media } = task
  const learned = await extractMetadata(deps, task)
  // Even a file that cannot be shown is listed under the day when it was taken.
  const keep = (known: Partial<NewMedia>) => async (error: unknown) => {
    await storeParts(deps, media, [], known)
    throw error
  }
  const animated = await isAnimated(deps, task).catch(keep(learned))
  const facts = { ...learned, animated: animated ? 1 : 0 }
  const parts = (await findParts(deps.db.query, [media.id])).get(media.id) ?? []
  const has = (kind: string) => parts.some(part => part.kind === kind)
  const moves = !media.motion_part && (has('motion') || (await mayHaveEmbeddedClip(deps, task)))
  const also = (tx: Tx) => (moves ? enqueueMotion(deps.queue, tx, media) : Promise.resolve())
  // Variants of a damaged original are made again: it may have been replaced by an intact one.
  if (media.shown_part && viewingSizes.every(has) && media.partly_damaged === 0) {
    const partly_damaged = (await findDamage(deps, task)) ? 1 : 0
    await storeParts(deps, media, [], { ...facts, ...readyColumns, partly_damaged }, also)
    return
  }
  const made = await makePictures(deps, task).catch(keep(facts))
  await storeParts(deps, media, made.pictures, { ...facts, ...readyColumns, ...made.columns }, async tx => {
    await also(tx)
    await rotateAgainIfChanged(deps, tx, media)
  })
}

/** Makes the variants again in the direction that somebody has saved. Nothing else about the file changes. */
export async function rotateImage(deps: PrepareDeps, task: FileTask): Promise<void> {
  const { media } = task
  if (media.rotation === media.variants_rotation) return
  const { pictures, columns } = await makePictures(deps, task)
  await storeParts(deps, media, pictures, columns, tx => rotateAgainIfChanged(deps, tx, media))
}

async function makePictures(deps: PrepareDeps, { media, path, folder, signal }: FileTask) {
  const { rotation, uploaded_by: ownerId } = media
  const order = { path, format: media.format as ImageFormat, folder, rotation, ownerId }
  const { pictures, width, height, thumbhash, damaged } = await deps.tools.makePictures(order, signal)
  const shown_part = pictures.some(picture => picture.kind === 'full') ? 'full' : 'original'
  const shown = { shown_part, partly_damaged: damaged ? 1 : 0 } as const
  return { pictures, columns: { width, height, thumbhash, variants_rotation: rotation, ...shown } }
}

/** Somebody may have turned the photo while its variants were made. */
async function rotateAgainIfChanged(deps: PrepareDeps, tx: Tx, made: MediaRow): Promise<void> {
  const media = await findMedia(tx, made.id)
  if (media && media.rotation !== made.rotation) await enqueueRotate(deps.queue, tx, media)
}

/** Checks an original whose variants were made by a client. If the check itself fails, the variants are used anyway. */
async function findDamage(deps: PrepareDeps, task: FileTask): Promise<boolean> {
  try {
    return await deps.tools.isPartlyDamaged(...photoOf(task))
  } catch (error) {
    task.signal.throwIfAborted()
    if (error instanceof ProcessingError) return false
    throw error
  }
}

/** False when the frames cannot be counted: then it is shown as a still. */
function isAnimated(deps: PrepareDeps, task: FileTask): Promise<boolean> {
  return deps.tools.isAnimated(...photoOf(task)).catch(ifPermanent(false))
}

/** True if the search fails: the motion job repeats it, and the photo itself must not fail. */
async function mayHaveEmbeddedClip(deps: PrepareDeps, task: FileTask): Promise<boolean> {
  try {
    return (await embeddedClip(deps, task)) !== undefined
  } catch {
    task.signal.throwIfAborted()
    return true
  }
}
