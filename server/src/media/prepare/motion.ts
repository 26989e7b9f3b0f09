import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { MediaRow } from '../../db/schema.ts'
import { pathBelow, type RootFolder } from '../../kit/safe-path.ts'
import { ProcessingError } from '../../processing/errors.ts'
import type { ImageFormat } from '../../processing/formats.ts'
import type { ByteRange } from '../../processing/structure/file-window.ts'
import { asStorageError } from '../../storage/local/disk-errors.ts'
import type { PrepareDeps } from './orders.ts'
import { storeParts } from './pictures.ts'
import { makePlayable } from './playable.ts'

/** Makes a Live Photo's clip play in every browser: phones film most of them in ways that only some can show. */
export async function prepareMotion(
  deps: PrepareDeps,
  media: MediaRow,
  path: string,
  folder: RootFolder,
  signal: AbortSignal,
): Promise<void> {
  const { made: clip } = await makePlayable(deps, { path, folder, name: 'motion_full', signal })
  await storeParts(deps, media, clip ? [clip] : [], { motion_part: clip ? 'motion_full' : 'motion' })
}

/**
 * Makes the clip inside a motion photo play. The original keeps the clip as it was filmed, so that what is stored beside
 * it can be made again, like any other variant.
 */
export async function prepareEmbeddedMotion(
  deps: PrepareDeps,
  media: MediaRow,
  path: string,
  folder: RootFolder,
  signal: AbortSignal,
): Promise<void> {
  const range = await embeddedClip(deps, media, path, signal)
  if (!range) return
  const copy = pathBelow(folder, 'embedded.mp4')
  await copyRange(path, range, copy, signal)
  const plays = {
    name: 'motion_full',
    path: copy,
    size: range.length,
    mime: 'video/mp4',
    extension: 'mp4',
    width: null,
    height: null,
  } as const
  const { made } = await makePlayable(deps, { path: copy, folder, name: 'motion_full', signal })
  await storeParts(deps, media, [made ?? plays], { motion_part: 'motion_full' })
}

/** Where an original holds a clip. A photo whose structure is too odd to tell is one without. */
export async function embeddedClip(
  { tools }: Pick<PrepareDeps, 'tools'>,
  media: MediaRow,
  path: string,
  signal: AbortSignal,
): Promise<ByteRange | undefined> {
  try {
    const photo = { path, format: media.format as ImageFormat }
    return await tools.findEmbeddedClip(photo, { signal, ownerId: media.uploaded_by })
  } catch (error) {
    if (error instanceof ProcessingError && !error.isRetryable) return undefined
    throw error
  }
}

async function copyRange(
  path: string,
  { offset, length }: ByteRange,
  target: string,
  signal: AbortSignal,
): Promise<void> {
  const bytes = createReadStream(path, { start: offset, end: offset + length - 1 })
  try {
    await pipeline(bytes, createWriteStream(target, { flags: 'wx' }), { signal })
  } catch (error) {
    signal.throwIfAborted()
    throw asStorageError(error)
  }
}
