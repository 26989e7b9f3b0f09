import { type Expression, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Bounds } from '#contract/bounds.ts'
import { type Heading, lastOfDay, UNDATED_LIMIT } from '#contract/edtf.ts'
import { DAY } from '#contract/limits.ts'
import type { FileType } from '#contract/media.ts'
import type { ListSort, SortField, SortOrder } from '#contract/media-list.ts'
import type { Database } from '../db/database.ts'
import type { Handle, MediaRow, Schema } from '../db/schema.ts'
import { idsOfMemory } from './memories/memories.sql.ts'
import { idsOfNewFiles, type NewFor } from './memories/visits.sql.ts'
import { countCommonWords, matchesByIndex, matchesByScan, type SearchPlan } from './search.sql.ts'

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
}

/** What is in an album: the files that people have added, or those that match the search of a smart album. */
export type AlbumScope = { addedTo: number } | { matching: ListFilter }

export interface Order {
  sort: ListSort
  order: SortOrder
  /** The album whose order by hand it is, when `sort` is `manual`. */
  albumId?: number | undefined
}

export interface ListPage extends Order {
  limit: number
  /** Position of the last file of the previous page. */
  after?: Position | undefined
  offset: number | undefined
}

export interface Position {
  value: string | number
  id: number
}

/** Never null and normalised, so that both engines sort alike and a cursor is exact. */
const sortColumns = {
  name: 'name_sort',
  date: 'date_sort',
  size: 'file_size',
  type: 'mime_type',
  location: 'location_sort',
} as const satisfies Record<SortField, keyof MediaRow>

/** Those sort files without a value last. */
const ascendingColumns: Partial<Record<SortField, keyof MediaRow>> = {
  date: 'date_sort_asc',
  location: 'location_sort_asc',
}

/**
 * Files without a date or location come last in both directions, so there is a sort column for each direction. Names
 * the table, because the joined parts of a file have some columns of the same names. For an order by hand, `joinAlbum` is needed.
 */
export function sortKey({ sort, order }: Order): RawBuilder<string | number> {
  if (sort === 'manual') return sql.ref('album_files.position')
  return sql`${sql.ref(`media.${(order === 'asc' && ascendingColumns[sort]) || sortColumns[sort]}`)}`
}

/** Breaks ties. Of the same table as the sort key, so that one index has both. */
function idKey({ sort }: Order): RawBuilder<number> {
  return sql.ref(sort === 'manual' ? 'album_files.media_id' : 'media.id')
}

const operators = {
  asc: { before: sql`<`, upTo: sql`<=`, from: sql`>=`, after: sql`>` },
  desc: { before: sql`>`, upTo: sql`>=`, from: sql`<=`, after: sql`<` },
} as const

/** Whether a file is before, after or at a position of the list. */
function comparePosition(
  where: keyof typeof operators.asc,
  { value, id }: Position,
  order: Order,
): Expression<SqlBool> {
  return sql<SqlBool>`(${sortKey(order)}, ${idKey(order)}) ${operators[order.order][where]} (${value}, ${id})`
}

/** Columns that a list shows or sorts by, without the long texts for search and details. */
const listedColumns = [
  ...['id', 'original_name', 'file_type', 'mime_type', 'file_size', 'hash', 'uploaded_at', 'uploaded_by'],
  ...['folder_id', 'width', 'height', 'duration', 'taken_local', 'taken_offset', 'latitude', 'longitude', 'location'],
  ...['camera', 'thumbhash', 'shown_part', 'motion_part', 'status', 'progress', 'failure_reason'],
  ...[
    'date_sort',
    'date_edtf',
    'date_source',
    'date_precision',
    'name_sort',
    'location_sort',
    'location_sort_asc',
    'rotation',
    'variants_rotation',
  ],
  ...['animated', 'playback_type', 'compatible_progress', 'compatible_failure', 'partly_damaged'],
] as const satisfies (keyof MediaRow)[]

export type ListedRow = Pick<MediaRow, (typeof listedColumns)[number]>
type OrderedRow = ListedRow & { sort_key: string | number }

export type MediaQuery<Row> = SelectQueryBuilder<Schema, 'media', Row>

/** Reads the columns of the chosen files. One query for both would read the columns of every match before sorting. */
type ReadPage<Row> = (db: Database, chosen: MediaQuery<{ id: number }>, order: Order) => Promise<Row[]>

