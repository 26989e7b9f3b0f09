import { type SelectQueryBuilder, sql } from 'kysely'
import { DAY } from '#contract/limits.ts'
import type { FileType, SortField, SortOrder } from '#contract/media.ts'
import type { Person } from '#contract/people.ts'
import type { Database } from '../db/database.ts'
import type { MediaRow, Schema } from '../db/schema.ts'
import { countFilesByDay } from './counts.sql.ts'
import type { PartKeys } from './media.sql.ts'
import { countCommonWords, matchesByIndex, matchesByScan, type SearchPlan } from './search.sql.ts'

export interface ListFilter {
  /** Normalised; a file must match all of them. */
  words: readonly string[]
  type: FileType | undefined
  folder: number | 'root' | undefined
  /** Days since 1970, inclusive. */
  fromDay?: number | undefined
  toDay?: number | undefined
}

export interface Order {
  sort: SortField
  order: SortOrder
}

export interface ListPage extends Order {
  limit: number
  /** Position of the last file of the previous page. */
  after: Position | undefined
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

/** Files without a location come last in both directions, so there is a sort column for each direction. */
function columnFor({ sort, order }: Order) {
  return sort === 'location' && order === 'asc' ? 'location_sort_asc' : sortColumns[sort]
}

/** Columns that a list shows or sorts by, without the long texts for search and details. */
const listedColumns = [
  ...['id', 'original_name', 'file_type', 'mime_type', 'file_size', 'hash', 'uploaded_at', 'uploaded_by'],
  ...['folder_id', 'width', 'height', 'duration', 'taken_local', 'taken_offset', 'latitude', 'longitude', 'location'],
  ...['camera', 'thumbhash', 'shown_part', 'motion_part', 'status', 'progress', 'failure_reason'],
  ...['date_sort', 'name_sort', 'location_sort', 'location_sort_asc'],
  ...['animated', 'playback_type', 'compatible_progress', 'compatible_failure', 'partly_damaged'],
] as const satisfies (keyof MediaRow)[]

export type ListedRow = Pick<MediaRow, (typeof listedColumns)[number]>

/** Everything that is shown of a file as one text, which serves as a cache key. */
export interface FileText {
  id: number
  /** JSON, parsed by `readFile`. */
  text: string
}

export async function selectPage(
  db: Database,
  filter: ListFilter,
  page: ListPage,
  plan?: SearchPlan,
): Promise<FileText[]> {
  if (plan && plan.rare === undefined) {
    const near = await scanInListOrder(db, filter, page, plan.scanLimit)
    if (near) return near
  }
  return writePage(db, page, matching(db, filter, plan))
}

/** Scans files in list order until the page is full. Undefined when the first `scanLimit` files do not fill it. */
async function scanInListOrder(
  db: Database,
  filter: ListFilter,
  page: ListPage,
  scanLimit: number,
): Promise<FileText[] | undefined> {
  const end = await startOfPage(filtered(db, filter).select('id'), page)
    .select(columnFor(page))
    .limit(1)
    .offset(scanLimit)
    .executeTakeFirst()
  let query = filtered(db, filter)
  for (const word of filter.words) query = query.where(matchesByScan(db, word))
  if (end) {
    const upTo = page.order === 'asc' ? '<' : '>'
    const column = columnFor(page)
    query = query.where(eb => eb(eb.refTuple(column, 'id'), upTo, eb.tuple(end[column], end.id)))
  }
  const found = await writePage(db, page, query)
  return !end || found.length === page.limit ? found : undefined
}

type MediaQuery<Row> = SelectQueryBuilder<Schema, 'media', Row>

function startOfPage<Row>(query: MediaQuery<Row>, { sort, order, after }: ListPage): MediaQuery<Row> {
  const column = columnFor({ sort, order })
  const ordered = query.orderBy(column, order).orderBy('id', order)
  if (!after) return ordered
  const beyond = order === 'asc' ? '>' : '<'
  return ordered.where(eb => eb(eb.refTuple(column, 'id'), beyond, eb.tuple(after.value, after.id)))
}

async function writePage(db: Database, page: ListPage, query: MediaQuery<object>): Promise<FileText[]> {
  const column = columnFor(page)
  let chosen = startOfPage(query.select(['id', column]), page).limit(page.limit)
  if (page.offset) chosen = chosen.offset(page.offset)
  // Serialised only for the files of the page; in a single query every match would be serialised before sorting.
  return db.query
    .selectFrom(chosen.as('chosen'))
    .innerJoin('media', 'media.id', 'chosen.id')
    .select(['media.id', fileText(db).as('text')])
    .orderBy(`chosen.${column}`, page.order)
    .orderBy('chosen.id', page.order)
    .execute()
}

/** In the order of the ids; deleted files are left out. */
export async function selectByIds(db: Database, ids: readonly number[]): Promise<FileText[]> {
  const rows = await db.query
    .selectFrom('media')
    .select(['media.id', fileText(db).as('text')])
    .where('media.id', 'in', ids)
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
  { sort, order, first, last, after }: IdRange,
): Promise<number[]> {
  const column = columnFor({ sort, order })
  const [beyond, onwards, upTo] = order === 'asc' ? (['>', '>=', '<='] as const) : (['<', '<=', '>='] as const)
  let query = matching(db, filter).select('id').orderBy(column, order).orderBy('id', order)
  if (after) query = query.where(eb => eb(eb.refTuple(column, 'id'), beyond, eb.tuple(after.value, after.id)))
  if (first) query = query.where(eb => eb(eb.refTuple(column, 'id'), onwards, eb.tuple(first.value, first.id)))
  if (last) query = query.where(eb => eb(eb.refTuple(column, 'id'), upTo, eb.tuple(last.value, last.id)))
  const rows = await query.execute()
  return rows.map(row => row.id)
}

/** Undefined when the file does not match the filter. */
export async function selectOne(db: Database, filter: ListFilter, id: number): Promise<ListedRow | undefined> {
  return matching(db, filter).select(listedColumns).where('id', '=', id).executeTakeFirst()
}

export async function countBefore(db: Database, filter: ListFilter, order: Order, at: Position): Promise<number> {
  const before = order.order === 'asc' ? '<' : '>'
  const row = await matching(db, filter)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where(eb => eb(eb.refTuple(columnFor(order), 'id'), before, eb.tuple(at.value, at.id)))
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

export async function countByDay(db: Database, filter: ListFilter): Promise<{ day: number; files: number }[]> {
  if (hasPrecomputedCount(filter)) return countFilesByDay(db.query, filter)
  return matching(db, filter)
    .select(({ fn }) => ['day', fn.countAll<number>().as('files')])
    .groupBy('day')
    .orderBy('day', 'desc')
    .execute()
}

export function sortsByNumber(sort: SortField): boolean {
  return sort === 'date' || sort === 'size'
}

/** Everything that is needed to present a file. */
export interface ShownFile {
  row: ListedRow
  keys: PartKeys
  uploader: Person | null
}

/** Each row is cloned from this: adding its columns one by one is several times slower. */
const emptyRow = Object.fromEntries(listedColumns.map(column => [column, null])) as Record<keyof ListedRow, unknown>

export function readFile({ text }: FileText): ShownFile {
  const [values, keys, person] = JSON.parse(text)
  const row = { ...emptyRow }
  for (let i = 0; i < listedColumns.length; i++) row[listedColumns[i] as keyof ListedRow] = values[i]
  return {
    row: row as unknown as ListedRow,
    keys,
    uploader: person && { id: person[0], username: person[1], name: person[2] },
  }
}

export function positionOf(row: ListedRow, order: Order): Position {
  return { value: row[columnFor(order)], id: row.id }
}

function fileText(db: Database) {
  const keys = db.query
    .selectFrom('media_parts')
    .select(db.asObject('kind', 'key').as('keys'))
    .whereRef('media_parts.media_id', '=', sql.ref('media.id'))
  const uploader = db.query
    .selectFrom('people')
    .select(db.asArray(['people.id', 'username', 'name']).as('person'))
    .whereRef('people.id', '=', sql.ref('media.uploaded_by'))
  const row = db.asArray(listedColumns.map(column => `media.${column}`))
  return sql<string>`concat('[', ${row}, ',', coalesce(${keys}, '{}'), ',', coalesce(${uploader}, 'null'), ']')`
}

function isWordsOnly({ words, type, folder, fromDay, toDay }: ListFilter): boolean {
  return words.length > 0 && [type, folder, fromDay, toDay].every(other => other === undefined)
}

/** Whether database triggers maintain the count for this filter. */
export function hasPrecomputedCount({ words, fromDay, toDay }: ListFilter): boolean {
  return words.length === 0 && fromDay === undefined && toDay === undefined
}

/** All files that match. A plan says which words are looked up in an index and which are checked per file. */
function matching(db: Database, filter: ListFilter, plan?: SearchPlan): MediaQuery<object> {
  let query = filtered(db, filter)
  for (const word of filter.words) {
    const byIndex = !plan || (plan.rare === undefined ? !plan.scansAll : plan.rare === word)
    const isRare = plan?.rare === word
    query = query.where(byIndex ? matchesByIndex(db, word, { isRare }) : matchesByScan(db, word))
  }
  return query
}

/** All filters except the search words. */
function filtered(db: Database, filter: ListFilter): MediaQuery<object> {
  let query: MediaQuery<object> = db.query.selectFrom('media').where('deleted_at', 'is', null)
  if (filter.type) query = query.where('file_type', '=', filter.type)
  if (filter.folder === 'root') query = query.where('folder_id', 'is', null)
  else if (filter.folder !== undefined) query = query.where('folder_id', '=', filter.folder)
  if (filter.fromDay !== undefined) query = query.where('date_sort', '>=', filter.fromDay * DAY)
  if (filter.toDay !== undefined) query = query.where('date_sort', '<', (filter.toDay + 1) * DAY)
  return query
}
