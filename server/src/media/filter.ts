import { readBounds } from '#contract/bounds.ts'
import { boundsOf, type Heading, parseEdtf, UNKNOWN_DATE } from '#contract/edtf.ts'
import { DAY } from '#contract/limits.ts'
import { defaultOrder, MediaFilter, type MediaOrder } from '#contract/media-list.ts'
import type { Database } from '../db/database.ts'
import { AppError } from '../kit/errors.ts'
import { searchable } from '../kit/searchable.ts'
import {
  type AlbumScope,
  type DateRange,
  findAlbumSearch,
  isLargeAlbum,
  type ListFilter,
  type Order,
} from './filter.sql.ts'

/** A part of a list by date. */
type DateScope = Pick<ListFilter, 'dates' | 'undated'>

/** The filter and order of a request as queries need them. */
export async function readQuery(
  db: Database,
  query: MediaOrder,
  viewerId: number,
  scope?: DateScope,
): Promise<{ filter: ListFilter; order: Order }> {
  const { sort, album: albumId } = query
  const album = albumId === undefined ? undefined : await readAlbumScope(db, albumId)
  if (sort === 'manual' && !(album && 'addedTo' in album)) {
    throw new AppError('invalid', 'Only the files of an album that people fill have an order by hand.')
  }
  const order = { sort, order: query.order ?? defaultOrder(sort), ...(sort === 'manual' ? { albumId } : {}) }
  return { filter: { ...filterOf(query, scope), ...personalFilter(query, viewerId), album }, order }
}

function personalFilter({ memory, new_since }: MediaOrder, personId: number): Pick<ListFilter, 'memory' | 'newFor'> {
  return {
    ...(memory === undefined ? {} : { memory: { personId, day: Date.parse(memory) / DAY } }),
    ...(new_since === undefined ? {} : { newFor: { personId, since: Date.parse(new_since) } }),
  }
}

/** What is in this album. For everything that lists, counts or serves its files. */
async function readAlbumScope(db: Database, id: number): Promise<AlbumScope> {
  const search = await findAlbumSearch(db.query, id)
  if (search === undefined) throw noSuchAlbum()
  const scope = albumScope(id, search)
  // Postgres chooses the order of its joins by its statistics.
  if ('matching' in scope || db.engine === 'postgres') return scope
  return { ...scope, isLarge: await isLargeAlbum(db.query, id) }
}

/** `search`: that of the album's row. */
export function albumScope(id: number, search: string | null): AlbumScope {
  return search === null ? { addedTo: id } : { matching: filterOf(MediaFilter.parse(JSON.parse(search))) }
}

export function noSuchAlbum(): AppError {
  return new AppError('not_found', 'There is no such album any more.')
}

function filterOf(query: MediaFilter, scope: DateScope = {}): ListFilter {
  const year = query.year === undefined ? undefined : rangeOf(query.year)
  const date = query.date === undefined ? undefined : rangeOfText(query.date)
  const ranges = [year, date, scope.dates].filter(range => range !== undefined)
  return {
    words: searchWords(query.search ?? ''),
    type: query.type,
    folder: query.folder_id,
    place: query.place,
    area: query.area,
    bounds: query.bounds === undefined ? undefined : readBounds(query.bounds),
    camera: query.camera,
    tagId: query.tag,
    uploaderId: query.uploader,
    heartedBy: query.hearted_by,
    dates: ranges.length === 0 ? undefined : overlap(ranges),
    undated: query.undated === 'true' || scope.undated ? true : undefined,
  }
}

/** Each word is a search of its own, so more of them would keep the database busy for seconds. */
const MAX_WORDS = 10

/**
 * The words that a file must contain, longest first. A word that is part of another one is left out, since every match of
 * the longer one contains it. Of very many words the shortest are ignored.
 */
export function searchWords(search: string): string[] {
  const longestFirst = searchable(search)
    .split(' ')
    .filter(Boolean)
    .toSorted((a, b) => b.length - a.length)
  const words: string[] = []
  for (const word of longestFirst) if (!words.some(longer => longer.includes(word))) words.push(word)
  return words.slice(0, MAX_WORDS)
}

/** As in "2019-05-12", "2019-05", "1974-22" (summer), "196X", "1964/1970" or "../1938". */
function rangeOfText(date: string): DateRange {
  if (date.includes('/')) return rangeOfInterval(date)
  if (date.endsWith('X')) {
    const decade = Number(date.slice(0, 3)) * 10
    return { first: startOf(decade), last: startOf(decade + 10) - 1 }
  }
  const [year = 0, month, day] = date.split('-').map(Number)
  if (month !== undefined && month > 12) return rangeOfSeason(year, month - 20)
  return rangeOf(year, month, day)
}

function rangeOfInterval(edtf: string): DateRange {
  const { earliest: first, latest: last } = boundsOf(parseEdtf(edtf) ?? { precision: 'unknown' })
  return { first: first ?? undefined, last: last ?? undefined, within: { first, last } }
}

/** Of a year: 1 spring to 4 winter, which begins in the year before. */
function rangeOfSeason(year: number, season: number): DateRange {
  const first = season === 4 ? startOf(year - 1, 12) : startOf(year, season * 3)
  const last = startOf(year, season === 4 ? 3 : season * 3 + 3) - 1
  // A season has the heading of a year, which is in the middle of its summer.
  return { first, last, within: { first, last } }
}

function rangeOf(year: number, month?: number, day?: number): DateRange {
  const first = startOf(year, month, day)
  if (day !== undefined) return { first, last: first + DAY - 1, atLeast: 'day' }
  if (month !== undefined) return { first, last: startOf(year, month + 1) - 1, atLeast: 'month' }
  return { first, last: startOf(year + 1) - 1, atLeast: 'year' }
}

/** From a day to another one, inclusive; a single day has only what is known to be from it. */
export function rangeOfDays(from: string | undefined, to: string | undefined): DateRange | undefined {
  if (from === undefined && to === undefined) return undefined
  return {
    first: from === undefined ? undefined : Date.parse(from),
    last: to === undefined ? undefined : Date.parse(to) + DAY - 1,
    atLeast: from === to ? 'day' : 'month',
  }
}

/** Files under a heading of their own: 1985-07, 1974, 196X; or undated: XXXX. */
export function scopeOfHeading(heading: string): DateScope {
  if (heading === UNKNOWN_DATE) return { undated: true }
  const exactly = heading.endsWith('X') ? 'decade' : heading.length === 4 ? 'year' : 'month'
  return { dates: { ...rangeOfText(heading), atLeast: undefined, exactly } }
}

/** `Date.UTC` takes years below 100 as those of the 20th century. */
function startOf(year: number, month = 1, day = 1): number {
  return new Date(0).setUTCFullYear(year, month - 1, day)
}

const exactness: readonly Heading[] = ['decade', 'year', 'month', 'day']

/** What is in all of them. */
function overlap(ranges: readonly DateRange[]): DateRange {
  const [firsts, lasts, levels] = (['first', 'last', 'atLeast'] as const).map(field =>
    ranges.map(range => range[field]).filter(value => value !== undefined),
  ) as [number[], number[], Heading[]]
  return {
    first: firsts.length === 0 ? undefined : Math.max(...firsts),
    last: lasts.length === 0 ? undefined : Math.min(...lasts),
    atLeast: exactness.findLast(level => levels.includes(level)),
    exactly: ranges.find(range => range.exactly !== undefined)?.exactly,
    within: ranges.find(range => range.within !== undefined)?.within,
  }
}
