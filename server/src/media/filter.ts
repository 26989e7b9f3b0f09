import { SharedFilter } from '#contract/media-filter.ts'
import { defaultOrder, type MediaOrder } from '#contract/media-list.ts'
import type { Database } from '../db/database.ts'
import { AppError } from '../kit/errors.ts'
import { searchable } from '../kit/searchable.ts'
import { type ListPart, rangeOfSearch } from './date-ranges.ts'
import { type AlbumScope, findAlbumSearch, isLargeAlbum, type ListFilter, type Order } from './filter.sql.ts'

/** The filter and order of a request as queries need them. */
export async function readQuery(
  db: Database,
  query: MediaOrder,
  viewerId: number,
  part?: ListPart,
): Promise<{ filter: ListFilter; order: Order }> {
  const { sort, album: albumId } = query
  const album = albumId === undefined ? undefined : await readAlbumScope(db, albumId)
  if (sort === 'manual' && !(album && 'addedTo' in album)) {
    throw new AppError('invalid', 'albums.noManualOrder')
  }
  const order = { sort, order: query.order ?? defaultOrder(sort), ...(sort === 'manual' ? { albumId } : {}) }
  return { filter: { ...readFilter(query), personal: { viewerId, given: query }, part, album }, order }
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
  return search === null ? { addedTo: id } : { matching: readFilter(SharedFilter.parse(JSON.parse(search))) }
}

export function noSuchAlbum(): AppError {
  return new AppError('not_found', 'albums.missing')
}

function readFilter({ search = '', ...given }: SharedFilter): ListFilter {
  const words = searchWords(search)
  return { given, words, orDates: words.length === 0 ? undefined : rangeOfSearch(search) }
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
