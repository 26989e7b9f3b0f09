import { recordAudit } from '../../audit/public.ts'
import type { MediaRow, Tx } from '../../db/schema.ts'
import type { DetectedFormat } from '../../processing/recognise.ts'
import { announceFiles } from '../announce.ts'
import { updateCounts } from '../counts.sql.ts'
import { storeThenCommit } from '../keep.ts'
import { clearPending, markForRemoval } from '../loose-keys.sql.ts'
import { deleteParts, findDuplicates, insertParts, lockMediaByHash, updateMedia } from '../media.sql.ts'
import {
  type IncomingFile,
  LostRace,
  requireFolderAndUploader,
  type StoredUpload,
  type StoreUploadDeps,
} from './arrival.ts'
import { planOriginal } from './plan.ts'

/**
 * Bytes that the library holds are not stored again: a live file is named, a deleted one comes back. Only where they are
 * no longer what they were do those that arrived take their place.
 */
export async function resolveDuplicate(
  deps: StoreUploadDeps,
  arrival: IncomingFile,
  recognised: DetectedFormat,
): Promise<StoredUpload | undefined> {
  const { db } = deps
  const [live] = await findDuplicates(db.query, arrival.original.hash)
  if (live) return { duplicate: live }
  const known = await db.transaction(async tx => {
    await requireFolderAndUploader(db, tx, arrival)
    const held = await lockMediaByHash(db, tx, arrival.original.hash)
    if (!held) return undefined
    if (held.damaged_at !== null) return 'damaged'
    if (held.deleted_at === null) return { duplicate: { id: held.id, original_name: held.original_name } }
    return { file: await restoreDeleted(deps, tx, arrival, held) }
  })
  return known === 'damaged' ? replaceDamaged(deps, arrival, recognised) : known
}

async function restoreDeleted(
  { db, clock }: StoreUploadDeps,
  tx: Tx,
  arrival: IncomingFile,
  held: MediaRow,
): Promise<MediaRow> {
  const { folderId: folder_id, uploaderId } = arrival
  const back = { folder_id, deleted_at: null, deleted_by: null }
  await updateMedia(tx, held.id, back)
  await updateCounts(tx, [{ ...held, folder_id }], 1)
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
async function replaceDamaged(
  deps: StoreUploadDeps,
  arrival: IncomingFile,
  recognised: DetectedFormat,
): Promise<StoredUpload> {
  const { db, clock } = deps
  const { path, ...original } = planOriginal(clock(), arrival, recognised)
  const healed = await storeThenCommit(deps, [{ key: original.key, path }], () =>
    db.transaction(async tx => {
      await requireFolderAndUploader(db, tx, arrival)
      const held = await lockMediaByHash(db, tx, arrival.original.hash)
      // Purged, or healed by another, while these bytes were being stored.
      if (held?.damaged_at == null) throw new LostRace()
      await markForRemoval(tx, await deleteParts(tx, held.id, ['original']), clock())
      await insertParts(tx, [{ ...original, media_id: held.id }])
      await clearPending(tx, [original.key])
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
      return held.deleted_at === null ? file : restoreDeleted(deps, tx, arrival, file)
    }),
  )
  return { file: healed }
}
