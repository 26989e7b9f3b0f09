import { DAY } from '#contract/limits.ts'
import { recordAudit } from '../audit/public.ts'
import type { Database } from '../db/database.ts'
import { defineJob, type Queue } from '../jobs/queue.ts'
import type { Clock } from '../kit/clock.ts'
import { AppError } from '../kit/errors.ts'
import type { Storage } from '../storage/storage.ts'
import { announceFiles } from './announce.ts'
import { updateCounts } from './counts.sql.ts'
import { folderExists, updateMedia } from './media.sql.ts'
import { markForRemoval } from './pending-objects.sql.ts'
import { removeOrphans } from './store-files.ts'
import { lockDeleted, purgeOldest } from './trash.sql.ts'
import type { ResumableUploads } from './upload/resumable.ts'
import { deleteFinishedUploads } from './upload/uploads.sql.ts'
import { deleteZipDownloads } from './zip/zip.sql.ts'

export interface TrashDeps {
  db: Database
  storage: Storage
  clock: Clock
  trashDays: number
  resumable: ResumableUploads
}

export async function restoreFile({ db, clock }: TrashDeps, adminId: number, id: number): Promise<void> {
  await db.transaction(async tx => {
    await db.advisoryLock(tx, 'folders')
    const file = await lockDeleted(db, tx, id)
    if (!file) throw new AppError('not_found', 'This file is not among the recently deleted any more.')
    const folderId = file.folder_id !== null && (await folderExists(tx, file.folder_id)) ? file.folder_id : null
    await updateMedia(tx, id, { deleted_at: null, deleted_by: null, folder_id: folderId })
    await updateCounts(tx, [{ ...file, folder_id: folderId }], 1)
    await recordAudit(tx, [
      {
        at: clock(),
        actorId: adminId,
        act: 'media.restore',
        subject: { type: 'media', id },
        before: { deleted_at: file.deleted_at },
      },
    ])
    await announceFiles(db, tx, [id])
  })
}

const PURGED_PER_BATCH = 200

/** Permanently removes files that were deleted more than `trashDays` ago: first their rows, then their objects. */
export async function purgeDeleted(deps: Omit<TrashDeps, 'resumable'>): Promise<void> {
  const { db, clock, trashDays } = deps
  for (;;) {
    const purged = await db.transaction(async tx => {
      const files = await purgeOldest(db, tx, clock() - trashDays * DAY, PURGED_PER_BATCH)
      await markForRemoval(
        tx,
        files.flatMap(file => file.keys),
        clock(),
      )
      await recordAudit(
        tx,
        files.map(file => ({
          at: clock(),
          actorId: null,
          act: 'media.purge',
          subject: { type: 'media', id: file.id },
          before: { name: file.name },
        })),
      )
      return files.length
    })
    if (purged === 0) break
  }
  await removeOrphans(deps, clock() - DAY)
}

const cleanUp = defineJob<null>('media.tidy-up', { everyMs: DAY / 24 })

export function handleTrashJobs(queue: Queue, deps: TrashDeps): void {
  queue.handle(cleanUp, {
    async run() {
      await purgeDeleted(deps)
      await deps.resumable.removeExpired()
      await deps.storage.removeUnfinished(new Date(deps.clock() - DAY))
      await deps.db.transaction(tx => deleteFinishedUploads(tx, deps.clock() - 7 * DAY))
      await deleteZipDownloads(deps.db.query, deps.clock() - DAY)
    },
  })
}
