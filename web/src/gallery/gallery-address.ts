import { useCallback, useMemo } from 'react'
import { useSearchParams } from 'react-router'
import type { AlbumOrder } from '#contract/albums.ts'
import type { FileType } from '#contract/media.ts'
import { defaultOrder, type ListSort, MediaFilter, PersonalFilter, SortField, SortOrder } from '#contract/media-list.ts'

/** What the gallery shows, stored in the URL. */
export interface GalleryAddress {
  /** Null: every folder; `root`: files without a folder. */
  folder: number | 'root' | null
  search: string
  /** Null: images and videos. */
  type: FileType | null
  /** The chosen suggestions of the search box. */
  place: string | null
  /** A country, or a town with its quarters. */
  area: string | null
  tag: number | null
  camera: string | null
  year: number | null
  /** In EDTF: a day, month, season, decade or interval. */
  date: string | null
  uploader: number | null
  /** A person: only what they love. Without a folder, this is a place of its own: their favourites. */
  heartedBy: number | null
  /** A part of the map, which is a place of its own: the photos there. */
  bounds: string | null
  /** What the map shows, on its page. */
  at: string | null
  /** Only files whose date is not known. Without a folder, this is a place of its own. */
  undated: boolean
  /** A day as in "2019-11-17": its memories. */
  memory: string | null
  /** What others have added after this moment. */
  newSince: string | null
  sort: SortField
  order: SortOrder
  /** Whether names are shown below the thumbnails. */
  names: boolean
  /** The album that is shown, from the path of the URL. It decides the order. */
  album: ShownAlbum | null
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

/** The suggestions of the search box, by the names of their filters. */
export const chipFields = ['place', 'area', 'tag', 'camera', 'year', 'date', 'uploader'] as const
export type ChipField = (typeof chipFields)[number]

/** Sorted by anything but date, the names help to find a file. */
function namesByDefault(sort: SortField): boolean {
  return sort !== 'date'
}

/** Invalid parameters fall back to their defaults. */
export function readAddress(params: URLSearchParams): GalleryAddress {
  const sort = SortField.safeParse(params.get('sort')).data ?? 'date'
  const names = params.get('names')
  return {
    folder: readFilter('folder_id', params.get('folder')),
    search: readFilter('search', params.get('search')) ?? '',
    type: readFilter('type', params.get('type')),
    place: readFilter('place', params.get('place')),
    area: readFilter('area', params.get('area')),
    tag: readFilter('tag', params.get('tag')),
    camera: readFilter('camera', params.get('camera')),
    year: readFilter('year', params.get('year')),
    date: readFilter('date', params.get('date')),
    uploader: readFilter('uploader', params.get('uploader')),
    heartedBy: readFilter('hearted_by', params.get('hearted_by')),
    bounds: readFilter('bounds', params.get('bounds')),
    at: params.get('at'),
    undated: params.get('undated') === 'true',
    memory: PersonalFilter.shape.memory.safeParse(params.get('memory')).data ?? null,
    newSince: PersonalFilter.shape.new_since.safeParse(params.get('new_since')).data ?? null,
    sort,
    order: SortOrder.safeParse(params.get('order')).data ?? defaultOrder(sort),
    album: null,
    names: names === 'on' || (names !== 'off' && namesByDefault(sort)),
    file: readId(params.get('file')),
    note: params.get('note') === 'new' ? 'new' : readId(params.get('note')),
    addTo: readId(params.get('add_to')),
  }
}

function readId(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null
}

/** Null for what the server would refuse. */
function readFilter<Field extends keyof MediaFilter>(field: Field, text: string | null) {
  const value = text?.trim() ? MediaFilter.shape[field].safeParse(text).data : undefined
  return (value ?? null) as NonNullable<MediaFilter[Field]> | null
}

/** Defaults are omitted. */
export function writeAddress(address: GalleryAddress): URLSearchParams {
  const {
    folder,
    search,
    type,
    heartedBy,
    memory,
    newSince,
    undated,
    bounds,
    at,
    sort,
    order,
    names,
    file,
    note,
    addTo,
  } = address
  const params = new URLSearchParams()
  if (folder !== null) params.set('folder', String(folder))
  if (search !== '') params.set('search', search)
  if (type !== null) params.set('type', type)
  for (const field of chipFields) {
    const value = address[field]
    if (value !== null) params.set(field, String(value))
  }
  if (heartedBy !== null) params.set('hearted_by', String(heartedBy))
  if (at !== null) params.set('at', at)
  if (bounds !== null) params.set('bounds', bounds)
  if (undated) params.set('undated', 'true')
  if (memory !== null) params.set('memory', memory)
  if (newSince !== null) params.set('new_since', newSince)
  if (sort !== 'date') params.set('sort', sort)
  if (order !== defaultOrder(sort)) params.set('order', order)
  if (names !== namesByDefault(sort)) params.set('names', names ? 'on' : 'off')
  if (file !== null) params.set('file', String(file))
  if (file !== null && note !== null) params.set('note', String(note))
  if (addTo !== null) params.set('add_to', String(addTo))
  return params
}

/** A folder with all its files: a filter of the previous folder would hide some. */
export function unfiltered(folder: GalleryAddress['folder']) {
  return {
    folder,
    search: '',
    type: null,
    place: null,
    area: null,
    tag: null,
    camera: null,
    year: null,
    date: null,
    uploader: null,
    heartedBy: null,
    bounds: null,
    undated: false,
    memory: null,
    newSince: null,
  } satisfies Partial<GalleryAddress>
}

/** The same place without its filters. */
export function withoutFilters(address: GalleryAddress) {
  const places = { heartedBy: favouritesOf(address), undated: isUndatedPlace(address), bounds: address.bounds }
  return { ...unfiltered(address.folder), ...places }
}

/** Whether undated files are shown as a place of their own. Within a folder or favourites they are a filter. */
export function isUndatedPlace({ folder, heartedBy, undated, bounds, album }: GalleryAddress): boolean {
  return undated && folder === null && heartedBy === null && album === null && bounds === null
}

/** Whose favourites are shown as a place of their own; null: none. Within a folder they are a filter. */
export function favouritesOf({ folder, heartedBy }: GalleryAddress): number | null {
  return folder === null ? heartedBy : null
}

export function isFiltered(address: GalleryAddress): boolean {
  const { search, type, heartedBy } = address
  return (
    search !== '' ||
    type !== null ||
    heartedBy !== favouritesOf(address) ||
    address.undated !== isUndatedPlace(address) ||
    isPersonal(address) ||
    chipFields.some(field => address[field] !== null)
  )
}

export function isWholeLibrary(address: GalleryAddress): boolean {
  const { folder, heartedBy, undated, bounds, addTo } = address
  const isPlace = folder !== null || heartedBy !== null || undated || bounds !== null
  return !isPlace && addTo === null && !isFiltered(address)
}

/** Whether the list depends on who asks, so that no smart album can have its filter. */
export function isPersonal({ memory, newSince }: GalleryAddress): boolean {
  return memory !== null || newSince !== null
}

/** The gallery's URL for a person's favourites. */
export function favouritesPath(personId: number): string {
  return `/?hearted_by=${personId}`
}

/** The gallery's URL for undated files. */
export const undatedPath = '/?undated=true'

/** The gallery's URL for choosing photos for an album. */
export function choosingPath(albumId: number): string {
  return `/?add_to=${albumId}`
}

/** The gallery's URL for a folder, from another page. */
export function folderPath(folder: GalleryAddress['folder']): string {
  return folder === null ? '/' : `/?folder=${folder}`
}

/** The gallery's URL for the search of a smart album, from another page. */
export function searchPath({ folder_id, ...filter }: MediaFilter): string {
  const params = new URLSearchParams()
  if (folder_id !== undefined) params.set('folder', String(folder_id))
  for (const [name, value] of Object.entries(filter)) if (value !== undefined) params.set(name, String(value))
  return `/?${params}`
}

/** The gallery's URL for changing the search of a smart album. */
export function editSearchPath(albumId: number, search: MediaFilter): string {
  return `${searchPath(search)}&add_to=${albumId}`
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

/** The part of the address that determines the list and its order. */
export function listOf(address: GalleryAddress): ListQuery {
  const { album, memory, sort, order } = address
  // A memory begins with its first photo, whatever the order of the gallery is.
  const galleryOrder = memory === null ? inOrder(sort, order) : inOrder('date', 'asc')
  if (album === null) return { ...filterOf(address), ...personalFilterOf(address), ...galleryOrder }
  const inAlbum = { ...filterOf(address), album: album.id }
  if (album.order === 'manual') return { ...inAlbum, ...inOrder('manual', 'asc') }
  return { ...inAlbum, ...inOrder('date', album.order === 'newest' ? 'desc' : 'asc') }
}

function inOrder(sort: ListSort, order: SortOrder) {
  return { sort, order }
}

/** The filters of the address: what a smart album stores. */
export function filterOf({
  folder,
  search,
  type,
  place,
  area,
  tag,
  camera,
  year,
  date,
  uploader,
  heartedBy,
  bounds,
  undated,
}: GalleryAddress) {
  return {
    ...(folder === null ? {} : { folder_id: folder }),
    ...(search === '' ? {} : { search }),
    ...(type === null ? {} : { type }),
    ...(place === null ? {} : { place }),
    ...(area === null ? {} : { area }),
    ...(tag === null ? {} : { tag }),
    ...(camera === null ? {} : { camera }),
    ...(year === null ? {} : { year }),
    ...(date === null ? {} : { date }),
    ...(uploader === null ? {} : { uploader }),
    ...(heartedBy === null ? {} : { hearted_by: heartedBy }),
    ...(bounds === null ? {} : { bounds }),
    ...(undated ? { undated: 'true' as const } : {}),
  }
}
function personalFilterOf({ memory, newSince }: GalleryAddress) {
  return { ...(memory === null ? {} : { memory }), ...(newSince === null ? {} : { new_since: newSince }) }
}

export type ListQuery = ReturnType<typeof filterOf> &
  ReturnType<typeof personalFilterOf> &
  ReturnType<typeof inOrder> & { album?: number }

interface ChangeOptions {
  /** Replaces the current history entry. */
  replace?: boolean
}

export type ChangeAddress = (change: Partial<GalleryAddress>, options?: ChangeOptions) => void

/** The gallery's state in the URL, so that Back, reload and shared links restore it. */
export function useGalleryAddress(): [GalleryAddress, ChangeAddress] {
  const [params, setParams] = useSearchParams()
  const address = useMemo(() => readAddress(params), [params])
  const change = useCallback<ChangeAddress>(
    (change, { replace = false } = {}) => {
      // The router returns the last rendered URL, which may lack a change made a moment ago.
      const now = readAddress(new URLSearchParams(window.location.search))
      const next = writeAddress({ ...now, ...change })
      // No history entry for a change without effect.
      if (next.toString() === writeAddress(now).toString()) return
      setParams(next, { replace, preventScrollReset: true })
    },
    [setParams],
  )
  return [address, change]
}
