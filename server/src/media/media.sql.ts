import { proportionOf } from '#contract/proportions.ts'
import type { Database } from '../db/database.ts'
import { newestFirst, type PageBefore } from '../db/newest-first.ts'
import type { Handle, MediaPartRow, MediaRow, NewMedia, PartKind, Tx } from '../db/schema.ts'
import { inChunks } from '../kit/in-chunks.ts'
import { searchable } from '../kit/searchable.ts'
import { moveCounts } from './counts.sql.ts'
import { upsertSearchTexts } from './search-text.sql.ts'
import { naturalSortKey } from './search-text.ts'

/** For every write of a file's size: the proportion follows it. */
export function withProportion<Change extends Partial<NewMedia>>(change: Change): Change {
  if (change.width === undefined || change.height === undefined) return change
  return { ...change, proportion: proportionOf(change.width, change.height) }
}

/** Undefined when a file with the same hash exists. */
export async function insertMedia(tx: Tx, media: NewMedia): Promise<MediaRow | undefined> {
  const added = await tx
    .insertInto('media')
    .values(withProportion(media))
    .onConflict(conflict => conflict.column('hash').doNothing())
    .returningAll()
    .executeTakeFirst()
  if (added) await upsertSearchTexts(tx, [added])
  return added
}

export async function findActiveMedia(handle: Handle, id: number): Promise<MediaRow | undefined> {
  return handle.selectFrom('media').selectAll().where('id', '=', id).where('deleted_at', 'is', null).executeTakeFirst()
}

/** Locked until the transaction ends. */
export async function lockActiveMediaRow(db: Database, tx: Tx, id: number): Promise<MediaRow | undefined> {
  const query = tx.selectFrom('media').selectAll().where('id', '=', id).where('deleted_at', 'is', null)
  return db.forUpdate(query).executeTakeFirst()
}

