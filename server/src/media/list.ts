import { z } from 'zod'
import { DAY } from '#contract/limits.ts'
import {
  defaultOrder,
  type LibraryStats,
  listMedia,
  type MediaFilter,
  type MediaIdsQuery,
  type MediaOrder,
  type MediaQuery,
  type SortField,
  type SortOrder,
} from '#contract/media.ts'
import type { Database } from '../db/database.ts'
import { AppError } from '../kit/errors.ts'
import { searchable } from '../kit/searchable.ts'
import { RawJson } from '../kit/serve.ts'
import { countFiles, libraryStats } from './counts.sql.ts'
import { noSuchFile } from './edit.ts'
import {
  countBefore,
  countByDay,
  countMatching,
  hasPrecomputedCount,
  type ListFilter,
  type Order,
  type Position,
  positionOf,
  readFile,
  selectByIds,
  selectIds,
  selectOne,
  selectPage,
  sortsByNumber,
} from './list.sql.ts'
import { planSearch, type SearchPlan } from './search.sql.ts'
import type { WrittenFiles } from './written-files.ts'

export interface MediaList {
  /** Each serialised as in the response. */
  files: Buffer[]
  stats: LibraryStats
  count: number
  next_cursor: string | null
}

interface ListDeps {
  db: Database
  written: WrittenFiles
}

export async function listFiles({ db, written }: ListDeps, query: MediaQuery & { limit: number }): Promise<MediaList> {
  const filter = filterOf(query)
  const { sort, limit, offset } = query
  const order = query.order ?? defaultOrder(sort)
  const after = query.cursor === undefined ? undefined : readCursor(query.cursor, sort, order)
  const plan = filter.words.length > 0 ? await planSearch(db, filter, limit + 1 + (offset ?? 0)) : undefined
  const [rows, figures] = await Promise.all([
    // One more than requested shows whether there is a next page.
    selectPage(db, filter, { sort, order, limit: limit + 1, after, offset }, plan),
    findTotals(db, filter, plan),
  ])
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const next = last && page.length < rows.length ? positionOf(readFile(last).row, { sort, order }) : undefined
  return {
    files: page.map(file => written.of(file)),
    ...figures,
    next_cursor: next ? writeCursor(next, sort, order) : null,
  }
}

async function findTotals(
  db: Database,
  filter: ListFilter,
  plan?: SearchPlan,
): Promise<Pick<MediaList, 'stats' | 'count'>> {
  const [stats, count] = await Promise.all([
    libraryStats(db.query),
    hasPrecomputedCount(filter) ? countFiles(db.query, filter) : countMatching(db, filter, plan),
  ])
  return { stats, count }
}

const Figures = listMedia.answer.omit({ files: true })
const OPENING = Buffer.from('{"files":[')
const COMMA = Buffer.from(',')

export function writeList({ files, ...figures }: MediaList): RawJson {
  return new RawJson(Buffer.concat([OPENING, ...separated(files), closing(figures)]))
}

/** Small enough not to block the event loop for long. */
const FILES_IN_A_PIECE = 200

/**
 * All matching files. Their ids and order are read at once; the files are streamed in chunks, so that they are never
 * all in memory, and other requests are served in between.
 */
export async function* writeWholeList(
  { db, written, isSignedIn }: ListDeps & { isSignedIn(): Promise<boolean> },
  query: MediaQuery,
): AsyncGenerator<Buffer> {
  const filter = filterOf(query)
  const { sort, offset } = query
  const order = query.order ?? defaultOrder(sort)
  const after = query.cursor === undefined ? undefined : readCursor(query.cursor, sort, order)
  const [ids, figures] = await Promise.all([selectIds(db, filter, { sort, order, after }), findTotals(db, filter)])
  yield OPENING
  let isFirst = true
  for (let at = offset ?? 0; at < ids.length; at += FILES_IN_A_PIECE) {
    // A slow client may still be reading after its session has ended.
    if (!(await isSignedIn())) throw new AppError('not_signed_in', 'Please sign in.')
    const files = await selectByIds(db, ids.slice(at, at + FILES_IN_A_PIECE))
    if (files.length === 0) continue
    const piece = separated(files.map(file => written.of(file)))
    yield Buffer.concat(isFirst ? piece : [COMMA, ...piece])
    isFirst = false
  }
  yield closing({ ...figures, next_cursor: null })
}

function separated(files: Buffer[]): Buffer[] {
  return files.flatMap((file, i) => (i === 0 ? [file] : [COMMA, file]))
}

function closing(figures: Omit<MediaList, 'files'>): Buffer {
  return Buffer.from(`],${JSON.stringify(Figures.parse(figures)).slice(1)}`)
}

/** The number of files per day. */
export async function timeline(db: Database, query: MediaFilter): Promise<{ days: [string, number][] }> {
  const rows = await countByDay(db, filterOf(query))
  return { days: rows.map(({ day, files }) => [new Date(day * DAY).toISOString().slice(0, 10), files]) }
}

export async function listIds(db: Database, query: MediaIdsQuery): Promise<{ ids: number[] }> {
  const filter = filterOf(query)
  const { sort } = query
  const order = query.order ?? defaultOrder(sort)
  const [first, last] = await Promise.all([
    query.first === undefined ? undefined : findPosition(db, filter, { sort, order }, query.first),
    query.last === undefined ? undefined : findPosition(db, filter, { sort, order }, query.last),
  ])
  return { ids: await selectIds(db, filter, { sort, order, first, last }) }
}

export async function findIndex(db: Database, id: number, query: MediaOrder): Promise<{ index: number }> {
  const filter = filterOf(query)
  const { sort } = query
  const order = { sort, order: query.order ?? defaultOrder(sort) }
  return { index: await countBefore(db, filter, order, await findPosition(db, filter, order, id)) }
}

async function findPosition(db: Database, filter: ListFilter, order: Order, id: number): Promise<Position> {
  const row = await selectOne(db, filter, id)
  if (!row) throw noSuchFile()
  return positionOf(row, order)
}

function filterOf(query: MediaFilter & Pick<MediaQuery, 'from' | 'to'>): ListFilter {
  return {
    words: searchable(query.search ?? '')
      .split(' ')
      .filter(Boolean),
    type: query.type,
    folder: query.folder_id,
    fromDay: query.from === undefined ? undefined : Date.parse(query.from) / DAY,
    toDay: query.to === undefined ? undefined : Date.parse(query.to) / DAY,
  }
}

/** A cursor contains its sort order: used with another order it would silently skip files. */
function writeCursor({ value, id }: Position, sort: SortField, order: SortOrder): string {
  return Buffer.from(JSON.stringify([sort, order, value, id])).toString('base64url')
}

function readCursor(cursor: string, sort: SortField, order: SortOrder): Position {
  const Cursor = z.tuple([
    z.literal(sort),
    z.literal(order),
    sortsByNumber(sort) ? WholeNumber : PlainText,
    WholeNumber,
  ])
  try {
    const [, , value, id] = Cursor.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
    return { value, id }
  } catch (cause) {
    throw new AppError('malformed', 'This cursor belongs to another list. Begin again without one.', { cause })
  }
}

/** Rejects forged cursors whose values the database could not compare. */
const WholeNumber = z.int()
const PlainText = z.string().refine(text => !text.includes('\0'))