/** One page, read by `read`. */
export async function selectPage<Row>(
  db: Database,
  filter: ListFilter,
  page: ListPage,
  plan: SearchPlan | undefined,
  read: ReadPage<Row>,
): Promise<Row[]> {
  if (plan && plan.rare === undefined) {
    const near = await scanInListOrder(db, filter, page, plan.scanLimit, read)
    if (near) return near
  }
  return read(db, choose(matching(db, filter, plan, page), page), page)
}

/** Scans files in list order until the page is full. Undefined when the first `scanLimit` files do not fill it. */
async function scanInListOrder<Row>(
  db: Database,
  filter: ListFilter,
  page: ListPage,
  scanLimit: number,
  read: ReadPage<Row>,
): Promise<Row[] | undefined> {
  const end = await startOfPage(filtered(db, filter, page).select('id'), page)
    .select(sortKey(page).as('sort_key'))
    .limit(1)
    .offset(scanLimit)
    .executeTakeFirst()
  let query = filtered(db, filter, page)
  for (const word of filter.words) query = query.where(matchesByScan(db, word))
  if (end) {
    query = query.where(comparePosition('before', { value: end.sort_key, id: end.id }, page))
  }
  const found = await read(db, choose(query, page), page)
  return !end || found.length === page.limit ? found : undefined
}

function startOfPage<Row>(query: MediaQuery<Row>, page: ListPage): MediaQuery<Row> {
  const ordered = inOrder(query, page)
  return page.after ? ordered.where(comparePosition('after', page.after, page)) : ordered
}

export function inOrder<Row>(query: MediaQuery<Row>, order: Order): MediaQuery<Row> {
  return query.orderBy(sortKey(order), order.order).orderBy(idKey(order), order.order)
}

function choose(query: MediaQuery<object>, page: ListPage): MediaQuery<{ id: number }> {
  const chosen = startOfPage(query.select('id'), page).limit(page.limit)
  return page.offset ? chosen.offset(page.offset) : chosen
}

/** All files, for a query that orders them. */
function orderable(db: Database, { albumId }: Order): MediaQuery<object> {
  const files = db.query.selectFrom('media')
  return albumId === undefined ? files : joinAlbum(files, albumId)
}

export const readListed: ReadPage<OrderedRow> = (db, chosen, order) =>
  inOrder(
    orderable(db, order)
      .select(listedColumns)
      .select(sortKey(order).as('sort_key'))
      .where('id', 'in', db.query.selectFrom(chosen.as('chosen')).select('id')),
    order,
  ).execute()

export type GridRow = Awaited<ReturnType<typeof selectGrid>>[number]

/** What tiles show a person of a page of files, with the keys of their two smallest pictures. */
export async function selectGrid(
  db: Database,
  viewerId: number,
  filter: ListFilter,
  page: ListPage,
  plan: SearchPlan | undefined,
) {
  return selectPage(db, filter, page, plan, (_, chosen, order) => {
    const ids = db.query.selectFrom(chosen.as('chosen')).select('chosen.id')
    const files = inOrder(orderable(db, order).where('id', 'in', ids), order)
    return files
      .leftJoin('media_parts as thumbnail', join =>
        join.onRef('thumbnail.media_id', '=', 'media.id').on('thumbnail.kind', '=', 'thumbnail'),
      )
      .leftJoin('media_parts as mobile', join =>
        join.onRef('mobile.media_id', '=', 'media.id').on('mobile.kind', '=', 'mobile'),
      )
      .select([
        'media.id',
        'original_name',
        'file_type',
        'file_size',
        'day',
        'date_edtf',
        'proportion',
        'thumbhash',
        'duration',
        'location',
        'motion_part',
        'animated',
        'partly_damaged',
        'status',
        'progress',
        'failure_reason',
        'thumbnail.key as thumbnail_key',
        'mobile.key as mobile_key',
      ])
      .select(({ selectFrom, fn }) => {
        const hearts = selectFrom('hearts')
          .select(fn.countAll<number>().as('count'))
          .whereRef('media_id', '=', 'media.id')
        return [hearts.as('hearts'), hearts.where('person_id', '=', viewerId).as('own_hearts')]
      })
      .execute()
  })
}

