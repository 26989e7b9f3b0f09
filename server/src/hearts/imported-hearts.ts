import type { Tx } from '../db/schema.ts'
import { lockActiveMedia } from '../media/public.ts'
import { deleteHearts, insertHearts, selectHearted } from './hearts.sql.ts'
import { type HeartDeps, recordHearts } from './hearts.ts'

/** Of an import: nobody is notified of what is years old. Returns the files that got one. */
export async function addImportedHearts(
  deps: HeartDeps,
  tx: Tx,
  personId: number,
  mediaIds: readonly number[],
): Promise<number[]> {
  const files = (await lockActiveMedia(deps.db, tx, mediaIds)).map(({ id }) => id)
  const hearted = new Set(await selectHearted(tx, personId, files))
  const added = files.filter(id => !hearted.has(id))
  await insertHearts(tx, added, { personId, at: deps.clock(), notificationId: null })
  await recordHearts(deps, tx, { act: 'media.heart', personId, ids: added })
  return added
}

export async function removeImportedHearts(
  deps: HeartDeps,
  tx: Tx,
  personId: number,
  mediaIds: readonly number[],
): Promise<void> {
  const files = (await lockActiveMedia(deps.db, tx, mediaIds)).map(({ id }) => id)
  const hearted = await selectHearted(tx, personId, files)
  await deleteHearts(tx, personId, hearted)
  await recordHearts(deps, tx, { act: 'media.unheart', personId, ids: hearted })
}
