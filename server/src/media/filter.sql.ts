import { type Expression, expressionBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import { type Bounds, readBounds } from '#contract/bounds.ts'
import { DAY } from '#contract/limits.ts'
import { type PersonalFilter, readMoments, type SharedFilter } from '#contract/media-filter.ts'
import type { ListSort, SortOrder } from '#contract/media-list.ts'
import type { Database } from '../db/database.ts'
import type { Handle, Schema } from '../db/schema.ts'
import { isDated, isUndated, isUndatedAscending } from './date-ranges.sql.ts'
import { type ListPart, rangeOfText, rangeOfYear, type SearchedTime } from './date-ranges.ts'
import { idsOfMemory } from './memories/memories.sql.ts'
import { idsOfNewFiles } from './memories/visits.sql.ts'
import { matchesByIndex, matchesByScan, matchesInList, type SearchPlan } from './search.sql.ts'

export interface ListFilter {
  given: ColumnFilter
  personal?: { given: PersonalFilter; viewerId: number } | undefined
  /** Of the search, normalised; a file must match all of them. */
  words: readonly string[]
  /** The time that the words name: a file from it need not match them. */
  orDates?: SearchedTime | undefined
  part?: ListPart | undefined
  /** The files of an album. */
  album?: AlbumScope | undefined
}

/** All but the search, which is planned by its words. */
type ColumnFilter = Omit<SharedFilter, 'search'>

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
export function hasPrecomputedCount(filter: ListFilter): boolean {
  return filter.words.length === 0 && hasOnly(filter, ['type', 'folder_id'])
}

/** Whether a search is planned by how rare its words are. */
export function isPlanned({ words, orDates }: ListFilter): boolean {
  return words.length > 0 && orDates === undefined
}

export function isWordsOnly(filter: ListFilter): boolean {
  return isPlanned(filter) && hasOnly(filter, [])
}

/** Whether nothing but these filters and the words narrow it down. */
function hasOnly({ given, personal, part, album }: ListFilter, allowed: readonly (keyof ColumnFilter)[]): boolean {
  const others = [...namesIn(given, conditions), ...namesIn(personal?.given ?? {}, personalConditions)]
  return part === undefined && album === undefined && others.every(name => allowed.some(known => known === name))
}

/**
 * All files that match. A plan says which words are looked up in an index and which are checked per file. With the order
 * in which they are read, dates are compared by the column that is sorted, so that one index serves both.
 */
export function matching(db: Database, filter: ListFilter, plan?: SearchPlan, order?: Order): MediaQuery<object> {
  const { words, orDates } = filter
  const query = filtered(db, filter, order)
  if (words.length === 0) return query
  if (orDates) return db.interruptible(query).where(matchesOrIsDated(db, words, orDates))
  if (plan && plan.rare === undefined && !plan.scansAll) {
    // Asked last whether it is interrupted: for each file of the library, that would take longer than the search itself.
    return db.interruptible(words.reduce((found, word) => found.where(matchesInList(db, word, plan)), query))
  }
  const byIndex = (word: string) => !plan || plan.rare === word
  return words.reduce(
    (found, word) => found.where(byIndex(word) ? matchesByIndex(db, word, plan) : matchesByScan(db, word, plan)),
    db.interruptible(query),
  )
}

/** Short words have no index: each would read all texts, and most files contain them. */
function matchesWord(db: Database, word: string): Expression<SqlBool> {
  return db.isIndexable(word) ? matchesByIndex(db, word) : matchesByScan(db, word)
}

/** Files with all these words, and files from this time. */
function matchesOrIsDated(db: Database, words: readonly string[], time: SearchedTime): Expression<SqlBool> {
  const found = sql.join(
    words.map(word => matchesWord(db, word)),
    sql` and `,
  )
  const isThen = isDated(time, 'date_sort')
  if (time.month === undefined) return sql<SqlBool>`((${found}) or ${isThen})`
  // Only of files that have a date: the keys of others are no times.
  const month = sql`case when ${isThen} then ${db.monthOf(sql.ref('media.date_sort'))} end`
  return sql<SqlBool>`((${found}) or ${month} = ${time.month})`
}

/** All filters except the search words. */
export function filtered(db: Database, filter: ListFilter, order?: Order): MediaQuery<object> {
  return narrow(db, db.query.selectFrom('media').where('deleted_at', 'is', null), filter, order)
}

function narrow(
  db: Database,
  files: MediaQuery<object>,
  { given, personal, part, album }: ListFilter,
  order?: Order,
): MediaQuery<object> {
  const oldestFirst = order?.sort === 'date' && order.order === 'asc'
  const context = { db, dateColumn: oldestFirst ? 'date_sort_asc' : 'date_sort' } as const
  let query = files
  // First, because SQLite looks up the first of several ranges in an index.
  if (part) query = query.where('dates' in part ? isDated(part.dates, context.dateColumn) : isUndatedBy(context))
  query = where(query, conditions, given, context)
  if (personal) query = where(query, personalConditions, personal.given, { ...context, viewerId: personal.viewerId })
  return album ? inAlbum(db, query, album, order) : query
}

interface Context {
  db: Database
  /** The column that is sorted by, so that one index serves both. */
  dateColumn: 'date_sort' | 'date_sort_asc'
}

/** A condition for each filter. */
type Conditions<Filter, Needs> = {
  [Name in keyof Filter]-?: (value: NonNullable<Filter[Name]>, context: Needs) => Expression<SqlBool>
}

const media = expressionBuilder<Schema, 'media'>()

/** Which files match each filter of the contract. */
const conditions: Conditions<ColumnFilter, Context> = {
  folder_id: folder => (folder === 'root' ? media('folder_id', 'is', null) : media('folder_id', '=', folder)),
  type: type => media('file_type', '=', type),
  place: place => media('location', '=', place),
  area: isInArea,
  tag: (tag, { db }) =>
    media('media.id', 'in', db.query.selectFrom('media_tags').select('media_id').where('tag_id', '=', tag)),
  camera: camera => media('camera', '=', camera),
  year: (year, { dateColumn }) => isDated(rangeOfYear(year), dateColumn),
  date: (date, { dateColumn }) => isDated(rangeOfText(date), dateColumn),
  uploader: person => media('uploaded_by', '=', person),
  hearted_by: (person, { db }) =>
    media('media.id', 'in', db.query.selectFrom('hearts').select('media_id').where('person_id', '=', person)),
  added: isAddedBetween,
  bounds: bounds => isWithin(readBounds(bounds)),
  undated: (_, context) => isUndatedBy(context),
}

const personalConditions: Conditions<PersonalFilter, Context & { viewerId: number }> = {
  memory: (day, { db, viewerId }) =>
    media('media.id', 'in', idsOfMemory(db, { personId: viewerId, day: Date.parse(day) / DAY })),
  new_since: (moment, { db, viewerId }) =>
    media('media.id', 'in', idsOfNewFiles(db, { personId: viewerId, since: Date.parse(moment) })),
}

function isAddedBetween(moments: string): Expression<SqlBool> {
  const { first, last } = readMoments(moments) ?? { first: 0, last: 0 }
  return sql<SqlBool>`(media.uploaded_at >= ${first} and media.uploaded_at <= ${last})`
}

function isUndatedBy({ dateColumn }: Context): Expression<SqlBool> {
  return dateColumn === 'date_sort_asc' ? isUndatedAscending : isUndated
}

/** The filters of a table that have a value. */
function namesIn<Filter extends object>(filter: Filter, table: Conditions<Filter, never>): (keyof Filter)[] {
  const names = Object.keys(table) as (keyof Filter)[]
  return names.filter(name => filter[name] !== undefined)
}

function where<Filter extends object, Needs>(
  query: MediaQuery<object>,
  table: Conditions<Filter, Needs>,
  filter: Filter,
  context: Needs,
): MediaQuery<object> {
  return namesIn(filter, table).reduce((found, name) => {
    const value = filter[name]
    return value == null ? found : found.where(table[name](value, context))
  }, query)
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

/** The one place that says which files are in an album. Those in the trash are left out by `filtered`. */
function inAlbum(db: Database, files: MediaQuery<object>, album: AlbumScope, order?: Order): MediaQuery<object> {
  if ('addedTo' in album) {
    const readsInOrder = album.isLarge && order !== undefined && order.sort !== 'manual'
    return readsInOrder ? crossJoinAlbum(files, album.addedTo) : joinAlbum(files, album.addedTo)
  }
  const narrowed = narrow(db, files, album.matching, order)
  const { words, orDates } = album.matching
  const query = words.length > 0 ? db.interruptible(narrowed) : narrowed
  if (orDates) return query.where(matchesOrIsDated(db, words, orDates))
  return words.reduce((found, word) => found.where(matchesWord(db, word)), query)
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
