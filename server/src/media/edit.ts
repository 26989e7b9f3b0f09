import { z } from 'zod'
import type { Answer, ParsedInput } from '#contract/endpoint.ts'
import { lengths } from '#contract/limits.ts'
import {
  type bulkDelete,
  type moveFiles as moveFilesEndpoint,
  Rotation,
  type renameMedia,
  type rotateMedia,
} from '#contract/media.ts'
import { recordAudit } from '../audit/public.ts'
import { recordChange, type UndoKind } from '../changes/public.ts'
import type { Database } from '../db/database.ts'
import type { MediaRow, Tx } from '../db/schema.ts'
import type { Queue } from '../jobs/queue.ts'
import type { Clock } from '../kit/clock.ts'
import { AppError } from '../kit/errors.ts'
import { renamed } from '../storage/download-name.ts'
import { announceFiles } from './announce.ts'
import { moveCounts, updateCounts } from './counts.sql.ts'
import { notifyOfDeletion } from './deletion-notices.ts'
import {
  findActiveMedia,
  findPart,
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
      throw new AppError('conflict', 'files.renamedSince', { name: before.original_name })
    }
    const original = await findPart(tx, id, 'original')
    const name = expected === undefined && original ? renamed(before.original_name, newName, original.key) : newName
    if (name.length > lengths.fileName) {
      throw new AppError('invalid', 'files.nameTooLongWithExtension', { count: lengths.fileName })
    }
    await updateMedia(tx, id, { original_name: name })
    await updateSearchText(tx, id)
    const line = { at: clock(), actorId, act: 'media.rename', subject: { type: 'media', id } } as const
    await recordAudit(tx, [{ ...line, before: { name: before.original_name } }])
    await announceFiles(db, tx, [id])
    return findOrThrow(tx, id)
  })
}

type RotateDeps = EditDeps & { queue: Queue }

/** Stores how far a photo is turned. The original is never changed; a job makes the variants again. */
export async function rotateFile(
  deps: RotateDeps,
  actorId: number,
  id: number,
  { rotation, expected }: ParsedInput<typeof rotateMedia>['body'],
): Promise<{ media: MediaRow; change_id: number | null }> {
  const { db, clock } = deps
  return db.transaction(async tx => {
    const media = await lockActiveMediaRow(db, tx, id)
    if (!media) throw noSuchFile()
    if (media.file_type !== 'image') throw new AppError('conflict', 'files.onlyPhotosTurn')
    if (expected !== undefined && media.rotation !== expected) {
      throw new AppError('conflict', 'files.turnedSince')
    }
    if (media.rotation === rotation) return { media, change_id: null }
    await storeRotation(deps, tx, media, rotation)
    const files = [{ id, file_type: media.file_type, before: { rotation: media.rotation } }]
    const change = { act: 'media.rotate', field: 'rotation', actorId, at: clock(), files } as const
    return { media: { ...media, rotation }, change_id: await recordChange(tx, change) }
  })
}

async function storeRotation({ db, queue }: RotateDeps, tx: Tx, media: MediaRow, rotation: Rotation): Promise<void> {
  await updateMedia(tx, media.id, { rotation })
  // Also when the variants fit already: a job that is running would turn them away again.
  await enqueueRotate(queue, tx, media)
  await announceFiles(db, tx, [media.id])
}

const RotationBefore = z.object({ rotation: Rotation })

/** Only one photo is turned at once. */
export function undoRotation(deps: RotateDeps): UndoKind {
  return async (tx, { fileIds: [id = 0], filesBefore }) => {
    const media = await lockActiveMediaRow(deps.db, tx, id)
    const before = (await filesBefore([id])).get(id)
    if (!media || before === undefined) return []
    await storeRotation(deps, tx, media, RotationBefore.parse(before).rotation)
    return [id]
  }
}

