import type { AuditAct } from '#contract/audit.ts'
import type { Answer, ParsedInput } from '#contract/endpoint.ts'
import { lengths } from '#contract/limits.ts'
import type { moveFiles as moveFilesEndpoint, renameMedia, rotateMedia } from '#contract/media.ts'
import { recordAudit } from '../audit/public.ts'
import type { Database } from '../db/database.ts'
import type { MediaRow, Tx } from '../db/schema.ts'
import type { Queue } from '../jobs/queue.ts'
import type { Clock } from '../kit/clock.ts'
import { AppError } from '../kit/errors.ts'
import { withExtensionOf } from '../storage/download-name.ts'
import { announceFiles } from './announce.ts'
import { moveCounts, updateCounts } from './counts.sql.ts'
import {
  findActiveMedia,
  folderExists,
  type LockedMedia,
  lockActiveMedia,
  lockActiveMediaRow,
  updateManyMedia,
  updateMedia,
  updateSearchText,
} from './media.sql.ts'
import { enqueueRotate } from './prepare/jobs.ts'

export interface EditDeps {
  db: Database
  clock: Clock
}

export async function renameFile(
  { db, clock }: EditDeps,
  actorId: number,
  id: number,
  { newName, expected }: ParsedInput<typeof renameMedia>['body'],
): Promise<MediaRow> {
  return db.transaction(async tx => {
    const [before] = await lockActiveMedia(db, tx, [id])
    if (!before) throw noSuchFile()
    if (expected !== undefined && before.original_name !== expected) {
      throw new AppError('conflict', `It has been renamed to “${before.original_name}” since.`)
    }
    const name = expected === undefined ? withExtensionOf(before.original_name, newName) : newName
    if (name.length > lengths.fileName) {
      throw new AppError('invalid', `A name has at most ${lengths.fileName} characters, with its extension.`)
    }
    await updateMedia(tx, id, { original_name: name })
    await updateSearchText(tx, id)
    await audit(tx, clock, actorId, 'media.rename', [before], file => ({ name: file.original_name }))
    await announceFiles(db, tx, [id])
    return findOrThrow(tx, id)
  })
}

/** Stores how far a photo is turned. The original is never changed; a job makes the variants again. */
export async function rotateFile(
  { db, clock, queue }: EditDeps & { queue: Queue },
  actorId: number,
  id: number,
  { rotation, expected }: ParsedInput<typeof rotateMedia>['body'],
): Promise<MediaRow> {
  return db.transaction(async tx => {
    const media = await lockActiveMediaRow(db, tx, id)
    if (!media) throw noSuchFile()
    if (media.file_type !== 'image') throw new AppError('conflict', 'Only photos can be turned.')
    if (expected !== undefined && media.rotation !== expected) {
      throw new AppError('conflict', 'Somebody has turned it again since.')
    }
    if (media.rotation === rotation) return media
    await updateMedia(tx, id, { rotation })
    // Also when the variants fit already: a job that is running would turn them away again.
    await enqueueRotate(queue, tx, media)
    await audit(tx, clock, actorId, 'media.rotate', [media], () => ({ rotation: media.rotation }))
    await announceFiles(db, tx, [id])
    return { ...media, rotation }
  })
}

/** Ignores ids of files that are already deleted. */
export async function deleteFiles({ db, clock }: EditDeps, actorId: number, ids: readonly number[]): Promise<number[]> {
  return db.transaction(async tx => {
    const files = await lockActiveMedia(db, tx, ids)
    await updateManyMedia(tx, idsOf(files), { deleted_at: clock(), deleted_by: actorId })
    await updateCounts(tx, files, -1)
    await audit(tx, clock, actorId, 'media.delete', files, file => ({
      name: file.original_name,
      folder_id: file.folder_id,
    }))
    await announceFiles(db, tx, idsOf(files))
    return idsOf(files)
  })
}

export async function deleteFile(deps: EditDeps, actorId: number, id: number): Promise<void> {
  if ((await deleteFiles(deps, actorId, [id])).length === 0) throw noSuchFile()
}

export async function moveFiles(
  { db, clock }: EditDeps,
  actorId: number,
  { fileIds, folderId, expectedFolderId }: ParsedInput<typeof moveFilesEndpoint>['body'],
): Promise<Answer<typeof moveFilesEndpoint>> {
  return db.transaction(async tx => {
    // Deleting a folder takes the same lock, so that no file is moved into a folder that is being deleted.
    await db.advisoryLock(tx, 'folders')
    if (folderId !== null && !(await folderExists(tx, folderId))) {
      throw new AppError('not_found', 'There is no such folder any more.')
    }
    const active = await lockActiveMedia(db, tx, fileIds)
    const files = expectedFolderId === undefined ? active : active.filter(file => file.folder_id === expectedFolderId)
    if (expectedFolderId !== undefined && files.length === 0) {
      throw new AppError('conflict', 'They have been moved or deleted since.')
    }
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
