import { type SelectQueryBuilder, sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { newestFirst, type PageBefore } from '../db/newest-first.ts'
import type { AlbumRow, Handle, Schema, Tx } from '../db/schema.ts'
import { inChunks } from '../kit/in-chunks.ts'
import { searchable } from '../kit/searchable.ts'

/** Changes of an album, its files and its comments are serialised by locking its row. */
export async function lockAlbum(db: Database, tx: Tx, id: number): Promise<AlbumRow | undefined> {
  return db.forUpdate(activeAlbums(tx).where('id', '=', id)).executeTakeFirst()
}

export async function findAlbum(handle: Handle, id: number): Promise<AlbumRow | undefined> {
  return activeAlbums(handle).where('id', '=', id).executeTakeFirst()
}

function activeAlbums(handle: Handle): SelectQueryBuilder<Schema, 'albums', AlbumRow> {
  return handle.selectFrom('albums').selectAll().where('deleted_at', 'is', null)
}

/** Newest first. There are few albums, so their titles need no index. */
export async function selectAlbums(
  db: Database,
  { words, ...page }: PageBefore & { words: readonly string[] },
): Promise<AlbumRow[]> {
  let query = activeAlbums(db.query)
  for (const word of words) query = query.where(db.contains(sql.ref<string>('search_text'), word))
  return newestFirst(query, 'id', page).execute()
}

/** Those that were not counted since. */
export async function selectSmartAlbums(handle: Handle, countedBefore: number): Promise<AlbumRow[]> {
  const counted = handle.selectFrom('smart_album_counts').select('album_id').where('counted_at', '>', countedBefore)
  return activeAlbums(handle).where('search', 'is not', null).where('id', 'not in', counted).orderBy('id').execute()
}

type NewAlbum = Pick<AlbumRow, 'title' | 'description' | 'search' | 'file_order' | 'created_at' | 'created_by'>

export async function insertAlbum(tx: Tx, album: NewAlbum): Promise<number> {
  const { id } = await tx
    .insertInto('albums')
    .values({ ...album, search_text: searchable(album.title) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export type AlbumChange = Partial<
  Pick<AlbumRow, 'title' | 'description' | 'search' | 'file_order' | 'manual_order_since' | 'cover_id'>
>

export async function updateAlbumRow(tx: Tx, id: number, change: AlbumChange): Promise<void> {
  const search_text = change.title === undefined ? {} : { search_text: searchable(change.title) }
  await tx
    .updateTable('albums')
    .set({ ...change, ...search_text })
    .where('id', '=', id)
    .execute()
}

export async function markAlbumDeleted(tx: Tx, id: number, by: number, at: number): Promise<void> {
  await tx.updateTable('albums').set({ deleted_at: at, deleted_by: by }).where('id', '=', id).execute()
}

/** Whose albums, comments or files in an album a person may change. */
export type Owner = { personId: number } | 'anyone'

/** Only one that `owner` has deleted. False if there is no such album deleted since then. */
export async function unmarkAlbumDeleted(tx: Tx, id: number, owner: Owner, since: number): Promise<boolean> {
  let query = tx
    .updateTable('albums')
    .set({ deleted_at: null, deleted_by: null })
    .where('id', '=', id)
    .where('deleted_at', '>=', since)
  if (owner !== 'anyone') query = query.where('deleted_by', '=', owner.personId)
  return (await query.executeTakeFirst()).numUpdatedRows > 0n
}

/** The albums that people have added a file to. */
export async function selectAlbumsOfFile(handle: Handle, mediaId: number) {
  return handle
    .selectFrom('album_files')
    .innerJoin('albums', 'albums.id', 'album_files.album_id')
    .innerJoin('people', 'people.id', 'album_files.added_by')
    .select(['albums.id', 'albums.title', 'albums.created_by', 'album_files.added_by', 'album_files.added_at'])
    .select('album_files.guest')
    .select(['people.username', 'people.name'])
    .where('album_files.media_id', '=', mediaId)
    .where('album_files.removed_at', 'is', null)
    .where('albums.deleted_at', 'is', null)
    .orderBy('album_files.added_at')
    .orderBy('albums.id')
    .execute()
}

/** Of those that are not deleted. Undated ones are last. */
export async function sortedByDate(tx: Tx, ids: readonly number[]): Promise<number[]> {
  const files: { id: number; date_sort_asc: number; heading_rank: number }[] = []
  for (const some of inChunks(new Set(ids))) {
    const query = tx.selectFrom('media').select(['id', 'date_sort_asc', 'heading_rank']).where('id', 'in', some)
    files.push(...(await query.where('deleted_at', 'is', null).execute()))
  }
  const order = files.sort(
    (a, b) => a.date_sort_asc - b.date_sort_asc || a.heading_rank - b.heading_rank || a.id - b.id,
  )
  return order.map(file => file.id)
}

/** The gap between two positions. With 100,000 files the last one is still a small integer. */
export const GAP = 65_536

/** At the end, in this order. Returns those that were not in the album. */
export async function insertFiles(
  tx: Tx,
  albumId: number,
  ids: readonly number[],
  { by, at, guests }: { by: number; at: number; guests?: ReadonlyMap<number, string> },
): Promise<number[]> {
  const last = await tx
    .selectFrom('album_files')
    .select(({ fn }) => fn.max<number | null>('position').as('position'))
    .where('album_id', '=', albumId)
    .executeTakeFirst()
  let position = last?.position ?? 0
  const added: number[] = []
  for (const some of inChunks(ids)) {
    const rows = some.map(media_id => {
      position += GAP
      return { album_id: albumId, media_id, position, added_at: at, added_by: by, guest: guests?.get(media_id) ?? null }
    })
    const inserted = await tx
      .insertInto('album_files')
      .values(rows)
      .onConflict(conflict =>
        conflict
          .columns(['album_id', 'media_id'])
          .doUpdateSet(({ ref }) => ({
            position: ref('excluded.position'),
            added_at: at,
            added_by: by,
            guest: ref('excluded.guest'),
            removed_at: null,
            removed_by: null,
          }))
          .where('album_files.removed_at', 'is not', null),
      )
      .returning('media_id')
      .execute()
    added.push(...inserted.map(row => row.media_id))
  }
  return added
}

const MANY_FILES = 1_000

/**
 * Until autovacuum has counted them, which takes up to a minute, Postgres expects a few files in the album and reads and sorts
 * all of them for every page.
 */
export async function updateStatistics(db: Database, tx: Tx, added: number): Promise<void> {
  if (db.engine === 'postgres' && added >= MANY_FILES) await sql`analyze album_files`.execute(tx)
}

/** Only those that `owner` has added. Returns the removed ones, and how many of the others are still there. */
export async function markFilesRemoved(
  tx: Tx,
  albumId: number,
  ids: readonly number[],
  { owner, by, at }: { owner: Owner; by: number; at: number },
): Promise<{ removed: number[]; kept: number }> {
  const removed: number[] = []
  let kept = 0
  for (const some of inChunks(new Set(ids))) {
    let query = tx
      .updateTable('album_files')
      .set({ removed_at: at, removed_by: by })
      .where('album_id', '=', albumId)
      .where('media_id', 'in', some)
      .where('removed_at', 'is', null)
    if (owner !== 'anyone') query = query.where('added_by', '=', owner.personId)
    removed.push(...(await query.returning('media_id').execute()).map(row => row.media_id))
    const others = await tx
      .selectFrom('album_files')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('album_id', '=', albumId)
      .where('media_id', 'in', some)
      .where('removed_at', 'is', null)
      .executeTakeFirst()
    kept += others?.count ?? 0
  }
  return { removed, kept }
}

/** Only those that `owner` has removed. Returns them. */
export async function unmarkFilesRemoved(
  tx: Tx,
  albumId: number,
  ids: readonly number[],
  owner: Owner,
): Promise<number[]> {
  const restored: number[] = []
  for (const some of inChunks(new Set(ids))) {
    let query = tx
      .updateTable('album_files')
      .set({ removed_at: null, removed_by: null })
      .where('album_id', '=', albumId)
      .where('media_id', 'in', some)
      .where('removed_at', 'is not', null)
    if (owner !== 'anyone') query = query.where('removed_by', '=', owner.personId)
    restored.push(...(await query.returning('media_id').execute()).map(row => row.media_id))
  }
  return restored
}

export async function isInAlbum(tx: Tx, albumId: number, mediaId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('album_files')
    .select('media_id')
    .where('album_id', '=', albumId)
    .where('media_id', '=', mediaId)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

export interface FilePosition {
  id: number
  position: number
}

/** In the manual order. */
export async function selectPositions(tx: Tx, albumId: number): Promise<FilePosition[]> {
  return tx
    .selectFrom('album_files')
    .select(['media_id as id', 'position'])
    .where('album_id', '=', albumId)
    .where('removed_at', 'is', null)
    .orderBy('position')
    .orderBy('media_id')
    .execute()
}

export async function updatePositions(tx: Tx, albumId: number, positions: readonly FilePosition[]): Promise<void> {
  for (const some of inChunks(positions)) {
    const values = some.map(({ id, position }) => sql`(${sql.lit(id)}, ${sql.lit(position)})`)
    await sql`with moved (id, position) as (values ${sql.join(values)})
      update album_files set position = moved.position from moved
      where album_id = ${albumId} and media_id = moved.id`.execute(tx)
  }
}

/** Gives all files new positions, removed ones too, with space for `space` files between two of them. */
export async function renumber(
  tx: Tx,
  albumId: number,
  by: 'position' | 'oldest' | 'newest',
  space = GAP,
): Promise<void> {
  const order = {
    position: sql`album_files.position, media.id`,
    oldest: sql`media.date_sort_asc, media.heading_rank, media.id`,
    newest: sql`media.date_sort desc, media.heading_rank desc, media.id desc`,
  }[by]
  await sql`with numbered (id, number) as (
      select media.id, row_number() over (order by ${order}) from album_files
      join media on media.id = album_files.media_id where album_id = ${albumId})
    update album_files set position = numbered.number * ${sql.lit(Math.max(GAP, space + 1))} from numbered
    where album_id = ${albumId} and media_id = numbered.id`.execute(tx)
}

/** Removes for good what was deleted or removed before this time. */
export async function purgeAlbums(tx: Tx, before: number): Promise<void> {
  await tx.deleteFrom('albums').where('deleted_at', '<', before).execute()
  await tx.deleteFrom('album_files').where('removed_at', '<', before).execute()
}
