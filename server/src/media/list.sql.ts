import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ListSort, SortField } from '#contract/media-list.ts'
import type { Database } from '../db/database.ts'
import type { MediaRow } from '../db/schema.ts'
import {
  filtered,
  isWordsOnly,
  joinAlbum,
  type ListFilter,
  type MediaQuery,
  matching,
  type Order,
} from './filter.sql.ts'
import { countCommonWords, matchesByScan, type SearchPlan } from './search.sql.ts'

export interface ListPage extends Order {
  limit: number
  /** Position of the last file of the previous page. */
  after?: Position | undefined
  offset: number | undefined
}

export interface Position {
  value: string | number
  /** Of its heading, for lists by date. */
  rank: number
  id: number
}

/** Never null and normalised, so that both engines sort alike and a cursor is exact. */
const sortColumns = {
  name: 'name_sort',
  date: 'date_sort',
  added: 'uploaded_at',
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
 * the table, because the joined parts of a file have some columns of the same names. A manual order needs `joinAlbum`.
 */
export function sortKey({ sort, order }: Order): RawBuilder<string | number> {
  if (sort === 'manual') return sql.ref('album_files.position')
  return sql`${sql.ref(`media.${(order === 'asc' && ascendingColumns[sort]) || sortColumns[sort]}`)}`
}

/** The columns that a list is sorted by; the id, of the same table as the first, so that one index has all of them. */
function orderColumns(order: Order): RawBuilder<unknown>[] {
  const id = sql.ref(order.sort === 'manual' ? 'album_files.media_id' : 'media.id')
  return order.sort === 'date' ? [sortKey(order), sql.ref('media.heading_rank'), id] : [sortKey(order), id]
}

const operators = {
  asc: { before: sql`<`, upTo: sql`<=`, from: sql`>=`, after: sql`>` },
  desc: { before: sql`>`, upTo: sql`>=`, from: sql`<=`, after: sql`<` },
} as const

/** Whether a file is before, after or at a position of the list. */
function comparePosition(
  where: keyof typeof operators.asc,
  { value, rank, id }: Position,
  order: Order,
): Expression<SqlBool> {
  const values = order.sort === 'date' ? [value, rank, id] : [value, id]
  return sql<SqlBool>`(${sql.join(orderColumns(order))}) ${operators[order.order][where]} (${sql.join(values)})`
}

/** Columns that a list shows or sorts by, without the long texts for search and details. */
const listedColumns = [
  ...['id', 'original_name', 'file_type', 'mime_type', 'file_size', 'hash', 'uploaded_at', 'uploaded_by', 'sent_by'],
  ...['folder_id', 'width', 'height', 'duration', 'taken_local', 'taken_offset', 'latitude', 'longitude', 'location'],
  ...['camera', 'caption', 'thumbhash', 'shown_part', 'motion_part', 'status', 'progress', 'failure_reason'],
  ...[
    'date_sort',
    'heading_rank',
    'date_edtf',
    'date_source',
    'found_source',
    'date_precision',
    'name_sort',
    'location_sort',
    'location_sort_asc',
    'rotation',
    'variants_rotation',
  ],
  ...['animated', 'playback_type', 'compatible_progress', 'compatible_failure', 'partly_damaged'],
  ...['incomplete', 'expected_size', 'missing_at'],
] as const satisfies (keyof MediaRow)[]

export type ListedRow = Pick<MediaRow, (typeof listedColumns)[number]>

type OrderedRow = ListedRow & { sort_key: string | number }

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
    const near = await scanInListOrder(db, filter, page, plan, read)
    if (near) return near
  }
  return read(db, choose(matching(db, filter, plan, page), page), page)
}

/** Scans files in list order until the page is full. Undefined when the first `plan.scanLimit` files do not fill it. */
async function scanInListOrder<Row>(
  db: Database,
  filter: ListFilter,
  page: ListPage,
  plan: SearchPlan,
  read: ReadPage<Row>,
): Promise<Row[] | undefined> {
  const end = await startOfPage(filtered(db, filter, page).select(['id', 'heading_rank']), page)
    .select(sortKey(page).as('sort_key'))
    .limit(1)
    .offset(plan.scanLimit)
    .executeTakeFirst()
  let query = db.interruptible(filtered(db, filter, page))
  for (const word of filter.words) query = query.where(matchesByScan(db, word, plan))
  if (end) {
    query = query.where(comparePosition('before', positionOf(end), page))
  }
  const found = await read(db, choose(query, page), page)
  return !end || found.length === page.limit ? found : undefined
}

function startOfPage<Row>(query: MediaQuery<Row>, page: ListPage): MediaQuery<Row> {
  const ordered = inOrder(query, page)
  return page.after ? ordered.where(comparePosition('after', page.after, page)) : ordered
}

export function inOrder<Row>(query: MediaQuery<Row>, order: Order): MediaQuery<Row> {
  return orderColumns(order).reduce((ordered, column) => ordered.orderBy(column, order.order), query)
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
        'heading_rank',
        'date_edtf',
        'proportion',
        'thumbhash',
        'duration',
        'location',
        'caption',
        'motion_part',
        'animated',
        'partly_damaged',
        'incomplete',
        'missing_at',
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
  /** Only those of these files. */
  among?: readonly number[] | undefined
}

export async function selectIds(
  db: Database,
  filter: ListFilter,
  { first, last, after, among, ...order }: IdRange,
): Promise<number[]> {
  let query = inOrder(matching(db, filter, undefined, order).select('id'), order)
  if (among) query = query.where('media.id', 'in', among)
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
  const row = await matching(db, filter)
    .select(['id', 'heading_rank', sortKey(order).as('sort_key')])
    .where('id', '=', id)
    .executeTakeFirst()
  return row && positionOf(row)
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
  return sort === 'date' || sort === 'added' || sort === 'size' || sort === 'manual'
}

export function positionOf({
  sort_key: value,
  heading_rank: rank,
  id,
}: Pick<OrderedRow, 'sort_key' | 'heading_rank' | 'id'>): Position {
  return { value, rank, id }
}
