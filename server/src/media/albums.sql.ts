import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { AlbumRow } from '../db/schema.ts'
import { albumScope } from './filter.ts'
import { inOrder, type MediaQuery, matching, type Order } from './list.sql.ts'

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
  firstDay: number | null
  lastDay: number | null
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
        first_day: number | null
        last_day: number | null
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
      { files: row.files, firstDay: row.first_day, lastDay: row.last_day, coverId: row.cover_id },
    ]),
  )
}

function statsOf(db: Database, album: ListedAlbum): RawBuilder<unknown> {
  const files = filesOfAlbum(db, album)
  const chosen = files.select('media.id').where('media.id', '=', album.cover_id)
  const first = inOrderOfAlbum(files.select('media.id').where('status', '=', 'ready'), album).limit(1)
  const cover = album.cover_id === null ? sql`(${first})` : sql`coalesce((${chosen}), (${first}))`
  return sql`select ${sql.lit(album.id)} as album_id, count(*) as files, min(day) as first_day, max(day) as last_day,
    ${cover} as cover_id from (${files.select('media.day')}) as files`
}
