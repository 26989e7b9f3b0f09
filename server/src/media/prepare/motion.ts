import type { MediaRow } from '../../db/schema.ts'
import type { RootFolder } from '../../kit/safe-path.ts'
import type { PrepareDeps } from './orders.ts'
import { keepPictures } from './pictures.ts'
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
  await keepPictures(deps, media, clip ? [clip] : [], { motion_part: clip ? 'motion_full' : 'motion' })
}