/** In the order of the ids; deleted files are left out. */
export async function selectByIds(db: Database, ids: readonly number[]): Promise<ListedRow[]> {
  const rows = await db.query
    .selectFrom('media')
    .select(listedColumns)
    .where('id', 'in', ids)
    .where('deleted_at', 'is', null)
    .execute()
  const byId = new Map(rows.map(row => [row.id, row]))
  return ids.flatMap(id => byId.get(id) ?? [])
}

interface IdRange extends Order {
  /** Inclusive. */
  first?: Position | undefined
  last?: Position | undefined
  /** Exclusive. */
  after?: Position | undefined
}

export async function selectIds(
  db: Database,
  filter: ListFilter,
  { first, last, after, ...order }: IdRange,
): Promise<number[]> {
  let query = inOrder(matching(db, filter, undefined, order).select('id'), order)
  if (after) query = query.where(comparePosition('after', after, order))
  if (first) query = query.where(comparePosition('from', first, order))
  if (last) query = query.where(comparePosition('upTo', last, order))
  const rows = await query.execute()
  return rows.map(row => row.id)
}

/** Undefined when the file does not match the filter. */
export async function findPosition(
  db: Database,
  filter: ListFilter,
  order: Order,
  id: number,
): Promise<Position | undefined> {
  const row = await matching(db, filter).select(sortKey(order).as('value')).where('id', '=', id).executeTakeFirst()
  return row && { value: row.value, id }
}

export async function countBefore(db: Database, filter: ListFilter, order: Order, at: Position): Promise<number> {
  const row = await matching(db, filter)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(comparePosition('before', at, order))
    .executeTakeFirst()
  return row?.count ?? 0
}

export async function countMatching(db: Database, filter: ListFilter, plan?: SearchPlan): Promise<number> {
  if (plan?.rare === undefined && isWordsOnly(filter)) return countCommonWords(db, filter.words)
  const row = await matching(db, filter, plan)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirst()
  return row?.count ?? 0
}

export function sortsByNumber(sort: ListSort): boolean {
  return sort === 'date' || sort === 'size' || sort === 'manual'
}

export function positionOf({ sort_key: value, id }: OrderedRow): Position {
  return { value, id }
}

function isWordsOnly({ words, ...others }: ListFilter): boolean {
  return words.length > 0 && Object.values(others).every(other => other === undefined)
}

/** Whether the count for this filter is stored. */
export function hasPrecomputedCount({ words, type: _, folder: __, ...others }: ListFilter): boolean {
  return words.length === 0 && Object.values(others).every(other => other === undefined)
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
function filtered(db: Database, filter: ListFilter, order?: Order): MediaQuery<object> {
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
  { first = UNDATED_LIMIT, last = -UNDATED_LIMIT, atLeast, exactly }: DateRange,
  column: 'date_sort' | 'date_sort_asc',
): Expression<SqlBool> {
  const key = sql.ref(`media.${column}`)
  const conditions = [sql`${key} >= ${first} and ${key} <= ${last}`]
  // The remainder of a negative number is negative on both engines.
  const timeOfDay = sql`((${key} % ${sql.lit(DAY)}) + ${sql.lit(DAY)}) % ${sql.lit(DAY)}`
  if (atLeast !== undefined) conditions.push(sql`${timeOfDay} <= ${lastOfDay(atLeast)}`)
  if (exactly !== undefined) conditions.push(sql`${timeOfDay} = ${lastOfDay(exactly)}`)
  return sql<SqlBool>`(${sql.join(conditions, sql` and `)})`
}

/** The one place that says which files are in an album. Those in the trash are left out by `filtered`. */
function inAlbum(db: Database, files: MediaQuery<object>, album: AlbumScope, order?: Order): MediaQuery<object> {
  if ('addedTo' in album) return joinAlbum(files, album.addedTo)
  const query = narrow(db, files, album.matching, order)
  return album.matching.words.reduce((found, word) => found.where(matchesByIndex(db, word)), query)
}

/** A join rather than `in`, so that an order by hand is read from the index of the positions. */
function joinAlbum<Row>(query: MediaQuery<Row>, albumId: number): MediaQuery<Row> {
  const joined = query.innerJoin('album_files', join =>
    join
      .onRef('album_files.media_id', '=', 'media.id')
      .on('album_files.album_id', '=', albumId)
      .on('album_files.removed_at', 'is', null),
  )
  return joined as unknown as MediaQuery<Row>
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
