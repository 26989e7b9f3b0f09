import type { AuditAct } from '#contract/admin.ts'
import type { Answer } from '#contract/endpoint.ts'
import type { moveFiles as moveFilesEndpoint } from '#contract/media.ts'
import { recordAudit } from '../audit/public.ts'
import type { Database } from '../db/database.ts'
import type { MediaRow, Tx } from '../db/schema.ts'
import type { Clock } from '../kit/clock.ts'
import { AppError } from '../kit/errors.ts'
import { announceFiles } from './announce.ts'
import { moveCounts, updateCounts } from './counts.sql.ts'
import {
  findActiveMedia,
  folderExists,
  type LockedMedia,
  lockActiveMedia,
  updateManyMedia,
  updateMedia,
  updateSearchText,
} from './media.sql.ts'

export interface EditDeps {
  db: Database
  clock: Clock
}

export async function renameFile(
  { db, clock }: EditDeps,
  actorId: number,
  id: number,
  name: string,
): Promise<MediaRow> {
  return db.transaction(async tx => {
    const [before] = await lockActiveMedia(db, tx, [id])
    if (!before) throw noSuchFile()
    await updateMedia(tx, id, { original_name: name })
    await updateSearchText(tx, id)
    await audit(tx, clock, actorId, 'media.rename', [before], file => ({ name: file.original_name }))
    await announceFiles(db, tx, [id])
    return findOrThrow(tx, id)
  })
}

/** Ignores ids of files that are already deleted. */
export async function deleteFiles({ db, clock }: EditDeps, actorId: number, ids: readonly number[]): Promise<number> {
  return db.transaction(async tx => {
    const files = await lockActiveMedia(db, tx, ids)
    await updateManyMedia(tx, idsOf(files), { deleted_at: clock(), deleted_by: actorId })
    await updateCounts(tx, files, -1)
    await audit(tx, clock, actorId, 'media.delete', files, file => ({
      name: file.original_name,
      folder_id: file.folder_id,
    }))
    await announceFiles(db, tx, idsOf(files))
    return files.length
  })
}

export async function deleteFile(deps: EditDeps, actorId: number, id: number): Promise<void> {
  if ((await deleteFiles(deps, actorId, [id])) === 0) throw noSuchFile()
}

export async function moveFiles(
  { db, clock }: EditDeps,
  actorId: number,
  ids: readonly number[],
  folderId: number | null,
): Promise<Answer<typeof moveFilesEndpoint>> {
  return db.transaction(async tx => {
    // Deleting a folder takes the same lock, so that no file is moved into a folder that is being deleted.
    await db.advisoryLock(tx, 'folders')
    if (folderId !== null && !(await folderExists(tx, folderId))) {
      throw new AppError('not_found', 'There is no such folder any more.')
    }
    const files = await lockActiveMedia(db, tx, ids)
    const moving = files.filter(file => file.folder_id !== folderId)
    await updateManyMedia(tx, idsOf(moving), { folder_id: folderId })
    await moveCounts(tx, moving, folderId)
    await audit(tx, clock, actorId, 'media.move', moving, file => ({ folder_id: file.folder_id }))
    await announceFiles(db, tx, idsOf(moving))
    return { moved: files.length, from: byFolder(moving) }
  })
}

function byFolder(files: LockedMedia[]): { folderId: number | null; fileIds: number[] }[] {
  const groups = Map.groupBy(files, file => file.folder_id)
  return [...groups].map(([folderId, group]) => ({ folderId, fileIds: idsOf(group) }))
}

async function audit(
  tx: Tx,
  clock: Clock,
  actorId: number,
  act: AuditAct,
  files: LockedMedia[],
  before: (file: LockedMedia) => unknown,
): Promise<void> {
  const at = clock()
  await recordAudit(
    tx,
    files.map(file => ({ at, actorId, act, subject: { type: 'media', id: file.id }, before: before(file) })),
  )
}

function idsOf(files: LockedMedia[]): number[] {
  return files.map(file => file.id)
}

async function findOrThrow(tx: Tx, id: number): Promise<MediaRow> {
  const row = await findActiveMedia(tx, id)
  if (!row) throw noSuchFile()
  return row
}

export function noSuchFile(): AppError {
  return new AppError('not_found', 'There is no such file any more.')
}
