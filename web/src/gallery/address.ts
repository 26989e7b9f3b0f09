import { defaultOrder, type FileType, SortField, SortOrder } from '#contract/media.ts'

/** What the gallery shows, as its address tells it. */
export interface GalleryAddress {
  /** Null: every folder; `root`: the files that are in none. */
  folder: number | 'root' | null
  search: string
  /** Null: images and videos. */
  type: FileType | null
  sort: SortField
  order: SortOrder
  view: View
  /** Whether names stand under the pictures of the grid. */
  names: boolean
  /** The file that is open. */
  file: number | null
  /** The note on it that somebody was sent to, or one that is to be written. */
  note: number | 'new' | null
}

export type View = 'grid' | 'list'

/** In date order the pictures speak for themselves; in any other order one has to see what they are ordered by. */
function namesByDefault(sort: SortField): boolean {
  return sort !== 'date'
}

/** Whatever stands in the address, sense or not: what cannot be read is the default. */
export function readAddress(params: URLSearchParams): GalleryAddress {
  const sort = SortField.safeParse(params.get('sort')).data ?? 'date'
  const names = params.get('names')
  return {
    folder: params.get('folder') === 'root' ? 'root' : readId(params.get('folder')),
    search: params.get('search')?.trim() ?? '',
    type: readType(params.get('type')),
    sort,
    order: SortOrder.safeParse(params.get('order')).data ?? defaultOrder(sort),
    view: params.get('view') === 'list' ? 'list' : 'grid',
    names: names === 'on' || (names !== 'off' && namesByDefault(sort)),
    file: readId(params.get('file')),
    note: params.get('note') === 'new' ? 'new' : readId(params.get('note')),
  }
}

function readId(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null
}

function readType(text: string | null): FileType | null {
  return text === 'image' || text === 'video' ? text : null
}

/** The default state adds nothing. */
export function writeAddress(address: GalleryAddress): URLSearchParams {
  const { folder, search, type, sort, order, view, names, file, note } = address
  const params = new URLSearchParams()
  if (folder !== null) params.set('folder', String(folder))
  if (search !== '') params.set('search', search)
  if (type !== null) params.set('type', type)
  if (sort !== 'date') params.set('sort', sort)
  if (order !== defaultOrder(sort)) params.set('order', order)
  if (view !== 'grid') params.set('view', view)
  if (names !== namesByDefault(sort)) params.set('names', names ? 'on' : 'off')
  if (file !== null) params.set('file', String(file))
  if (file !== null && note !== null) params.set('note', String(note))
  return params
}

/** Another field begins in its own direction; names follow it unless the person decided otherwise. */
export function sortedBy(address: GalleryAddress, sort: SortField): GalleryAddress {
  const followed = address.names === namesByDefault(address.sort)
  return {
    ...address,
    sort,
    order: defaultOrder(sort),
    names: followed ? namesByDefault(sort) : address.names,
  }
}

/** The part of the address that decides which files are listed, and in which order. */
export function listOf({ folder, search, type, sort, order }: GalleryAddress) {
  return {
    ...(folder === null ? {} : { folder_id: folder }),
    ...(search === '' ? {} : { search }),
    ...(type === null ? {} : { type }),
    sort,
    order,
  }
}
export type FileList = ReturnType<typeof listOf>
