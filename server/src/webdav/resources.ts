import type { Database } from '../db/database.ts'
import type { InboxEntryRow } from '../db/schema.ts'
import { entriesPage, findEntry } from './inbox.sql.ts'
import { inboxPath, joined, places } from './paths.ts'
import { albumsByTitle, filesPage, findFile, foldersByName, type LibraryFile, type Scope } from './tree.sql.ts'

/** A file or folder as clients see it. */
export interface Resource {
  segments: readonly string[]
  isFolder: boolean
  createdAt: number
  modifiedAt: number
  size: number
  type: string
  /** Undefined: a folder, or a file without content. */
  etag: string | undefined
  /** The file of the library that has the bytes. */
  mediaId: number | null
  /** What is in it. */
  children?: () => AsyncIterable<Resource>
}

export interface Reader {
  db: Database
  personId: number
  /** Which places the app password opens. */
  opens: { library: boolean; inbox: boolean }
}

/** Undefined if nothing is there, or nothing that this app password opens. */
export async function findResource(reader: Reader, segments: readonly string[]): Promise<Resource | undefined> {
  const [place, ...inside] = segments
  const { opens } = reader
  if (place === undefined) return root(reader)
  if (place === places.inbox && opens.inbox) return findInInbox(reader, segments)
  if (place === places.folders && opens.library) return findInFolders(reader, inside)
  if (place === places.albums && opens.library) return findInAlbums(reader, inside)
  return undefined
}

function folder(segments: readonly string[], createdAt: number, children: () => AsyncIterable<Resource>): Resource {
  const none = { size: 0, type: 'httpd/unix-directory', etag: undefined, mediaId: null }
  return { segments, isFolder: true, createdAt, modifiedAt: createdAt, ...none, children }
}

function root({ opens, ...reader }: Reader): Resource {
  const tops = [...(opens.library ? [places.folders, places.albums] : []), ...(opens.inbox ? [places.inbox] : [])]
  return folder([], 0, async function* () {
    for (const top of tops) {
      const resource = await findResource({ opens, ...reader }, [top])
      if (resource) yield resource
    }
  })
}

async function findInInbox(reader: Reader, segments: readonly string[]): Promise<Resource | undefined> {
  const path = inboxPath(segments)
  if (!path) return undefined
  if (path.name === '') return folder(segments, 0, () => inInbox(reader, segments, ''))
  const entry = await findEntry(reader.db.query, reader.personId, path)
  return entry && ofEntry(reader, segments, entry)
}

const PAGE = 500

async function* inInbox(reader: Reader, segments: readonly string[], parent: string): AsyncGenerator<Resource> {
  let last: InboxEntryRow | undefined
  do {
    const page = await entriesPage(reader.db.query, reader.personId, parent, PAGE, last?.name)
    for (const entry of page) yield ofEntry(reader, [...segments, entry.name], entry)
    last = page.length === PAGE ? page.at(-1) : undefined
  } while (last)
}

function ofEntry(reader: Reader, segments: readonly string[], entry: InboxEntryRow): Resource {
  const { created_at, modified_at, size, hash, media_id } = entry
  if (entry.is_folder === 1) return folder(segments, created_at, () => inInbox(reader, segments, joined(entry)))
  const content = { size, type: 'application/octet-stream', etag: hash === null ? undefined : `"${hash}"` }
  return { segments, isFolder: false, createdAt: created_at, modifiedAt: modified_at, ...content, mediaId: media_id }
}

async function findInFolders(reader: Reader, path: readonly string[]): Promise<Resource | undefined> {
  const { db } = reader
  const tree = await foldersByName(db.query)
  const childrenOf = (id: number | null) =>
    named(
      tree.filter(row => row.parent_id === id),
      row => row.name,
    )
  type Row = (typeof tree)[number]
  const at = (segments: readonly string[], row: Row | null): Resource =>
    folder(segments, row?.created_at ?? 0, async function* () {
      const folders = childrenOf(row?.id ?? null)
      for (const child of folders) yield at([...segments, child.shownName], child)
      yield* filesOf(db, { folderId: row?.id ?? null }, segments)
    })
  let here: Row | null = null
  for (const [i, segment] of path.entries()) {
    const child: Row | undefined = childrenOf((here as Row | null)?.id ?? null).find(row => row.shownName === segment)
    if (child) here = child
    else if (i < path.length - 1) return undefined
    else return findLibraryFile(db, { folderId: (here as Row | null)?.id ?? null }, [places.folders, ...path])
  }
  return at([places.folders, ...path], here)
}

async function findInAlbums({ db }: Reader, path: readonly string[]): Promise<Resource | undefined> {
  const albums = named(await albumsByTitle(db.query), album => album.title)
  const at = ({ shownName, ...album }: (typeof albums)[number]) => {
    const segments = [places.albums, shownName]
    return folder(segments, album.created_at, () => filesOf(db, { album }, segments))
  }
  const [title, name, ...more] = path
  if (title === undefined) {
    return folder([places.albums], 0, async function* () {
      for (const album of albums) yield at(album)
    })
  }
  const album = albums.find(one => one.shownName === title)
  if (!album || more.length > 0) return undefined
  return name === undefined ? at(album) : findLibraryFile(db, { album }, [places.albums, title, name])
}

async function* filesOf(db: Database, scope: Scope, segments: readonly string[]): AsyncGenerator<Resource> {
  let last: LibraryFile | undefined
  let previous: string | undefined
  do {
    const page = await filesPage(db, scope, PAGE, last)
    for (const file of page) {
      const name = comparable(file.original_name)
      yield ofFile([...segments, shownName(file.original_name, file.id, name === previous)], file)
      previous = name
    }
    last = page.length === PAGE ? page.at(-1) : undefined
  } while (last)
}

/** By the name that it has in the list. */
async function findLibraryFile(db: Database, scope: Scope, segments: readonly string[]): Promise<Resource | undefined> {
  const name = segments.at(-1) ?? ''
  const id = / ~(\d{1,15})(?:\.[^.]*)?$/.exec(name)?.[1]
  const numbered = id === undefined ? undefined : await findFile(db, scope, { id: Number(id) })
  if (numbered && shownName(numbered.original_name, numbered.id, true) === name) return ofFile(segments, numbered)
  const file = await findFile(db, scope, { name })
  return file && ofFile(segments, file)
}

function ofFile(segments: readonly string[], file: LibraryFile): Resource {
  return {
    segments,
    isFolder: false,
    createdAt: file.uploaded_at,
    modifiedAt: file.uploaded_at,
    size: file.file_size,
    type: file.mime_type,
    etag: `"${file.hash}"`,
    mediaId: file.id,
  }
}

function comparable(name: string): string {
  return name.normalize('NFC').toLowerCase()
}

/** With its id where another one before it has the same name, or systems do not allow the name. */
function shownName(name: string, id: number, isRepeated: boolean): string {
  const allowed = name
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cs}/\\:*?"<>|]/gu, '_')
    .replace(/^[\s.]+|[\s.]+$/g, '')
  if (!isRepeated && allowed === name) return name
  const [, stem = '', extension = ''] = /^(.*?)(\.[^.]{1,10})?$/su.exec(allowed) ?? []
  return `${stem} ~${id}${extension}`
}

function named<Row extends { id: number }>(rows: readonly Row[], nameOf: (row: Row) => string) {
  const taken = new Set<string>()
  return rows.map(row => {
    const name = comparable(nameOf(row))
    const isRepeated = taken.has(name)
    taken.add(name)
    return { ...row, shownName: shownName(nameOf(row), row.id, isRepeated) }
  })
}
