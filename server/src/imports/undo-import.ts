import { bulkChanges } from '#contract/limits.ts'
import {
  albumChanged,
  findAlbum,
  lockAlbum,
  markAlbumDeleted,
  markFilesRemoved,
  selectPositions,
} from '../albums/public.ts'
import { type ChangeDeps, undoChange } from '../changes/public.ts'
import { mediaSubject, removeImportedComments } from '../comments/public.ts'
import { removeImportedHearts } from '../hearts/public.ts'
import { AppError } from '../kit/errors.ts'
import { inChunks } from '../kit/in-chunks.ts'
import { deleteFiles } from '../media/public.ts'
import type { ImportDeps } from './importing.ts'
import { addedFiles, albumsMadeBy, factsGivenBy, forgetImport } from './imports.sql.ts'

export type UndoImportDeps = ImportDeps & ChangeDeps

/**
 * Takes back what an import did: its files go to the trash, and files that were here before lose what they got and nobody has
 * changed since. Can be repeated after an interruption.
 */
export async function undoImport(
  deps: UndoImportDeps,
  { importId, personId, signal }: { importId: number; personId: number; signal: AbortSignal },
): Promise<{ deleted: number }> {
  const { db } = deps
  const given = await factsGivenBy(db.query, importId)
  await undoChanges(deps, personId, given, signal)
  for (const [fact, files] of Map.groupBy(given, row => row.fact)) {
    for (const some of inChunks(
      files.map(row => row.media_id),
      bulkChanges.files,
    )) {
      signal.throwIfAborted()
      await takeBack(deps, personId, fact, some)
    }
  }
  for (const albumId of await albumsMadeBy(db.query, importId)) await deleteIfEmpty(deps, personId, albumId)
  let deleted = 0
  let continues: number | null = null
  for (const fileIds of inChunks(await addedFiles(db.query, importId), bulkChanges.files)) {
    signal.throwIfAborted()
    const answer = await deleteFiles(deps, personId, { fileIds, continues })
    continues = answer.change_id
    deleted += answer.deleted
  }
  await db.transaction(tx => forgetImport(tx, importId))
  return { deleted }
}

async function undoChanges(
  deps: UndoImportDeps,
  personId: number,
  given: readonly { change_id: number | null }[],
  signal: AbortSignal,
): Promise<void> {
  for (const changeId of new Set(given.map(row => row.change_id))) {
    if (changeId === null) continue
    signal.throwIfAborted()
    try {
      await undoChange(deps, personId, changeId)
    } catch (error) {
      // Changed again by people, undone by them, or too old to be known.
      if (!(error instanceof AppError && (error.code === 'conflict' || error.code === 'not_found'))) throw error
    }
  }
}

async function takeBack(deps: UndoImportDeps, personId: number, fact: string, mediaIds: number[]): Promise<void> {
  const { db, clock } = deps
  const [kind = '', value = ''] = fact.split(/:(.*)/s)
  await db.bulkTransaction(mediaIds.length, async tx => {
    if (kind === 'heart') await removeImportedHearts(deps, tx, Number(value), mediaIds)
    if (kind === 'comment') {
      await removeImportedComments(deps, tx, mediaSubject, { actorId: personId, clientIds: [value] })
    }
    if (kind === 'album') {
      const album = await lockAlbum(db, tx, Number(value))
      if (!album) return
      const by = { owner: { personId }, by: personId, at: clock() }
      const { removed } = await markFilesRemoved(tx, album.id, mediaIds, by)
      if (removed.length === 0) return
      const before = { name: album.title, files: removed.length }
      await albumChanged(deps, tx, album.id, { actorId: personId, act: 'album.remove', before })
    }
  })
}

async function deleteIfEmpty(deps: UndoImportDeps, personId: number, albumId: number): Promise<void> {
  const { db, clock } = deps
  if (!(await findAlbum(db.query, albumId))) return
  await db.transaction(async tx => {
    const album = await lockAlbum(db, tx, albumId)
    if (!album || (await selectPositions(tx, albumId)).length > 0) return
    await markAlbumDeleted(tx, albumId, personId, clock())
    await albumChanged(deps, tx, albumId, { actorId: personId, act: 'album.delete', before: { name: album.title } })
  })
}