/** Ignores ids of files that are already deleted. */
export async function deleteFiles(
  { db, clock }: EditDeps,
  actorId: number,
  { fileIds, continues }: ParsedInput<typeof bulkDelete>['body'],
): Promise<Answer<typeof bulkDelete>> {
  return db.bulkTransaction(fileIds.length, async tx => {
    const files = await lockActiveMedia(db, tx, fileIds)
    const at = clock()
    await updateManyMedia(tx, idsOf(files), { deleted_at: at, deleted_by: actorId })
    await updateCounts(tx, files, -1)
    const change_id = await recordChange(tx, {
      ...{ act: 'media.delete', field: null, actorId, at, continues },
      files: files.map(({ id, file_type, original_name: name, folder_id }) => ({
        ...{ id, file_type },
        before: { name, folder_id },
      })),
    })
    await notifyOfDeletion(db, tx, { actorId, at, files })
    await announceFiles(db, tx, idsOf(files))
    return { deleted: files.length, fileIds: idsOf(files), change_id }
  })
}

export async function deleteFile(deps: EditDeps, actorId: number, id: number): Promise<void> {
  if ((await deleteFiles(deps, actorId, { fileIds: [id] })).deleted === 0) throw noSuchFile()
}

export async function moveFiles(
  { db, clock }: EditDeps,
  actorId: number,
  { fileIds, folderId, expectedFolderId, continues }: ParsedInput<typeof moveFilesEndpoint>['body'],
): Promise<Answer<typeof moveFilesEndpoint>> {
  return db.bulkTransaction(fileIds.length, async tx => {
    await lockFolders(db, tx)
    if (folderId !== null && !(await folderExists(tx, folderId))) {
      throw new AppError('not_found', 'folders.missing')
    }
    const active = await lockActiveMedia(db, tx, fileIds)
    const files = expectedFolderId === undefined ? active : active.filter(file => file.folder_id === expectedFolderId)
    if (expectedFolderId !== undefined && files.length === 0) {
      throw new AppError('conflict', 'files.movedSince')
    }
    const moving = files.filter(file => file.folder_id !== folderId)
    await moveTo(db, tx, moving, folderId)
    const change_id = await recordChange(tx, {
      ...{ act: 'media.move', field: 'folder', value: { folder_id: folderId }, actorId, at: clock(), continues },
      files: moving.map(({ id, file_type, folder_id }) => ({ id, file_type, before: { folder_id } })),
    })
    return { moved: files.length, changed: moving.length, change_id }
  })
}

/** Deleting a folder takes the same lock, so that no file is moved into a folder that is being deleted. */
function lockFolders(db: Database, tx: Tx): Promise<void> {
  return db.advisoryLock(tx, 'folders')
}

async function moveTo(db: Database, tx: Tx, files: LockedMedia[], folderId: number | null): Promise<void> {
  await updateManyMedia(tx, idsOf(files), { folder_id: folderId })
  await moveCounts(tx, files, folderId)
  await announceFiles(db, tx, idsOf(files))
}

const Folder = z.object({ folder_id: z.number().nullable() })

/** Moves files back, if the folder is still there. Deleting a folder moves its files, too. */
export function undoMove({ db }: Pick<EditDeps, 'db'>): UndoKind {
  return async (tx, { fileIds, value, filesBefore }) => {
    await lockFolders(db, tx)
    const moved = Folder.parse(value).folder_id
    const files = (await lockActiveMedia(db, tx, fileIds)).filter(file => file.folder_id === moved)
    const befores = await filesBefore(idsOf(files))
    const movable = files.filter(({ id }) => befores.has(id))
    const restored: number[] = []
    for (const [folderId, some] of Map.groupBy(movable, ({ id }) => Folder.parse(befores.get(id)).folder_id)) {
      if (folderId !== null && !(await folderExists(tx, folderId))) continue
      await moveTo(db, tx, some, folderId)
      restored.push(...idsOf(some))
    }
    return restored
  }
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
  return new AppError('not_found', 'files.missing')
}
