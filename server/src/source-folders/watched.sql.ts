import type { Handle, MediaRow, Tx } from '../db/schema.ts'
import { inChunks } from '../kit/in-chunks.ts'
import { WATCHED } from '../storage/keys.ts'
import type { Place } from './watched-storage.ts'

export interface WatchedFile extends Place {
  hash: string | null
  media_id: number | null
  part: 'original' | 'motion' | null
}

export type WatchedRow = WatchedFile & { id: number }

/** Every place where the bytes of a key are, or were when it was last looked. */
export async function placesOfKey(handle: Handle, key: string): Promise<Place[]> {
  return handle
    .selectFrom('media_parts')
    .innerJoin('media', 'media.id', 'media_parts.media_id')
    .innerJoin('watched_files', join =>
      join
        .onRef('watched_files.media_id', '=', 'media_parts.media_id')
        .onRef('watched_files.part', '=', 'media_parts.kind')
        .onRef('watched_files.size', '=', 'media_parts.size'),
    )
    .select(['root', 'path', 'watched_files.size', 'modified_at'])
    .where('media_parts.key', '=', key)
    .where(eb => eb.or([eb('part', '<>', 'original'), eb('watched_files.hash', '=', eb.ref('media.hash'))]))
    .execute()
}

export async function knownFiles(handle: Handle, root: string, paths: readonly string[]) {
  const known = new Map<string, WatchedRow>()
  for (const some of inChunks(paths)) {
    const rows = await handle
      .selectFrom('watched_files')
      .selectAll()
      .where('root', '=', root)
      .where('path', 'in', some)
      .execute()
    for (const row of rows as WatchedRow[]) known.set(row.path, row)
  }
  return known
}

/** Returns its id. */
export async function upsertWatched(handle: Handle, file: WatchedFile): Promise<number> {
  const { root, path, size, modified_at, hash, media_id, part } = file
  const change = { size, modified_at, hash, media_id, part }
  const row = await handle
    .insertInto('watched_files')
    .values({ root, path, ...change })
    .onConflict(conflict => conflict.columns(['root', 'path']).doUpdateSet(change))
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** Deleted ones too. */
export async function mediaWithHash(
  handle: Handle,
  hash: string,
): Promise<Pick<MediaRow, 'id' | 'deleted_at' | 'missing_at' | 'damaged_at'> | undefined> {
  return handle
    .selectFrom('media')
    .select(['id', 'deleted_at', 'missing_at', 'damaged_at'])
    .where('hash', '=', hash)
    .executeTakeFirst()
}

/** Whether a file with these bytes was deleted for good here: it stays hidden. */
export async function isHiddenForGood(handle: Handle, hash: string): Promise<boolean> {
  const row = await handle
    .selectFrom('watched_files')
    .select('id')
    .where('hash', '=', hash)
    .where('media_id', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether the file has no other original than the one at this place. */
export async function isOnlyPlace(handle: Handle, mediaId: number, id: number): Promise<boolean> {
  const original = await handle
    .selectFrom('media_parts')
    .select('key')
    .where('media_id', '=', mediaId)
    .where('kind', '=', 'original')
    .executeTakeFirst()
  if (!original?.key.startsWith(WATCHED)) return false
  const other = await handle
    .selectFrom('watched_files')
    .select('id')
    .where('media_id', '=', mediaId)
    .where('part', '=', 'original')
    .where('id', '<>', id)
    .executeTakeFirst()
  return other === undefined
}

/** The files of a folder in the order of their ids, after one of them. */
export async function filesAfter(handle: Handle, root: string, after: number, limit: number): Promise<WatchedRow[]> {
  const rows = await handle
    .selectFrom('watched_files')
    .selectAll()
    .where('root', '=', root)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows as WatchedRow[]
}

/** All places of the originals of these files. */
export async function placesOfMedia(handle: Handle, mediaIds: readonly number[]) {
  const places: { id: number; root: string; media_id: number }[] = []
  for (const some of inChunks(mediaIds)) {
    const rows = await handle
      .selectFrom('watched_files')
      .select(['id', 'root', 'media_id'])
      .where('media_id', 'in', some)
      .where('part', '=', 'original')
      .execute()
    for (const { id, root, media_id } of rows) if (media_id !== null) places.push({ id, root, media_id })
  }
  return places
}

/** Those of these files that are not deleted, whose original is in a watched folder, and that are not known to be missing. */
export async function shownInPlace(handle: Handle, mediaIds: readonly number[]): Promise<Set<number>> {
  const shown = new Set<number>()
  for (const some of inChunks(mediaIds)) {
    const rows = await handle
      .selectFrom('media')
      .innerJoin('media_parts', join =>
        join.onRef('media_parts.media_id', '=', 'media.id').on('media_parts.kind', '=', 'original'),
      )
      .select('media.id')
      .where('media.id', 'in', some)
      .where('deleted_at', 'is', null)
      .where('missing_at', 'is', null)
      .where('key', 'like', `${WATCHED}%`)
      .execute()
    for (const { id } of rows) shown.add(id)
  }
  return shown
}

export async function removeWatched(tx: Tx, ids: readonly number[]): Promise<void> {
  for (const some of inChunks(ids)) await tx.deleteFrom('watched_files').where('id', 'in', some).execute()
}

export async function setMissing(tx: Tx, mediaIds: readonly number[], missing_at: number | null): Promise<void> {
  for (const some of inChunks(mediaIds)) {
    await tx.updateTable('media').set({ missing_at }).where('id', 'in', some).execute()
  }
}

/** How many photos and videos a folder has, and how many of the library are missing in any. */
export async function countWatched(handle: Handle, root: string): Promise<number> {
  const row = await handle
    .selectFrom('watched_files')
    .select(({ fn }) => fn.countAll<number>().as('files'))
    .where('root', '=', root)
    .where('part', '=', 'original')
    .where('media_id', 'is not', null)
    .executeTakeFirst()
  return row?.files ?? 0
}

export async function countMissing(handle: Handle): Promise<number> {
  const row = await handle
    .selectFrom('media')
    .select(({ fn }) => fn.countAll<number>().as('files'))
    .where('missing_at', 'is not', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.files ?? 0
}

/** Those of these files that are not deleted, and since when they are missing. */
export async function activeMedia(handle: Handle, mediaIds: readonly number[]): Promise<Map<number, number | null>> {
  const active = new Map<number, number | null>()
  for (const some of inChunks(mediaIds)) {
    const query = handle.selectFrom('media').select(['id', 'missing_at']).where('id', 'in', some)
    for (const { id, missing_at } of await query.where('deleted_at', 'is', null).execute()) active.set(id, missing_at)
  }
  return active
}

/** Whether a clip with these bytes belongs to this photo. */
export async function isClipOf(handle: Handle, mediaId: number, hash: string): Promise<boolean> {
  const row = await handle
    .selectFrom('watched_files')
    .select('id')
    .where('media_id', '=', mediaId)
    .where('part', '=', 'motion')
    .where('hash', '=', hash)
    .executeTakeFirst()
  return row !== undefined
}
