import { type Expression, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Bounds } from '#contract/bounds.ts'
import { type Heading, lastOfDay, UNDATED_LIMIT } from '#contract/edtf.ts'
import { DAY } from '#contract/limits.ts'
import type { FileType } from '#contract/media.ts'
import type { ListSort, SortOrder } from '#contract/media-list.ts'
import type { Database } from '../db/database.ts'
import type { Handle, Schema } from '../db/schema.ts'
import { idsOfMemory } from './memories/memories.sql.ts'
import { idsOfNewFiles, type NewFor } from './memories/visits.sql.ts'
import { matchesByIndex, matchesByScan, type SearchPlan } from './search.sql.ts'

export interface ListFilter {
  /** Normalised; a file must match all of them. */
  words: readonly string[]
  type: FileType | undefined
  folder: number | 'root' | undefined
  place?: string | undefined
  /** The end of `location`. */
  area?: string | undefined
  bounds?: Bounds | undefined
  camera?: string | undefined
  tagId?: number | undefined
  uploaderId?: number | undefined
  /** A person: only what they love. */
  heartedBy?: number | undefined
  dates?: DateRange | undefined
  /** Only files whose date nobody knows. */
  undated?: true | undefined
  /** The files of an album. */
  album?: AlbumScope | undefined
  /** A person's memories of a day, counted from 1970. */
  memory?: { personId: number; day: number } | undefined
  newFor?: NewFor | undefined
}

/** Sort keys of dates, inclusive. */
export interface DateRange {
  first?: number | undefined
  last?: number | undefined
  /** Without dates that are less exact than this: a decade is in no year. */
  atLeast?: Heading | undefined
  /** Only dates with this heading. */
  exactly?: Exclude<Heading, 'day'> | undefined
  /** Only dates of which all that is known lies in this time, of whole days, of which the range may be a part. */
  within?: { first: number | null; last: number | null } | undefined
}

/** What is in an album: the files that people have added, or those that match the search of a smart album. */
export type AlbumScope = { addedTo: number; isLarge?: boolean } | { matching: ListFilter }

export interface Order {
  sort: ListSort
  order: SortOrder
  /** The album whose manual order it is, when `sort` is `manual`. */
  albumId?: number | undefined
}

export type MediaQuery<Row> = SelectQueryBuilder<Schema, 'media', Row>

/** Whether the count for this filter is stored. */
export function hasPrecomputedCount({ words, type: _, folder: __, ...others }: ListFilter): boolean {
  return words.length === 0 && Object.values(others).every(other => other === undefined)
}

export function isWordsOnly({ words, ...others }: ListFilter): boolean {
  return words.length > 0 && Object.values(others).every(other => other === undefined)
}

/**
 * All files that match. A plan says which words are looked up in an index and which are checked per file. With the order
 * in which they are read, dates are compared by the column that is sorted, so that one index serves both.
 */
export function matching(db: Database, filter: ListFilter, plan?: SearchPlan, order?: Order): MediaQuery<object> {
  let query = filtered(db, filter, order)
  for (const word of filter.words) {
    const byIndex = !plan || (plan.rare === undefined ? !plan.scansAll : plan.rare === word)
    const isRare = plan?.rare === word
    query = query.where(byIndex ? matchesByIndex(db, word, { isRare }) : matchesByScan(db, word))
  }
  return query
}

/** All filters except the search words. */
export function filtered(db: Database, filter: ListFilter, order?: Order): MediaQuery<object> {
  return narrow(db, db.query.selectFrom('media').where('deleted_at', 'is', null), filter, order)
}

function narrow(db: Database, files: MediaQuery<object>, filter: ListFilter, order?: Order): MediaQuery<object> {
  const {
    type,
    folder,
    place,
    area,
    bounds,
    camera,
    tagId,
    uploaderId,
    heartedBy,
    dates,
    undated,
    album,
    memory,
    newFor,
  } = filter
  let query = files
  if (type) query = query.where('file_type', '=', type)
  if (folder === 'root') query = query.where('folder_id', 'is', null)
  else if (folder !== undefined) query = query.where('folder_id', '=', folder)
  if (place !== undefined) query = query.where('location', '=', place)
  if (area !== undefined) query = query.where(isInArea(area))
  if (bounds !== undefined) query = query.where(isWithin(bounds))
  if (camera !== undefined) query = query.where('camera', '=', camera)
  if (uploaderId !== undefined) query = query.where('uploaded_by', '=', uploaderId)
  if (tagId !== undefined) {
    query = query.where('id', 'in', db.query.selectFrom('media_tags').select('media_id').where('tag_id', '=', tagId))
  }
  if (heartedBy !== undefined) {
    const loved = db.query.selectFrom('hearts').select('media_id').where('person_id', '=', heartedBy)
    query = query.where('id', 'in', loved)
  }
  const oldestFirst = order?.sort === 'date' && order.order === 'asc'
  if (undated) query = query.where(oldestFirst ? isUndatedAscending : isUndated)
  if (dates) query = query.where(isDated(dates, oldestFirst ? 'date_sort_asc' : 'date_sort'))
  if (memory) query = query.where('media.id', 'in', idsOfMemory(db, memory))
  if (newFor) query = query.where('media.id', 'in', idsOfNewFiles(db, newFor))
  return album ? inAlbum(db, query, album, order) : query
}

