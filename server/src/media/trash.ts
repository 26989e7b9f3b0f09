import type { Answer, ParsedInput } from '#contract/endpoint.ts'
import { DAY } from '#contract/limits.ts'
import { can } from '#contract/rights.ts'
import type { DeletedFile, listDeleted, restoreFiles as restoreFilesEndpoint } from '#contract/trash.ts'
import { recordChange } from '../changes/public.ts'
import type { Database } from '../db/database.ts'
import type { MediaRow } from '../db/schema.ts'
import { type Clock, toIso } from '../kit/clock.ts'
import { AppError } from '../kit/errors.ts'
import type { Caller } from '../kit/serve.ts'
import type { Storage } from '../storage/storage.ts'
import { announceFiles } from './announce.ts'
import { updateCounts } from './counts.sql.ts'
import { forgetRestored } from './deletion-notices.ts'
import { findPartKeys, findPeople, updateManyMedia } from './media.sql.ts'
import { markForRemoval } from './pending-objects.sql.ts'
import { removeOrphans } from './store-files.ts'
import { lockDeleted, purgeOldest, type Restorable } from './trash.sql.ts'

export interface TrashDeps {
  db: Database
  storage: Storage
  clock: Clock
  trashDays: number
}

/**
 * Admins restore every file, members those that they deleted or uploaded themselves. Who may only look restores what others
 * deleted of theirs, and nothing that they deleted while they were a member.
 */
export function restorableBy(
  { id, role }: Pick<Caller, 'id' | 'role'>,
  whose: ParsedInput<typeof listDeleted>['query']['whose'] = 'all',
): Restorable {
  if (whose === 'own' || !can(role, 'media.edit')) return { uploadedBy: id }
  return can(role, 'trash.manage-others') ? 'all' : { personId: id }
}

export async function presentDeletedFiles(
  { db, storage, trashDays }: TrashDeps,
  rows: MediaRow[],
): Promise<DeletedFile[]> {
  const [parts, people] = await Promise.all([
    findPartKeys(
      db.query,
      rows.map(row => row.id),
    ),
    findPeople(db.query, [...new Set(rows.flatMap(row => row.deleted_by ?? []))]),
  ])
  return rows.map(row => {
    const keys = parts.get(row.id)
    const url = (key: string | undefined) => (key === undefined ? null : storage.signedUrl(key))
    const deletedAt = row.deleted_at ?? 0
    return {
      id: row.id,
      original_name: row.original_name,
      file_type: row.file_type,
      file_size: row.file_size,
      thumbnail_url: url(keys?.thumbnail),
      preview_url: url(keys?.website ?? keys?.thumbnail),
      deleted_at: toIso(deletedAt),
      deleted_by: people.find(person => person.id === row.deleted_by) ?? null,
      purged_at: toIso(deletedAt + trashDays * DAY),
    }
  })
}

/** Into their folders: deleting a folder moves its deleted files to the root too. Skips what is not deleted. */
export async function restoreFiles(
  { db, clock }: TrashDeps,
  caller: Pick<Caller, 'id' | 'role'>,
  { fileIds, continues }: ParsedInput<typeof restoreFilesEndpoint>['body'],
): Promise<Answer<typeof restoreFilesEndpoint>> {
  return db.bulkTransaction(fileIds.length, async tx => {
    await db.advisoryLock(tx, 'folders')
    const files = await lockDeleted(db, tx, restorableBy(caller), fileIds)
    if (files.length === 0) throw new AppError('not_found', 'trash.notDeleted', { count: fileIds.length })
    const restored = files.map(file => file.id)
    await updateManyMedia(tx, restored, { deleted_at: null, deleted_by: null })
    await updateCounts(tx, files, 1)
    const change_id = await recordChange(tx, {
      ...{ act: 'media.restore', field: null, actorId: caller.id, at: clock(), continues },
      files: files.map(({ id, file_type, deleted_at }) => ({ id, file_type, before: { deleted_at } })),
    })
    await forgetRestored(db, tx, files)
    await announceFiles(db, tx, restored)
    return { restored: restored.length, change_id }
  })
}

const PURGED_PER_BATCH = 200

/** Permanently removes files that were deleted more than `trashDays` ago: first their rows, then their objects. */
export async function purgeDeleted(deps: TrashDeps): Promise<void> {
  let changeId: number | null | undefined = null
  while (changeId !== undefined) changeId = await purgeBatch(deps, changeId)
  await removeOrphans(deps, deps.clock() - DAY)
}

/** Returns the id of the change that all batches of a purge are, or undefined if no files are left. */
async function purgeBatch(
  { db, clock, trashDays }: TrashDeps,
  continues: number | null,
): Promise<number | null | undefined> {
  return db.transaction(async tx => {
    const at = clock()
    const files = await purgeOldest(db, tx, at - trashDays * DAY, PURGED_PER_BATCH)
    if (files.length === 0) return undefined
    await markForRemoval(
      tx,
      files.flatMap(file => file.keys),
      at,
    )
    return recordChange(tx, {
      ...{ act: 'media.purge', field: null, actorId: null, at, continues },
      files: files.map(({ id, file_type, name }) => ({ id, file_type, before: { name } })),
    })
  })
}
