import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { pathBelow } from '../../kit/safe-path.ts'
import { ifPermanent } from '../../processing/errors.ts'
import type { ByteRange } from '../../processing/structure/file-window.ts'
import { asStorageError } from '../../storage/local/disk-errors.ts'
import { type FileTask, type PrepareDeps, photoOf } from './jobs.ts'
import { storeParts } from './store-parts.ts'
import { makePlayable } from './video.ts'

/** Converts a Live Photo's clip, since most phones record HEVC, which few browsers play. */
export async function prepareMotion(deps: PrepareDeps, task: FileTask): Promise<void> {
  const { media, path, folder, signal } = task
  const { made: clip } = await makePlayable(deps, { path, folder, name: 'motion_full', signal })
  await storeParts(deps, media, clip ? [clip] : [], { motion_part: clip ? 'motion_full' : 'motion' })
}

/** Extracts and converts the clip inside a motion photo. The original still contains it, so it can be made again. */
export async function prepareEmbeddedMotion(deps: PrepareDeps, task: FileTask): Promise<void> {
  const { media, path, folder, signal } = task
  const range = await embeddedClip(deps, task)
  if (!range) return
  const copy = pathBelow(folder, 'embedded.mp4')
  await copyRange(path, range, copy, signal)
  const plays = {
    kind: 'motion_full',
    path: copy,
    size: range.length,
    mime: 'video/mp4',
    width: null,
    height: null,
  } as const
  const { made } = await makePlayable(deps, { path: copy, folder, name: 'motion_full', signal })
  await storeParts(deps, media, [made ?? plays], { motion_part: 'motion_full' })
}

/** Where the original contains a clip. Undefined also for a photo whose structure cannot be parsed. */
export function embeddedClip(
  { tools }: Pick<PrepareDeps, 'tools'>,
  task: Omit<FileTask, 'folder'>,
): Promise<ByteRange | undefined> {
  return tools.findEmbeddedClip(...photoOf(task)).catch(ifPermanent(undefined))
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