/** Compared from the end, so that no character of the area is special. */
function isInArea(area: string): Expression<SqlBool> {
  const end = `, ${area}`
  const tail = sql`substr(location, length(location) - length(${end}) + 1)`
  return sql<SqlBool>`(location = ${area} or (length(location) > length(${end}) and ${tail} = ${end}))`
}

export function isWithin({ west, south, east, north }: Bounds): Expression<SqlBool> {
  const [fromWest, toEast] = [sql`longitude >= ${west}`, sql`longitude <= ${east}`]
  const between = west <= east ? sql`${fromWest} and ${toEast}` : sql`(${fromWest} or ${toEast})`
  return sql<SqlBool>`latitude >= ${south} and latitude <= ${north} and ${between}`
}

const isUndated = sql<SqlBool>`media.date_sort < ${sql.lit(UNDATED_LIMIT)}`

const isUndatedAscending = sql<SqlBool>`media.date_sort_asc > ${sql.lit(-UNDATED_LIMIT)}`

/** Both columns have the same keys for files that have a date. */
function isDated(
  { first = UNDATED_LIMIT, last = -UNDATED_LIMIT, atLeast, exactly, within }: DateRange,
  column: 'date_sort' | 'date_sort_asc',
): Expression<SqlBool> {
  const key = sql.ref(`media.${column}`)
  const conditions = [sql`${key} >= ${first} and ${key} <= ${last}`]
  // The remainder of a negative number is negative on both engines.
  const timeOfDay = sql`((${key} % ${sql.lit(DAY)}) + ${sql.lit(DAY)}) % ${sql.lit(DAY)}`
  if (atLeast !== undefined) conditions.push(sql`${timeOfDay} <= ${lastOfDay(atLeast)}`)
  if (exactly !== undefined) conditions.push(sql`${timeOfDay} = ${lastOfDay(exactly)}`)
  if (within) {
    const known = [
      ...(within.first === null ? [] : [sql`media.date_earliest >= ${within.first}`]),
      ...(within.last === null ? [] : [sql`media.date_latest <= ${within.last}`]),
    ]
    // The key of a day is enough, so that only the rows of less exact dates are read.
    conditions.push(sql`(${timeOfDay} <= ${lastOfDay('day')} or (${sql.join(known, sql` and `)}))`)
  }
  return sql<SqlBool>`(${sql.join(conditions, sql` and `)})`
}

/** The one place that says which files are in an album. Those in the trash are left out by `filtered`. */
function inAlbum(db: Database, files: MediaQuery<object>, album: AlbumScope, order?: Order): MediaQuery<object> {
  if ('addedTo' in album) {
    const readsInOrder = album.isLarge && order !== undefined && order.sort !== 'manual'
    return readsInOrder ? crossJoinAlbum(files, album.addedTo) : joinAlbum(files, album.addedTo)
  }
  const query = narrow(db, files, album.matching, order)
  return album.matching.words.reduce((found, word) => found.where(matchesByIndex(db, word)), query)
}

/** A join rather than `in`, so that a manual order is read from the index of the positions. */
export function joinAlbum<Row>(query: MediaQuery<Row>, albumId: number): MediaQuery<Row> {
  const joined = query.innerJoin('album_files', join =>
    join
      .onRef('album_files.media_id', '=', 'media.id')
      .on('album_files.album_id', '=', albumId)
      .on('album_files.removed_at', 'is', null),
  )
  return joined as unknown as MediaQuery<Row>
}

/**
 * The same, but SQLite reads the outer table of a cross join first: files in the order of an index, each looked up in the
 * album, instead of all files of the album, which it sorts for every page.
 */
function crossJoinAlbum<Row>(query: MediaQuery<Row>, albumId: number): MediaQuery<Row> {
  const joined = query
    .crossJoin('album_files')
    .whereRef('album_files.media_id', '=', 'media.id')
    .where('album_files.album_id', '=', albumId)
    .where('album_files.removed_at', 'is', null)
  return joined as unknown as MediaQuery<Row>
}

/** Whether at least a quarter of the library is in this album. Of a small album it reads few rows. */
export async function isLargeAlbum(handle: Handle, id: number): Promise<boolean> {
  const row = await handle
    .selectFrom('album_files')
    .select('media_id')
    .where('album_id', '=', id)
    .limit(1)
    .offset(sql<number>`(select coalesce(sum(files), 0) / 4 from media_counts)`)
    .executeTakeFirst()
  return row !== undefined
}

/** The search of a smart album; null where people add the files; undefined if there is no such album. */
export async function findAlbumSearch(handle: Handle, id: number): Promise<string | null | undefined> {
  const row = await handle
    .selectFrom('albums')
    .select('search')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row?.search
}
