import { readBounds } from '#contract/bounds.ts'
import { DAY } from '#contract/limits.ts'
import { defaultOrder, MediaFilter, type MediaOrder } from '#contract/media.ts'
import type { Handle } from '../db/schema.ts'
import { AppError } from '../kit/errors.ts'
import { searchable } from '../kit/searchable.ts'
import { type AlbumScope, findAlbumSearch, type ListFilter, type Order } from './list.sql.ts'

/** Days since 1970, inclusive. */
export interface DayRange {
  fromDay: number | undefined
  toDay: number | undefined
}

const noRange: DayRange = { fromDay: undefined, toDay: undefined }

/** The filter and order of a request as queries need them. */
export async function readQuery(
  handle: Handle,
  query: MediaOrder,
  viewerId: number,
  range?: DayRange,
): Promise<{ filter: ListFilter; order: Order }> {
  const { sort, album: albumId } = query
  const album = albumId === undefined ? undefined : await readAlbumScope(handle, albumId)
  if (sort === 'manual' && !(album && 'addedTo' in album)) {
    throw new AppError('invalid', 'Only the files of an album that people fill have an order by hand.')
  }
  const order = { sort, order: query.order ?? defaultOrder(sort), ...(sort === 'manual' ? { albumId } : {}) }
  return { filter: { ...filterOf(query, range), ...personalFilter(query, viewerId), album }, order }
}

function personalFilter({ memory, new_since }: MediaOrder, personId: number): Pick<ListFilter, 'memory' | 'newFor'> {
  return {
    ...(memory === undefined ? {} : { memory: { personId, day: Date.parse(memory) / DAY } }),
    ...(new_since === undefined ? {} : { newFor: { personId, since: Date.parse(new_since) } }),
  }
}

/** What is in this album. For everything that lists, counts or serves its files. */
async function readAlbumScope(handle: Handle, id: number): Promise<AlbumScope> {
  const search = await findAlbumSearch(handle, id)
  if (search === undefined) throw noSuchAlbum()
  return albumScope(id, search)
}

/** `search`: that of the album's row. */
export function albumScope(id: number, search: string | null): AlbumScope {
  return search === null ? { addedTo: id } : { matching: filterOf(MediaFilter.parse(JSON.parse(search))) }
}

export function noSuchAlbum(): AppError {
  return new AppError('not_found', 'There is no such album any more.')
}

function filterOf(query: MediaFilter, range: DayRange = noRange): ListFilter {
  const year = query.year === undefined ? noRange : daysOf(query.year)
  const date = query.date === undefined ? noRange : daysOfDate(query.date)
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
    fromDay: pick(Math.max, year.fromDay, date.fromDay, range.fromDay),
    toDay: pick(Math.min, year.toDay, date.toDay, range.toDay),
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

/** A day as in "2019-05-12", or a month as in "2019-05". */
function daysOfDate(date: string): DayRange {
  const [year = 0, month, day] = date.split('-').map(Number)
  return daysOf(year, month, day)
}

function daysOf(year: number, month?: number, day?: number): DayRange {
  const fromDay = dayNumber(year, month ?? 1, day ?? 1)
  if (day !== undefined) return { fromDay, toDay: fromDay }
  const next = month === undefined ? dayNumber(year + 1, 1, 1) : dayNumber(year, month + 1, 1)
  return { fromDay, toDay: next - 1 }
}

/** Days since 1970. `Date.UTC` takes years below 100 as those of the 20th century. */
function dayNumber(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day) / DAY
}

/** Of those that are given. */
function pick(choose: (...days: number[]) => number, ...days: (number | undefined)[]): number | undefined {
  const given = days.filter(day => day !== undefined)
  return given.length === 0 ? undefined : choose(...given)
}
