import { type RawBuilder, sql } from 'kysely'
import { type Group, groupText, rankOf } from '#contract/edtf.ts'
import { DAY } from '#contract/limits.ts'
import type { Database } from '../db/database.ts'
import type { AlbumRow } from '../db/schema.ts'
import { type MediaQuery, matching, type Order } from './filter.sql.ts'
import { albumScope } from './filter.ts'
import { inOrder } from './list.sql.ts'
import { type AlbumStats, type SmartAlbumCount, smartAlbumCounts } from './smart-album-counts.sql.ts'

type ListedAlbum = Pick<AlbumRow, 'id' | 'search' | 'file_order' | 'cover_id'>

function orderOfAlbum({ id, file_order }: Pick<AlbumRow, 'id' | 'file_order'>): Order {
  if (file_order === 'manual') return { sort: 'manual', order: 'asc', albumId: id }
  return { sort: 'date', order: file_order === 'newest' ? 'desc' : 'asc' }
}

/** The files of an album that are not deleted. */
export function filesOfAlbum(db: Database, { id, search }: Pick<AlbumRow, 'id' | 'search'>): MediaQuery<object> {
  return matching(db, { given: {}, words: [], album: albumScope(id, search) })
}

/** The files in a folder, or (null) in none, that are not deleted. */
export function filesOfFolder(db: Database, folderId: number | null): MediaQuery<object> {
  return matching(db, { given: { folder_id: folderId ?? 'root' }, words: [] })
}

export function inOrderOfAlbum<Row>(
  query: MediaQuery<Row>,
  album: Pick<AlbumRow, 'id' | 'file_order'>,
): MediaQuery<Row> {
  return inOrder(query, orderOfAlbum(album))
}

/** By album. Smart ones as they were last counted. */
export async function statsOfAlbums(
  db: Database,
  albums: readonly ListedAlbum[],
): Promise<ReadonlyMap<number, AlbumStats>> {
  const stored = await smartAlbumCounts(db.query, smartOnes(albums))
  const counted = await countAlbums(
    db,
    albums.filter(album => !stored.has(album.id)),
  )
  return new Map<number, AlbumStats>([...stored, ...counted])
}

function smartOnes(albums: readonly Pick<AlbumRow, 'id' | 'search'>[]): number[] {
  return albums.filter(album => album.search !== null).map(album => album.id)
}

/** By album. One statement, however many albums there are. */
async function countAlbums(db: Database, albums: readonly ListedAlbum[]): Promise<ReadonlyMap<number, AlbumStats>> {
  if (albums.length === 0) return new Map()
  const rows = await db.query
    .selectFrom(
      sql<HeadingStats>`(${sql.join(
        albums.map(album => statsOf(db, album)),
        sql` union all `,
      )})`.as('stats'),
    )
    .selectAll()
    .execute()
  const byAlbum = Map.groupBy(rows, row => row.album_id)
  return new Map(albums.map(({ id }) => [id, summarise(byAlbum.get(id) ?? [])]))
}

/** Of the files of an album with the same kind of heading. */
interface HeadingStats {
  album_id: number
  heading_rank: number
  files: number
  first: number
  last: number
  cover_id: number | null
}

function summarise(rows: readonly HeadingStats[]): AlbumStats {
  const dated = rows.filter(row => row.heading_rank !== rankOf('undated'))
  const [earliest] = dated.toSorted((a, b) => a.first - b.first || a.heading_rank - b.heading_rank)
  const [latest] = dated.toSorted((a, b) => b.last - a.last || b.heading_rank - a.heading_rank)
  return {
    files: rows.reduce((sum, { files }) => sum + files, 0),
    firstDate: earliest ? headingAt(earliest.first, earliest) : null,
    lastDate: latest ? headingAt(latest.last, latest) : null,
    coverId: rows[0]?.cover_id ?? null,
  }
}

/** As exact as its heading in lists: the middle of an imprecise date is no day of a photo. */
function headingAt(sortKey: number, { heading_rank }: Pick<Group, 'heading_rank'>): string {
  const group = { day: Math.floor(sortKey / DAY), heading_rank }
  return groupText(group, day => new Date(day * DAY).toISOString().slice(0, 10))
}

/** Reads columns of the indexes alone wherever it counts: the rows of the files are several times as large. */
function statsOf(db: Database, album: ListedAlbum): RawBuilder<unknown> {
  const files = filesOfAlbum(db, album)
  const isReady = files.select('media.id').where('status', '=', 'ready')
  const chosen = files.select('media.id').where('media.id', '=', album.cover_id)
  const select = (from: RawBuilder<unknown>, ready: MediaQuery<object>) => {
    const first = inOrderOfAlbum(ready, album).limit(1)
    const cover = album.cover_id === null ? sql`${first}` : sql`coalesce(${chosen}, ${first})`
    return sql`select ${sql.lit(album.id)} as album_id, heading_rank, count(*) as files, min(date_sort) as first,
      max(date_sort) as last, ${cover} as cover_id from ${from} group by heading_rank`
  }
  if (!searchesWords(album))
    return select(sql`${files.select(['media.date_sort', 'media.heading_rank'])} as files`, isReady)
  // Words are looked up once for all of it.
  const found = files.select(['media.id', 'media.date_sort', 'media.heading_rank'])
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

/** Runs the search of a smart album, which may read all files. */
export async function countSmartAlbum(db: Database, album: ListedAlbum): Promise<SmartAlbumCount> {
  const stats = (await countAlbums(db, [album])).get(album.id)
  if (!stats) throw new Error(`Album ${album.id} was not counted`)
  return { ...stats, videos: await countVideos(db, album) }
}

/** Of a smart one as it was last counted. */
export async function countVideosOfAlbum(db: Database, album: Pick<AlbumRow, 'id' | 'search'>): Promise<number> {
  const stored = await smartAlbumCounts(db.query, smartOnes([album]))
  return stored.get(album.id)?.videos ?? countVideos(db, album)
}

/** Of an album that people have filled: a search of a smart album would take as long as counting it. */
export async function hasCaptions(db: Database, album: Pick<AlbumRow, 'id' | 'search'>): Promise<boolean> {
  if (album.search !== null) return false
  const query = filesOfAlbum(db, album).select('media.id').where('media.caption', 'is not', null).limit(1)
  return (await query.executeTakeFirst()) !== undefined
}

async function countVideos(db: Database, album: Pick<AlbumRow, 'id' | 'search'>): Promise<number> {
  const row = await filesOfAlbum(db, album)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('file_type', '=', 'video')
    .executeTakeFirst()
  return row?.count ?? 0
}

/** By album. Smart ones as they were last counted. */
export async function countFilesOfAlbums(
  db: Database,
  albums: readonly Pick<AlbumRow, 'id' | 'search'>[],
): Promise<ReadonlyMap<number, number>> {
  const stored = await smartAlbumCounts(db.query, smartOnes(albums))
  const others = albums.filter(album => !stored.has(album.id))
  const found = new Map([...stored].map(([id, { files }]) => [id, files]))
  if (others.length === 0) return found
  const counts = others.map(
    album =>
      sql`select ${sql.lit(album.id)} as album_id, count(*) as files from ${filesOfAlbum(db, album).select('media.id')} as files`,
  )
  const rows = await db.query
    .selectFrom(sql<{ album_id: number; files: number }>`(${sql.join(counts, sql` union all `)})`.as('counts'))
    .selectAll()
    .execute()
  for (const row of rows) found.set(row.album_id, row.files)
  return found
}
