import { viewingSizes } from '#contract/limits.ts'
import type { MediaRow, NewMedia, Tx } from '../../db/schema.ts'
import { ifPermanent, ProcessingError } from '../../processing/errors.ts'
import type { ImageFormat } from '../../processing/formats.ts'
import { findMissingEnd } from '../../processing/structure/completeness/find-missing-end.ts'
import { damageColumns } from '../incomplete.ts'
import { findMedia, findParts } from '../media.sql.ts'
import { animatedValues, makeAnimation, needsAnimation } from './animation.ts'
import { extractMetadata } from './extract-metadata.ts'
import { enqueueMotion, enqueueRotate, type FileTask, type PrepareDeps, photoOf, runOptionsOf } from './jobs.ts'
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
  const missing = await findMissingEnd(task.path, media.format as ImageFormat)
  const plays = animated && !needsAnimation(media.format)
  const facts = { ...learned, animated: plays ? animatedValues.plays : animatedValues.no, ...damageColumns(missing) }
  const parts = (await findParts(deps.db.query, [media.id])).get(media.id) ?? []
  const has = (kind: string) => parts.some(part => part.kind === kind)
  const moves = !media.motion_part && (has('motion') || (await mayHaveEmbeddedClip(deps, task)))
  const also = (tx: Tx) => (moves ? enqueueMotion(deps.queue, tx, media) : Promise.resolve())
  // Variants of a damaged original are made again: it may have been replaced by an intact one.
  const isShown = media.shown_part && viewingSizes.every(has) && media.partly_damaged === 0
  if (isShown && animated === plays) {
    const damage = damageColumns(missing, await findDamage(deps, task))
    await storeParts(deps, media, [], { ...facts, ...readyColumns, ...damage }, also)
    return
  }
  const made = await (animated ? makeMovingPictures : makePictures)(deps, task).catch(keep(facts))
  const damage = damageColumns(missing, { lostPixels: made.damaged, isDecoded: true })
  await storeParts(deps, media, made.pictures, { ...facts, ...readyColumns, ...made.columns, ...damage }, async tx => {
    await also(tx)
    await rotateAgainIfChanged(deps, tx, media)
  })
}

/** Makes the variants again in the direction that somebody has saved. Nothing else about the file changes. */
export async function rotateImage(deps: PrepareDeps, task: FileTask): Promise<void> {
  const { media } = task
  if (media.rotation === media.variants_rotation) return
  const made = await makePictures(deps, task)
  // What plays is never rotated: the viewer does that.
  const { pictures, columns } = media.animated === animatedValues.plays ? withoutFull(made, media.shown_part) : made
  await storeParts(deps, media, pictures, columns, tx => rotateAgainIfChanged(deps, tx, media))
}

/** Of an animated picture: the variants are stills, `full` is what plays if browsers cannot play the original. */
async function makeMovingPictures(deps: PrepareDeps, task: FileTask) {
  const { format } = task.media
  if (!needsAnimation(format)) return withoutFull(await makePictures(deps, task), 'original')
  const { file: animation, animated } = await makeAnimation(deps, task)
  const made = await makePictures(deps, task).catch(error => {
    // ffmpeg reads some sequences that libheif does not.
    if (!animation || !(error instanceof ProcessingError) || error.isRetryable) throw error
    return makePictures(deps, task, { path: animation.path, format: 'webp' })
  })
  const { pictures, ...stills } = animation ? withoutFull(made, 'full') : made
  return {
    ...stills,
    pictures: [...pictures, ...(animation ? [animation] : [])],
    columns: { ...stills.columns, animated },
  }
}

type MadePhoto = Awaited<ReturnType<typeof makePictures>>

function withoutFull(made: MadePhoto, shown_part: MediaRow['shown_part']) {
  const pictures = made.pictures.filter(picture => picture.kind !== 'full')
  return { ...made, pictures, columns: { ...made.columns, shown_part } }
}

async function makePictures(
  deps: PrepareDeps,
  task: FileTask,
  { path, format }: { path: string; format: ImageFormat } = photoOf(task)[0],
) {
  const { media, folder } = task
  const { rotation } = media
  const order = { path, format, folder, rotation }
  const { pictures, width, height, thumbhash, damaged } = await deps.tools.makePictures(order, runOptionsOf(task))
  const shown_part = pictures.some(picture => picture.kind === 'full') ? 'full' : 'original'
  const columns = { width, height, thumbhash, variants_rotation: rotation, shown_part } as const
  return { pictures, damaged, columns }
}

/** Somebody may have turned the photo while its variants were made. */
async function rotateAgainIfChanged(deps: PrepareDeps, tx: Tx, made: MediaRow): Promise<void> {
  const media = await findMedia(tx, made.id)
  if (media && media.rotation !== made.rotation) await enqueueRotate(deps.queue, tx, media)
}

/** Checks an original whose variants were made by a client. If the check itself fails, the variants are used anyway. */
async function findDamage(deps: PrepareDeps, task: FileTask): Promise<{ lostPixels: boolean; isDecoded: boolean }> {
  try {
    return { lostPixels: await deps.tools.isPartlyDamaged(...photoOf(task)), isDecoded: true }
  } catch (error) {
    task.signal.throwIfAborted()
    if (error instanceof ProcessingError) return { lostPixels: false, isDecoded: false }
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