/** Deleted files too. */
export async function findMedia(handle: Handle, id: number): Promise<MediaRow | undefined> {
  return handle.selectFrom('media').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Files that are not deleted, locked until the transaction ends, in a fixed order to prevent deadlocks. */
export function lockActiveMedia(db: Database, tx: Tx, ids: readonly number[]): Promise<LockedMedia[]> {
  return selectActiveMedia(tx, ids, db.forUpdate)
}

/** With a shared lock: enough to prevent deletion, and many transactions can hold it. */
export async function shareLockActiveMedia(db: Database, tx: Tx, id: number): Promise<LockedMedia | undefined> {
  return (await selectActiveMedia(tx, [id], db.forShare))[0]
}

async function selectActiveMedia(tx: Tx, ids: readonly number[], lock: Database['forUpdate']): Promise<LockedMedia[]> {
  const taken: LockedMedia[] = []
  for (const some of inChunks([...new Set(ids)].sort((a, b) => a - b))) {
    const query = tx
      .selectFrom('media')
      .select(['id', 'original_name', 'file_type', 'file_size', 'folder_id', 'uploaded_by', 'motion_part'])
      .where('id', 'in', some)
      .where('deleted_at', 'is', null)
      .orderBy('id')
    taken.push(...(await lock(query).execute()))
  }
  return taken
}
export type LockedMedia = Pick<
  MediaRow,
  'id' | 'original_name' | 'file_type' | 'file_size' | 'folder_id' | 'uploaded_by' | 'motion_part'
>

/** Deleted files too; locked until the transaction ends. */
export async function lockMediaById(db: Database, tx: Tx, id: number): Promise<MediaRow | undefined> {
  return db.forUpdate(tx.selectFrom('media').selectAll().where('id', '=', id)).executeTakeFirst()
}

/** Deleted files too; locked until the transaction ends. */
export async function lockMediaByHash(db: Database, tx: Tx, hash: string): Promise<MediaRow | undefined> {
  return db.forUpdate(tx.selectFrom('media').selectAll().where('hash', '=', hash)).executeTakeFirst()
}

/** Without damaged and missing files, which are repaired by uploading their bytes again. */
export async function findDuplicates(handle: Handle, hash: string) {
  const rows = await handle
    .selectFrom('media')
    .select(['id', 'original_name', 'incomplete'])
    .where('hash', '=', hash)
    .where('deleted_at', 'is', null)
    .where('damaged_at', 'is', null)
    .where('missing_at', 'is', null)
    .execute()
  return rows.map(asDuplicate)
}

export function asDuplicate({ id, original_name, incomplete }: Pick<MediaRow, 'id' | 'original_name' | 'incomplete'>) {
  return { id, original_name, incomplete: incomplete === 1 }
}

export async function updateMedia(tx: Tx, id: number, change: Partial<Omit<NewMedia, 'id'>>): Promise<void> {
  await tx.updateTable('media').set(withProportion(change)).where('id', '=', id).execute()
}

export async function updateManyMedia(
  tx: Tx,
  ids: readonly number[],
  change: Partial<Omit<NewMedia, 'id'>>,
): Promise<void> {
  for (const some of inChunks(ids)) await tx.updateTable('media').set(change).where('id', 'in', some).execute()
}

export async function insertParts(tx: Tx, parts: MediaPartRow[]): Promise<void> {
  if (parts.length > 0) await tx.insertInto('media_parts').values(parts).execute()
}

/** Returns the keys of the deleted parts, whose objects are now orphans. */
export async function deleteParts(tx: Tx, mediaId: number, kinds: readonly PartKind[]): Promise<string[]> {
  if (kinds.length === 0) return []
  const removed = await tx
    .deleteFrom('media_parts')
    .where('media_id', '=', mediaId)
    .where('kind', 'in', kinds)
    .returning('key')
    .execute()
  return removed.map(part => part.key)
}

export async function findParts(handle: Handle, ids: readonly number[]): Promise<Map<number, MediaPartRow[]>> {
  const parts: MediaPartRow[] = []
  for (const some of inChunks(ids)) {
    parts.push(...(await handle.selectFrom('media_parts').selectAll().where('media_id', 'in', some).execute()))
  }
  return Map.groupBy(parts, part => part.media_id)
}

/** Storage keys of the parts of a file. */
export type PartKeys = Readonly<Partial<Record<PartKind, string>>>

export async function findPartKeys(handle: Handle, ids: readonly number[]): Promise<Map<number, PartKeys>> {
  const found = new Map<number, Partial<Record<PartKind, string>>>()
  for (const some of inChunks(ids)) {
    const parts = await handle
      .selectFrom('media_parts')
      .select(['media_id', 'kind', 'key'])
      .where('media_id', 'in', some)
      .execute()
    for (const { media_id, kind, key } of parts) {
      const keys = found.get(media_id) ?? {}
      keys[kind] = key
      found.set(media_id, keys)
    }
  }
  return found
}

export async function findPart(handle: Handle, mediaId: number, kind: PartKind): Promise<MediaPartRow | undefined> {
  return handle
    .selectFrom('media_parts')
    .selectAll()
    .where('media_id', '=', mediaId)
    .where('kind', '=', kind)
    .executeTakeFirst()
}

export async function findPeople(handle: Handle, ids: readonly number[]) {
  if (ids.length === 0) return []
  return handle.selectFrom('people').select(['id', 'username', 'name']).where('id', 'in', ids).execute()
}

export async function folderExists(handle: Handle, id: number): Promise<boolean> {
  return (await handle.selectFrom('folders').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

export async function isApproved(handle: Handle, personId: number): Promise<boolean> {
  const person = await handle
    .selectFrom('people')
    .select('id')
    .where('id', '=', personId)
    .where('status', '=', 'approved')
    .executeTakeFirst()
  return person !== undefined
}

export async function listFailedMedia(handle: Handle, page: PageBefore): Promise<MediaRow[]> {
  return newestFirst(failedMedia(handle).selectAll(), 'id', page).execute()
}

/** Failed, damaged and partly damaged files: the condition of their index. */
function failedMedia(handle: Handle) {
  return handle
    .selectFrom('media')
    .where(eb => eb.or([eb('status', '=', 'failed'), eb('damaged_at', 'is not', null), eb('partly_damaged', '=', 1)]))
    .where('deleted_at', 'is', null)
}

/** The newest of them that no job prepares yet, locked in a fixed order to prevent deadlocks. */
export async function lockFailed(db: Database, tx: Tx, limit: number) {
  const retriable = (handle: Handle) =>
    failedMedia(handle).where(eb => eb.or([eb('status', '<>', 'processing'), eb('damaged_at', 'is not', null)]))
  const newest = await retriable(tx).select('id').orderBy('id', 'desc').limit(limit).execute()
  const locked: Pick<MediaRow, 'id' | 'file_type' | 'uploaded_by' | 'damaged_at' | 'failure_reason'>[] = []
  for (const some of inChunks(newest.map(media => media.id).reverse())) {
    // The conditions again: another admin may have retried some of them since.
    const query = retriable(tx)
      .select(['id', 'file_type', 'uploaded_by', 'damaged_at', 'failure_reason'])
      .where('id', 'in', some)
      .orderBy('id')
    locked.push(...(await db.forUpdate(query).execute()))
  }
  return locked
}

/** Those of these files that had failed. */
export async function resetFailed(tx: Tx, ids: readonly number[]): Promise<number[]> {
  const reset: number[] = []
  for (const some of inChunks(ids)) {
    const rows = await tx
      .updateTable('media')
      .set({ status: 'processing', progress: 0, failure_reason: null, failed_at: null })
      .where('id', 'in', some)
      .where('status', '=', 'failed')
      .returning('id')
      .execute()
    reset.push(...rows.map(row => row.id))
  }
  return reset
}

export async function setProgress(handle: Handle, id: number, percent: number): Promise<void> {
  await handle
    .updateTable('media')
    .set({ progress: percent })
    .where('id', '=', id)
    .where('status', '=', 'processing')
    .execute()
}

/** Only while the conversion runs: its last progress report may arrive after its end. */
export async function setCompatibleProgress(handle: Handle, id: number, percent: number): Promise<void> {
  await handle
    .updateTable('media')
    .set({ compatible_progress: percent })
    .where('id', '=', id)
    .where('compatible_progress', 'is not', null)
    .execute()
}

/** Whether a folder has more files than this, deleted ones included. */
export async function hasMoreFiles(handle: Handle, folderId: number, than: number): Promise<boolean> {
  const files = handle.selectFrom('media').select('id').where('folder_id', '=', folderId)
  return (await files.limit(1).offset(than).executeTakeFirst()) !== undefined
}

/** Moves files of a folder to the root, deleted ones included: all of them, or some. Returns how many were not deleted. */
export async function moveFilesToRoot(db: Database, tx: Tx, folderId: number, limit?: number): Promise<number> {
  const query = tx
    .selectFrom('media')
    .select(['id', 'file_type', 'file_size', 'folder_id', 'deleted_at'])
    .where('folder_id', '=', folderId)
    .orderBy('id')
    .$if(limit !== undefined, found => found.limit(limit ?? 0))
  const files = await db.forUpdate(query).execute()
  const active = files.filter(file => file.deleted_at === null)
  await updateManyMedia(
    tx,
    files.map(file => file.id),
    { folder_id: null },
  )
  await moveCounts(tx, active, null)
  await tx.deleteFrom('media_counts').where('folder_id', '=', folderId).where('files', '=', 0).execute()
  return active.length
}

/** Files that are not deleted, each with the key of its thumbnail. */
export async function findCards(handle: Handle, ids: readonly number[]) {
  const some = (part: readonly number[]) =>
    handle
      .selectFrom('media')
      .leftJoin('media_parts', join =>
        join.onRef('media_parts.media_id', '=', 'media.id').on('media_parts.kind', '=', 'thumbnail'),
      )
      .select(['id', 'original_name', 'file_type', 'media.width', 'media.height', 'thumbhash', 'key as thumbnail_key'])
      .where('id', 'in', part)
      .where('deleted_at', 'is', null)
      .execute()
  return (await Promise.all([...inChunks(ids)].map(some))).flat()
}

/** The newest file with a thumbnail in each of these folders, by folder. One index lookup per folder. */
export async function newestOfFolders(handle: Handle, folderIds: readonly number[]) {
  const some = (part: readonly number[]) =>
    handle
      .selectFrom('folders')
      .innerJoin('media', join =>
        join.on('media.id', '=', eb =>
          eb
            .selectFrom('media as newest')
            .innerJoin('media_parts', parts =>
              parts.onRef('media_parts.media_id', '=', 'newest.id').on('media_parts.kind', '=', 'thumbnail'),
            )
            .select('newest.id')
            .whereRef('newest.folder_id', '=', 'folders.id')
            .where('newest.deleted_at', 'is', null)
            .orderBy('newest.date_sort', 'desc')
            .orderBy('newest.heading_rank', 'desc')
            .orderBy('newest.id', 'desc')
            .limit(1),
        ),
      )
      .select(['folders.id as folder_id', 'media.id', 'media.date_sort', 'media.heading_rank'])
      .where('folders.id', 'in', part)
      .execute()
  const rows = (await Promise.all([...inChunks(folderIds)].map(some))).flat()
  return new Map(rows.map(({ folder_id, ...file }) => [folder_id, file]))
}

/** To be called in the transaction that changes a file's name, caption, location or camera. */
export async function updateSearchText(tx: Tx, mediaId: number): Promise<void> {
  const row = await findMedia(tx, mediaId)
  if (!row) return
  await updateMedia(tx, mediaId, {
    name_sort: naturalSortKey(row.original_name),
    location_sort: searchable(row.location ?? ''),
  })
  await upsertSearchTexts(tx, [row])
}
