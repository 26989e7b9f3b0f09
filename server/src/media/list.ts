import { z } from 'zod'
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
import { Written } from '../kit/serve.ts'
import { countIn, libraryStats } from './counts.sql.ts'
import { noSuchFile } from './edit.ts'
import {
  countBefore,
  countByDay,
  countMatching,
  type ListFilter,
  type Position,
  positionOf,
  readFile,
  selectIds,
  selectOne,
  selectPage,
  sortsByNumber,
} from './list.sql.ts'
import { searchable } from './words.ts'
import type { WrittenFiles } from './written-files.ts'

const DAY = 86_400_000

export interface MediaList {
  /** Each as the answer has it. */
  files: Buffer[]
  stats: LibraryStats
  count: number
  next_cursor: string | null
}

export async function list(
  { db, written }: { db: Database; written: WrittenFiles },
  query: MediaQuery,
): Promise<MediaList> {
  const filter = filterOf(query)
  const order = query.order ?? defaultOrder(query.sort)
  const after = query.cursor === undefined ? undefined : readCursor(query.cursor, query.sort, order)
  // One more than asked for tells whether there is another page.
  const limit = query.limit === undefined ? undefined : query.limit + 1
  const [rows, stats, count] = await Promise.all([
    selectPage(db, filter, { sort: query.sort, order, limit, after, offset: query.offset }),
    libraryStats(db.read),
    isKept(filter) ? countIn(db.read, filter) : countMatching(db, filter),
  ])
  const page = query.limit === undefined ? rows : rows.slice(0, query.limit)
  const last = page.at(-1)
  const next = last && page.length < rows.length ? positionOf(readFile(last).row, query.sort) : undefined
  return {
    files: page.map(file => written.of(file)),
    stats,
    count,
    next_cursor: next ? writeCursor(next, query.sort, order) : null,
  }
}

const COMMA = Buffer.from(',')
const Figures = listMedia.answer.omit({ files: true })

export function writeList({ files, ...figures }: MediaList): Written {
  const rest = JSON.stringify(Figures.parse(figures)).slice(1)
  const separated = files.flatMap((file, i) => (i === 0 ? [file] : [COMMA, file]))
  return new Written(Buffer.concat([Buffer.from('{"files":['), ...separated, Buffer.from(`],${rest}`)]))
}

/** How many files stand under each day: a line for a day, whatever the number of files. */
export async function timeline(db: Database, query: MediaFilter): Promise<{ days: [string, number][] }> {
  const rows = await countByDay(db, filterOf(query))
  return { days: rows.map(({ day, files }) => [new Date(day * DAY).toISOString().slice(0, 10), files]) }
}

export async function ids(db: Database, query: MediaIdsQuery): Promise<{ ids: number[] }> {
  const filter = filterOf(query)
  const { sort } = query
  const order = query.order ?? defaultOrder(sort)
  const [first, last] = await Promise.all([
    query.first === undefined ? undefined : positionIn(db, filter, sort, query.first),
    query.last === undefined ? undefined : positionIn(db, filter, sort, query.last),
  ])
  return { ids: await selectIds(db, filter, { sort, order, first, last }) }
}

export async function position(db: Database, id: number, query: MediaOrder): Promise<{ index: number }> {
  const filter = filterOf(query)
  const { sort } = query
  const order = query.order ?? defaultOrder(sort)
  return { index: await countBefore(db, filter, { sort, order }, await positionIn(db, filter, sort, id)) }
}

async function positionIn(db: Database, filter: ListFilter, sort: SortField, id: number): Promise<Position> {
  const row = await selectOne(db, filter, id)
  if (!row) throw noSuchFile()
  return positionOf(row, sort)
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

/** Whether the kept counts know the answer. */
function isKept({ words, fromDay, toDay }: ListFilter): boolean {
  return words.length === 0 && fromDay === undefined && toDay === undefined
}

/** A cursor names its order too: continued in another it would skip files in silence. */
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

/** Whoever made a cursor up must not get further than here: an engine would stumble over what its column can't hold. */
const WholeNumber = z.int()
const PlainText = z.string().refine(text => !text.includes('\0'))
