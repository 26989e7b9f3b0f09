import { z } from 'zod'
import { rankOf } from '#contract/edtf.ts'
import type { Answer } from '#contract/endpoint.ts'
import { MediaFile } from '#contract/media.ts'
import { listMedia, type MediaIdsQuery, type MediaOrder, type MediaQuery } from '#contract/media-list.ts'
import type { Database } from '../db/database.ts'
import { AppError } from '../kit/errors.ts'
import { countFiles, libraryStats } from './counts.sql.ts'
import { partBetween, partUnderHeading } from './date-ranges.ts'
import { noSuchFile } from './edit.ts'
import { hasPrecomputedCount, isPlanned, type ListFilter, type Order } from './filter.sql.ts'
import { readQuery } from './filter.ts'
import {
  countBefore,
  countMatching,
  findPosition,
  type Position,
  positionOf,
  readListed,
  selectByIds,
  selectIds,
  selectPage,
  sortsByNumber,
} from './list.sql.ts'
import { type PresentDeps, presentAll } from './present.ts'
import { planSearch, type SearchPlan } from './search.sql.ts'

type MediaList = Answer<typeof listMedia>

interface ListDeps extends PresentDeps {
  db: Database
}

export async function listFiles(
  deps: ListDeps,
  viewerId: number,
  query: MediaQuery & { limit: number },
): Promise<MediaList> {
  const { db } = deps
  const { filter, order, after } = await parseListQuery(db, viewerId, query)
  const { limit, offset } = query
  const plan = isPlanned(filter) ? await planSearch(db, filter, limit + 1 + (offset ?? 0)) : undefined
  const [rows, totals] = await Promise.all([
    // One more than requested shows whether there is a next page.
    selectPage(db, filter, { ...order, limit: limit + 1, after, offset }, plan, readListed),
    findTotals(db, filter, plan),
  ])
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const next = last && page.length < rows.length ? positionOf(last) : undefined
  return {
    files: await presentAll(deps, page),
    ...totals,
    next_cursor: next ? writeCursor(next, order) : null,
  }
}

async function findTotals(
  db: Database,
  filter: ListFilter,
  plan?: SearchPlan,
): Promise<Pick<MediaList, 'stats' | 'count'>> {
  const [stats, count] = await Promise.all([
    libraryStats(db.query),
    hasPrecomputedCount(filter) ? countFiles(db.query, filter.given) : countMatching(db, filter, plan),
  ])
  return { stats, count }
}

const Totals = listMedia.answer.omit({ files: true })

/** Small enough not to block the event loop for long. */
const FILES_IN_A_CHUNK = 200

interface AllFilesDeps extends ListDeps {
  isSignedIn(): Promise<boolean>
}

/**
 * All matching files as JSON. Their ids and order are read at once; the files are streamed in chunks, so that they are
 * never all in memory, and other requests are served in between.
 */
export async function listAllFiles(
  deps: AllFilesDeps,
  viewerId: number,
  query: MediaQuery,
): Promise<AsyncGenerator<Buffer>> {
  const { db } = deps
  const { filter, order, after } = await parseListQuery(db, viewerId, query)
  const [ids, totals] = await Promise.all([selectIds(db, filter, { ...order, after }), findTotals(db, filter)])
  return writeAllFiles(deps, ids.slice(query.offset ?? 0), totals)
}

async function* writeAllFiles(
  deps: AllFilesDeps,
  ids: readonly number[],
  totals: Pick<MediaList, 'stats' | 'count'>,
): AsyncGenerator<Buffer> {
  const { db } = deps
  yield Buffer.from('{"files":[')
  let separator = ''
  for (let at = 0; at < ids.length; at += FILES_IN_A_CHUNK) {
    // A slow client may still be reading after its session has ended.
    if (!(await deps.isSignedIn())) throw new AppError('not_signed_in', 'auth.signIn')
    const files = await presentAll(deps, await selectByIds(db, ids.slice(at, at + FILES_IN_A_CHUNK)))
    if (files.length === 0) continue
    yield Buffer.from(separator + JSON.stringify(z.array(MediaFile).parse(files)).slice(1, -1))
    separator = ','
  }
  yield Buffer.from(`],${JSON.stringify(Totals.parse({ ...totals, next_cursor: null })).slice(1)}`)
}

async function parseListQuery(db: Database, viewerId: number, query: MediaQuery & Pick<MediaIdsQuery, 'heading'>) {
  const { from, to, cursor, heading } = query
  const part = heading === undefined ? partBetween(from, to) : partUnderHeading(heading)
  const { filter, order } = await readQuery(db, query, viewerId, part)
  return { filter, order, after: cursor === undefined ? undefined : readCursor(cursor, order) }
}

export async function listIds(db: Database, viewerId: number, query: MediaIdsQuery): Promise<{ ids: number[] }> {
  const { filter, order } = await parseListQuery(db, viewerId, query)
  const [first, last] = await Promise.all([
    query.first === undefined ? undefined : positionIn(db, filter, order, query.first),
    query.last === undefined ? undefined : positionIn(db, filter, order, query.last),
  ])
  const among = query.ids?.split(',').map(Number)
  return { ids: await selectIds(db, filter, { ...order, first, last, among }) }
}

export async function findIndex(
  db: Database,
  viewerId: number,
  id: number,
  query: MediaOrder,
): Promise<{ index: number }> {
  const { filter, order } = await parseListQuery(db, viewerId, query)
  return { index: await countBefore(db, filter, order, await positionIn(db, filter, order, id)) }
}

async function positionIn(db: Database, filter: ListFilter, order: Order, id: number): Promise<Position> {
  const position = await findPosition(db, filter, order, id)
  if (!position) throw noSuchFile()
  return position
}

/** A cursor contains its sort order: used with another order it would silently skip files. */
function writeCursor({ value, rank, id }: Position, { sort, order }: Order): string {
  return Buffer.from(JSON.stringify([sort, order, value, rank, id])).toString('base64url')
}

function readCursor(cursor: string, { sort, order }: Order): Position {
  const Cursor = z.tuple([
    z.literal(sort),
    z.literal(order),
    sortsByNumber(sort) ? WholeNumber : PlainText,
    HeadingRank,
    WholeNumber,
  ])
  try {
    const [, , value, rank, id] = Cursor.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()))
    return { value, rank, id }
  } catch (cause) {
    throw new AppError('malformed', 'files.otherCursor', { cause })
  }
}

/** Rejects forged cursors whose values the database could not compare. */
const WholeNumber = z.int()
const HeadingRank = z.int().min(0).max(rankOf('undated'))
const PlainText = z.string().refine(text => !text.includes('\0'))
