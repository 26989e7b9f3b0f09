import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import type { AlbumOrder } from '#contract/albums.ts'
import {
  type FilterName,
  filterNames,
  givenFilters,
  type MediaFilter,
  readFilterParams,
  writeFilterParams,
} from '#contract/media-filter.ts'
import { defaultOrder, type ListSort, SortField, SortOrder } from '#contract/media-list.ts'
import { filterPath } from '../kit/filter-path.ts'

/** What the gallery shows, stored in the URL. */
export interface GalleryAddress {
  filter: MediaFilter
  sort: SortField
  order: SortOrder
  /** Whether names are shown below the thumbnails. */
  names: boolean
  /** The album that is shown, from the path of the URL. It decides the order. */
  album: ShownAlbum | null
  /** What the map shows, on its page. */
  at: string | null
  /** The open file. */
  file: number | null
  /** The note to show, or 'new' to write one. */
  note: number | 'new' | null
  /** The album that photos or, if it is smart, filters are being chosen for. */
  addTo: number | null
}

export interface ShownAlbum {
  id: number
  order: AlbumOrder
}

/** Null: every folder; `root`: files without a folder. */
export type ShownFolder = number | 'root' | null

/** Sorted by anything but date, the names help to find a file. */
export function namesByDefault(sort: SortField): boolean {
  return sort !== 'date' && sort !== 'added'
}

/** Invalid parameters fall back to their defaults. */
export function readAddress(params: URLSearchParams): GalleryAddress {
  const sort = SortField.safeParse(params.get('sort')).data ?? 'date'
  const names = params.get('names')
  return {
    filter: readFilterParams(params),
    sort,
    order: SortOrder.safeParse(params.get('order')).data ?? defaultOrder(sort),
    names: names === 'on' || (names !== 'off' && namesByDefault(sort)),
    album: null,
    at: params.get('at'),
    file: readId(params.get('file')),
    note: params.get('note') === 'new' ? 'new' : readId(params.get('note')),
    addTo: readId(params.get('add_to')),
  }
}

function readId(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null
}

/** Defaults are omitted. */
export function writeAddress({ filter, sort, order, names, at, file, note, addTo }: GalleryAddress): URLSearchParams {
  const params = new URLSearchParams(writeFilterParams(filter))
  if (at !== null) params.set('at', at)
  if (sort !== 'date') params.set('sort', sort)
  if (order !== defaultOrder(sort)) params.set('order', order)
  if (names !== namesByDefault(sort)) params.set('names', names ? 'on' : 'off')
  if (file !== null) params.set('file', String(file))
  if (file !== null && note !== null) params.set('note', String(note))
  if (addTo !== null) params.set('add_to', String(addTo))
  return params
}

const noFilter: MediaFilter = Object.fromEntries(filterNames.map(name => [name, undefined]))

/** The change that shows the files of this filter, without any other. */
export function onlyFilter(filter: MediaFilter): { filter: MediaFilter } {
  return { filter: { ...noFilter, ...filter } }
}

/** The change that shows a folder with all its files: a filter of the previous folder would hide some. */
export function onlyFolder(folder: ShownFolder): { filter: MediaFilter } {
  return onlyFilter({ folder_id: folder ?? undefined })
}

/** The change that shows the same place without its filters. */
export function withoutFilters(address: GalleryAddress): { filter: MediaFilter } {
  return onlyFilter(placeOf(address))
}

/** The filters that are the place that is shown, such as a folder. */
function placeOf(address: GalleryAddress): MediaFilter {
  const { folder_id, bounds } = address.filter
  return {
    folder_id,
    bounds,
    hearted_by: favouritesOf(address) ?? undefined,
    undated: isUndatedPlace(address) ? 'true' : undefined,
  }
}

export function folderOf({ filter }: GalleryAddress): ShownFolder {
  return filter.folder_id ?? null
}

