import { type RawBuilder, sql } from 'kysely'
import { UNDATED_LIMIT } from '#contract/edtf.ts'
import type { Database } from '../db/database.ts'
import type { AlbumRow } from '../db/schema.ts'
import { type MediaQuery, matching, type Order } from './filter.sql.ts'
import { albumScope } from './filter.ts'
import { inOrder } from './list.sql.ts'

type ListedAlbum = Pick<AlbumRow, 'id' | 'search' | 'file_order' | 'cover_id'>

function orderOfAlbum({ id, file_order }: Pick<AlbumRow, 'id' | 'file_order'>): Order {
  if (file_order === 'manual') return { sort: 'manual', order: 'asc', albumId: id }
  return { sort: 'date', order: file_order === 'newest' ? 'desc' : 'asc' }
}

/** The files of an album that are not deleted. */
export function filesOfAlbum(db: Database, { id, search }: Pick<AlbumRow, 'id' | 'search'>): MediaQuery<object> {
  return matching(db, { words: [], type: undefined, folder: undefined, album: albumScope(id, search) })
}

export function inOrderOfAlbum<Row>(
  query: MediaQuery<Row>,
  album: Pick<AlbumRow, 'id' | 'file_order'>,
): MediaQuery<Row> {
  return inOrder(query, orderOfAlbum(album))
}

export interface AlbumStats {
  files: number
  /** `date_sort` of its earliest and latest file. */
  firstDate: number | null
  lastDate: number | null
  /** The chosen file if it is in the album, else its first one. */
  coverId: number | null
}

/** By album. One statement, however many albums there are. */
export async function statsOfAlbums(
  db: Database,
  albums: readonly ListedAlbum[],
): Promise<ReadonlyMap<number, AlbumStats>> {
  if (albums.length === 0) return new Map()
  const rows = await db.query
    .selectFrom(
      sql<{
        album_id: number
        files: number
        first_date: number | null
        last_date: number | null
        cover_id: number | null
      }>`(${sql.join(
        albums.map(album => statsOf(db, album)),
        sql` union all `,
      )})`.as('stats'),
    )
    .selectAll()
    .execute()
  return new Map(
    rows.map(row => [
      row.album_id,
      { files: row.files, firstDate: row.first_date, lastDate: row.last_date, coverId: row.cover_id },
    ]),
  )
}

/** Reads columns of the indexes alone wherever it counts: the rows of the files are several times as large. */
function statsOf(db: Database, album: ListedAlbum): RawBuilder<unknown> {
  const files = filesOfAlbum(db, album)
  const isReady = files.select('media.id').where('status', '=', 'ready')
  const chosen = files.select('media.id').where('media.id', '=', album.cover_id)
  const select = (from: RawBuilder<unknown>, ready: MediaQuery<object>) => {
    const first = inOrderOfAlbum(ready, album).limit(1)
    const cover = album.cover_id === null ? sql`${first}` : sql`coalesce(${chosen}, ${first})`
    const dated = sql`case when date_sort > ${sql.lit(UNDATED_LIMIT)} then date_sort end`
    return sql`select ${sql.lit(album.id)} as album_id, count(*) as files, min(${dated}) as first_date,
      max(${dated}) as last_date, ${cover} as cover_id from ${from}`
  }
  if (!searchesWords(album)) return select(sql`${files.select('media.date_sort')} as files`, isReady)
  // Words are looked up once for all of it.
  const found = files.select(['media.id', 'media.date_sort'])
  const ready = db.query
    .selectFrom('media')
    .select('media.id')
    .where('status', '=', 'ready')
    .where('media.id', 'in', sql<number>`(select id from found)`)
  return sql`select * from (with found as materialized ${found} ${select(sql`found`, ready)}) as smart`
}

function searchesWords({ id, search }: ListedAlbum): boolean {
  const scope = albumScope(id, search)
  return 'matching' in scope && scope.matching.words.length > 0
}

export async function countVideosOfAlbum(db: Database, album: Pick<AlbumRow, 'id' | 'search'>): Promise<number> {
  const row = await filesOfAlbum(db, album)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('file_type', '=', 'video')
    .executeTakeFirst()
  return row?.count ?? 0
}

/** By album. One statement, however many albums there are. */
export async function countFilesOfAlbums(
  db: Database,
  albums: readonly Pick<AlbumRow, 'id' | 'search'>[],
): Promise<ReadonlyMap<number, number>> {
  if (albums.length === 0) return new Map()
  const counts = albums.map(
    album =>
      sql`select ${sql.lit(album.id)} as album_id, count(*) as files from ${filesOfAlbum(db, album).select('media.id')} as files`,
  )
  const rows = await db.query
    .selectFrom(sql<{ album_id: number; files: number }>`(${sql.join(counts, sql` union all `)})`.as('counts'))
    .selectAll()
    .execute()
  return new Map(rows.map(row => [row.album_id, row.files]))
}
