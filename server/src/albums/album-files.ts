import type {
  addToAlbum as addToAlbumEndpoint,
  removeFromAlbum as removeFromAlbumEndpoint,
  reorderAlbum as reorderAlbumEndpoint,
} from '#contract/albums.ts'
import type { Answer, ParsedInput } from '#contract/endpoint.ts'
import type { AlbumRow, Tx } from '../db/schema.ts'
import { AppError } from '../kit/errors.ts'
import { noSuchAlbum } from '../media/public.ts'
import {
  type FilePosition,
  GAP,
  insertFiles,
  lockAlbum,
  markFilesRemoved,
  renumber,
  selectPositions,
  sortedByDate,
  unmarkFilesRemoved,
  updatePositions,
  updateStatistics,
} from './albums.sql.ts'
import { type Actor, type AlbumDeps, albumChanged, ownerAmong, owns } from './albums.ts'

/** In the order of their dates, at the end of the album. Deleted files are skipped. */
export async function addFiles(
  deps: AlbumDeps,
  actorId: number,
  id: number,
  fileIds: readonly number[],
): Promise<Answer<typeof addToAlbumEndpoint>> {
  const { db, clock } = deps
  return db.bulkTransaction(fileIds.length, async tx => {
    const album = await lockFilledAlbum(deps, tx, id)
    const added = await insertFiles(tx, id, await sortedByDate(tx, fileIds), { by: actorId, at: clock() })
    await updateStatistics(db, tx, added.length)
    if (added.length > 0) {
      await albumChanged(deps, tx, id, { actorId, act: 'album.add', before: filesBefore(album, added) })
    }
    return { added: added.length, fileIds: added }
  })
}

export async function removeFiles(
  deps: AlbumDeps,
  actor: Actor,
  id: number,
  fileIds: readonly number[],
): Promise<Answer<typeof removeFromAlbumEndpoint>> {
  const { db, clock } = deps
  return db.bulkTransaction(fileIds.length, async tx => {
    const album = await lockFilledAlbum(deps, tx, id)
    const owner = owns(actor, album) ? 'anyone' : { personId: actor.id }
    const { removed, kept } = await markFilesRemoved(tx, id, fileIds, { owner, by: actor.id, at: clock() })
    if (removed.length === 0 && kept > 0) {
      throw new AppError('forbidden', 'albums.notYoursToTakeOut')
    }
    if (removed.length > 0) {
      await albumChanged(deps, tx, id, { actorId: actor.id, act: 'album.remove', before: filesBefore(album, removed) })
    }
    return { removed: removed.length, fileIds: removed, kept }
  })
}

export async function restoreFiles(
  deps: AlbumDeps,
  actor: Actor,
  id: number,
  fileIds: readonly number[],
): Promise<{ restored: number }> {
  return deps.db.bulkTransaction(fileIds.length, async tx => {
    const album = await lockFilledAlbum(deps, tx, id)
    const restored = await unmarkFilesRemoved(tx, id, fileIds, ownerAmong(actor))
    if (restored.length === 0) throw new AppError('not_found', 'albums.cannotPutBack')
    await albumChanged(deps, tx, id, {
      actorId: actor.id,
      act: 'album.restore-files',
      before: filesBefore(album, restored),
    })
    return { restored: restored.length }
  })
}

/** Only the moved files get new positions, so that two people who reorder different files do not undo each other. */
export async function reorderFiles(
  deps: AlbumDeps,
  actorId: number,
  id: number,
  { fileIds, before }: ParsedInput<typeof reorderAlbumEndpoint>['body'],
): Promise<Answer<typeof reorderAlbumEndpoint>> {
  if (before !== null && fileIds.includes(before)) throw new AppError('invalid', 'albums.movedBeforeItself')
  return deps.db.bulkTransaction(fileIds.length, async tx => {
    const album = await lockFilledAlbum(deps, tx, id)
    if (album.file_order !== 'manual') {
      throw new AppError('conflict', 'albums.orderedByDate')
    }
    const moved = new Set(fileIds)
    const positions = await selectPositions(tx, id)
    if (
      !positions.some(file => moved.has(file.id)) ||
      !(before === null || positions.some(({ id }) => id === before))
    ) {
      throw new AppError('conflict', 'albums.takenOut')
    }
    const reordered =
      newPositions(positions, moved, before) ?? newPositions(await renumbered(tx, id, moved.size), moved, before) ?? []
    await updatePositions(tx, id, reordered)
    await albumChanged(deps, tx, id, { actorId, act: 'album.reorder' })
    return { from: runsOf(positions, moved) }
  })
}

async function renumbered(tx: Tx, id: number, space: number): Promise<FilePosition[]> {
  await renumber(tx, id, 'position', space)
  return selectPositions(tx, id)
}

/** Positions between the neighbours; undefined if there are too few between them. */
function newPositions(
  positions: readonly FilePosition[],
  moved: ReadonlySet<number>,
  before: number | null,
): FilePosition[] | undefined {
  const moving = positions.filter(file => moved.has(file.id))
  const staying = positions.filter(file => !moved.has(file.id))
  const at = before === null ? staying.length : staying.findIndex(file => file.id === before)
  const space = moving.length + 1
  const end = staying[at]?.position
  const start = staying[at - 1]?.position ?? (end ?? 0) - space * GAP
  const step = Math.floor(((end ?? start + space * GAP) - start) / space)
  return step < 1 ? undefined : moving.map(({ id }, i) => ({ id, position: start + (i + 1) * step }))
}

/** Where the moved files were: each run of neighbours, and the file that followed it. */
function runsOf(
  positions: readonly FilePosition[],
  moved: ReadonlySet<number>,
): Answer<typeof reorderAlbumEndpoint>['from'] {
  const runs: { fileIds: number[]; before: number | null }[] = []
  let run: number[] = []
  for (const { id } of positions) {
    if (moved.has(id)) run.push(id)
    else if (run.length > 0) {
      runs.push({ fileIds: run, before: id })
      run = []
    }
  }
  return run.length > 0 ? [...runs, { fileIds: run, before: null }] : runs
}

const MAX_RECORDED_IDS = 100

/** For the audit log, in which the entry of an album of thousands must stay small. */
function filesBefore({ title }: AlbumRow, ids: readonly number[]) {
  return { name: title, files: ids.length, ids: ids.slice(0, MAX_RECORDED_IDS) }
}

async function lockFilledAlbum({ db }: AlbumDeps, tx: Tx, id: number): Promise<AlbumRow> {
  const album = await lockAlbum(db, tx, id)
  if (!album) throw noSuchAlbum()
  if (album.search !== null) throw new AppError('conflict', 'albums.fillsItself')
  return album
}