/** Whether undated files are shown as a place of their own. Within another place they are a filter. */
export function isUndatedPlace({ filter, album }: GalleryAddress): boolean {
  const { undated, folder_id, hearted_by, bounds } = filter
  const isElsewhere = folder_id !== undefined || hearted_by !== undefined || bounds !== undefined || album !== null
  return undated !== undefined && !isElsewhere
}

/** Whether everything is shown in the order in which it was added, the newest first. */
export function isRecentPlace({ filter, album, sort, order }: GalleryAddress): boolean {
  return sort === 'added' && order === 'desc' && album === null && Object.keys(filter).length === 0
}

/** Whose favourites are shown as a place of their own; null: none. Within another place they are a filter. */
export function favouritesOf({ filter, album }: GalleryAddress): number | null {
  const { hearted_by = null, folder_id, bounds } = filter
  return folder_id === undefined && bounds === undefined && album === null ? hearted_by : null
}

/** Whether a filter is the place that is shown, rather than a filter in it. */
export function isPlaceFilter(address: GalleryAddress, name: FilterName): boolean {
  return placeOf(address)[name] !== undefined
}

export function isFiltered(address: GalleryAddress): boolean {
  return givenFilters(address.filter).some(name => !isPlaceFilter(address, name))
}

export function isWholeLibrary({ filter, addTo }: GalleryAddress): boolean {
  return givenFilters(filter).length === 0 && addTo === null
}

/** The gallery's URL for choosing photos for an album. */
export function choosingPath(albumId: number): string {
  return `/?add_to=${albumId}`
}

/** The gallery's URL for a folder, from another page. */
export function folderPath(folder: ShownFolder): string {
  return filterPath({ folder_id: folder ?? undefined })
}

/** The gallery's URL for changing the search of a smart album. */
export function editSearchPath(albumId: number, search: MediaFilter): string {
  return `${filterPath(search)}&add_to=${albumId}`
}

/** Each field has its default order. Names follow unless the person chose otherwise. */
export function sortedBy(address: GalleryAddress, sort: SortField): GalleryAddress {
  const followed = address.names === namesByDefault(address.sort)
  return {
    ...address,
    sort,
    order: defaultOrder(sort),
    names: followed ? namesByDefault(sort) : address.names,
  }
}

/** A filter with a sort order, as the API takes it. */
export type ListQuery = MediaFilter & { sort: ListSort; order: SortOrder }

/** The part of the address that determines the list and its order. */
export function listOf({ filter, album, sort, order }: GalleryAddress): ListQuery {
  if (album !== null) return { ...filter, album: album.id, ...orderOfAlbum(album) }
  // A memory begins with its first photo, whatever the order of the gallery is.
  return filter.memory === undefined ? { ...filter, sort, order } : { ...filter, sort: 'date', order: 'asc' }
}

function orderOfAlbum({ order }: ShownAlbum): Pick<ListQuery, 'sort' | 'order'> {
  if (order === 'manual') return { sort: 'manual', order: 'asc' }
  return { sort: 'date', order: order === 'newest' ? 'desc' : 'asc' }
}

interface ChangeOptions {
  /** Replaces the current history entry. */
  replace?: boolean
}

/** Filters that are not mentioned stay; `undefined` removes one. */
export type ChangeAddress = (change: Partial<GalleryAddress>, options?: ChangeOptions) => void

/** The gallery's state in the URL, so that Back, reload and shared links restore it. */
export function useGalleryAddress(): [GalleryAddress, ChangeAddress] {
  const [params, setParams] = useSearchParams()
  const address = useMemo(() => readAddress(params), [params])
  const change = useCallback<ChangeAddress>(
    ({ filter, ...change }, { replace = false } = {}) => {
      // The router returns the last rendered URL, which may lack a change made a moment ago.
      const now = readAddress(new URLSearchParams(window.location.search))
      const next = writeAddress({ ...now, ...change, filter: { ...now.filter, ...filter } })
      // No history entry for a change without effect.
      if (next.toString() === writeAddress(now).toString()) return
      setParams(next, { replace, preventScrollReset: true })
    },
    [setParams],
  )
  return [address, change]
}
