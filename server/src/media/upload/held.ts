import { recordAudit } from '../../audit/public.ts'
import type { MediaRow, Tx } from '../../db/schema.ts'
import type { Recognised } from '../../processing/recognise.ts'
import { announceFiles } from '../announce.ts'
import { count } from '../counts.sql.ts'
import { keepFiles } from '../keep.ts'
import { noteRemoving, settleKeys } from '../loose-keys.sql.ts'
import { deleteParts, duplicatesOf, insertParts, takeByHash, updateMedia } from '../media.sql.ts'
import { AlreadyHeld, type Arrival, admit, type TakeInDeps, type TakenIn } from './arrival.ts'
import { planOriginal } from './plan.ts'

/**
 * Bytes that the library holds are not stored again: a live file is named, a deleted one comes back. Only where they are
 * no longer what they were do those that arrived take their place.
 */
export async function takeAsHeld(
  deps: TakeInDeps,
  arrival: Arrival,
  recognised: Recognised,
): Promise<TakenIn | undefined> {
  const { db } = deps
  const [live] = await duplicatesOf(db.query, arrival.original.hash)
  if (live) return { duplicate: live }
  const known = await db.transaction(async tx => {
    await admit(db, tx, arrival)
    const held = await takeByHash(db, tx, arrival.original.hash)
    if (!held) return undefined
    if (held.damaged_at !== null) return 'damaged'
    if (held.deleted_at === null) return { duplicate: { id: held.id, original_name: held.original_name } }
    return { file: await bringBack(deps, tx, arrival, held) }
  })
  return known === 'damaged' ? heal(deps, arrival, recognised) : known
}

async function bringBack({ db, clock }: TakeInDeps, tx: Tx, arrival: Arrival, held: MediaRow): Promise<MediaRow> {
  const { folderId: folder_id, uploaderId } = arrival
  const back = { folder_id, deleted_at: null, deleted_by: null }
  await updateMedia(tx, held.id, back)
  await count(tx, [{ ...held, folder_id }], 1)
  await recordAudit(tx, [
    {
      at: clock(),
      actorId: uploaderId,
      act: 'media.restore',
      subject: { type: 'media', id: held.id },
      before: { deleted_at: held.deleted_at, folder_id: held.folder_id },
    },
  ])
  await announceFiles(db, tx, [held.id])
  return { ...held, ...back }
}

/** Puts sound bytes in the place of those that were found damaged. */
async function heal(deps: TakeInDeps, arrival: Arrival, recognised: Recognised): Promise<TakenIn> {
  const { db, clock } = deps
  const { path, ...original } = planOriginal(clock(), arrival, recognised)
  const healed = await keepFiles(deps, [{ key: original.key, path }], () =>
    db.transaction(async tx => {
      await admit(db, tx, arrival)
      const held = await takeByHash(db, tx, arrival.original.hash)
      // Purged, or healed by another, while these bytes were being stored.
      if (held?.damaged_at == null) throw new AlreadyHeld()
      await noteRemoving(tx, await deleteParts(tx, held.id, ['original']), clock())
      await insertParts(tx, [{ ...original, media_id: held.id }])
      await settleKeys(tx, [original.key])
      const sound = { damaged_at: null, verified_at: clock() }
      await updateMedia(tx, held.id, sound)
      await recordAudit(tx, [
        {
          at: clock(),
          actorId: arrival.uploaderId,
          act: 'media.heal',
          subject: { type: 'media', id: held.id },
          before: { damaged_at: held.damaged_at },
        },
      ])
      if (held.status !== 'ready' || held.partly_damaged === 1) await deps.prepare(tx, held)
      await announceFiles(db, tx, [held.id])
      const file = { ...held, ...sound }
      return held.deleted_at === null ? file : bringBack(deps, tx, arrival, file)
    }),
  )
  return { file: healed }
}
