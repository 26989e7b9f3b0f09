import { type Reference, references, type SharedFilter } from '#contract/media-filter.ts'
import type { Snapshot, Value } from '../db/snapshot.sql.ts'
import type { ExportedOfFile } from '../feature.ts'
import { inChunks } from '../kit/in-chunks.ts'
import { contentHashOf } from '../media/public.ts'

/** A photo or video with what the family knows of it. */
export interface ExportedFile {
  id: number
  name: string
  isVideo: boolean
  /** BLAKE3 in hex. */
  hash: string
  rotation: number
  /** In EDTF; null: undated. */
  edtf: string | null
  dateSource: string | null
  dateSort: number
  /** The camera's offset from UTC in minutes. */
  offset: number | null
  latitude: number | null
  longitude: number | null
  location: string | null
  caption: string | null
  folder: string | null
  uploadedBy: Author
  /** The name of the guest who sent it; then `uploadedBy` has accepted it. */
  sentBy: string | null
  uploadedAt: number
  original: ExportedPart
  /** Of a Live Photo. */
  clip: ExportedPart | undefined
  /** The XMP sidecar that it was imported with. */
  sidecar: ExportedPart | undefined
  /** A small picture or, where browsers cannot show the original, a large one. */
  preview: ExportedPart | undefined
  /** Whether browsers show the original. */
  isShown: boolean
  tags: string[]
  notes: AuthoredText[]
  /** What features add to `photo.jpg.JSON`. */
  ofFeatures: ReturnType<ExportedOfFile['fields']>[]
  albums: AlbumOfFile[]
}

interface AlbumOfFile {
  title: string
  addedBy: Author
  addedAt: number
  /** The name of the guest who sent it. */
  guest: string | null
}

export interface ExportedPart {
  key: string
  size: number
  /** Null until an export has computed them. BLAKE3 is in hex. */
  crc32: number | null
  blake3: string | null
}

/** Another library knows the same person by the username. */
export interface Author {
  name: string
  username: string
}

/** A note or a comment. */
export interface AuthoredText {
  by: Author
  at: number
  text: string
}

export interface ExportedAlbum {
  id: number
  title: string
  description: string
  order: string
  /** The filter of a smart album, with names instead of ids; null: people have added the files. */
  search: object | null
  /** Null: the first file. */
  coverId: number | null
  createdBy: Author
  createdAt: number
  fileIds: number[]
  comments: AuthoredText[]
}

/** `where` is a condition on `media`. Oldest first, undated ones before all others. */
export async function idsToExport(snapshot: Snapshot, where = 'true'): Promise<number[]> {
  const query = `select id from media where deleted_at is null and (${where}) order by date_sort, heading_rank, id`
  return (await all(snapshot, query)).map(([id]) => Number(id))
}

/** How many parts, and their bytes. */
export async function measureExport(snapshot: Snapshot, ids: readonly number[]) {
  const work = { files: 0, bytes: 0 }
  for (const some of inChunks(ids)) {
    const [sums] = await all(
      snapshot,
      `select count(*), sum(size) from media_parts join media on media.id = media_id
       where media_id in (${some.join()}) and ${isExportedPart}`,
    )
    work.files += Number(sums?.[0] ?? 0)
    work.bytes += Number(sums?.[1] ?? 0)
  }
  return work
}

/** `media.shown_part` is null where nothing can be shown yet. */
const isExportedPart = `(kind in ('original', 'motion', 'sidecar')
  or kind = case when file_type = 'video' or shown_part = 'original' then 'thumbnail' else 'website' end)`

/** The path of each folder, as in "Holidays/Cornwall". */
export async function folderPaths(snapshot: Snapshot): Promise<Map<number, string>> {
  const folders = new Map(
    (await all(snapshot, 'select id, name, parent_id from folders')).map(([id, name, parent]) => [
      Number(id),
      { name: String(name), parent: parent == null ? null : Number(parent) },
    ]),
  )
  const pathOf = (id: number): string => {
    const folder = folders.get(id)
    if (!folder) return ''
    return folder.parent === null ? folder.name : `${pathOf(folder.parent)}/${folder.name}`
  }
  return new Map([...folders.keys()].map(id => [id, pathOf(id)]))
}

/** In the order of `ids`, which should be some hundred. */
export async function filesToExport(
  snapshot: Snapshot,
  ids: readonly number[],
  folders: ReadonlyMap<number, string>,
  features: readonly ExportedOfFile[],
): Promise<ExportedFile[]> {
  const these = `(${ids.map(Number).join()})`
  const files = await all(
    snapshot,
    `select media.id, original_name, hash, rotation, date_edtf, date_source, date_sort, taken_offset, latitude, longitude,
       location, folder_id, people.name, people.username, uploaded_at, caption, sent_by, file_type, shown_part
     from media join people on people.id = uploaded_by where media.id in ${these}`,
  )
  const parts = byId(
    await all(
      snapshot,
      `select media_id, kind, media_parts.key, size, crc32, blake3
       from media_parts join media on media.id = media_id
       left join part_checksums on part_checksums.key = media_parts.key
       where media_id in ${these} and ${isExportedPart}`,
    ),
  )
  const tags = byId(
    await all(
      snapshot,
      `select media_id, name from media_tags join tags on tags.id = tag_id where media_id in ${these} order by name_key`,
    ),
  )
  const notes = byId(
    await all(
      snapshot,
      `select media_id, people.name, username, created_at, content from comments join people on people.id = author_id
       where media_id in ${these} and deleted_at is null order by comments.id`,
    ),
  )
  const fieldsOfFeatures: ((id: number) => ReturnType<ExportedOfFile['fields']>)[] = []
  for (const { query, fields } of features) {
    const texts = byId(await all(snapshot, query(these)))
    fieldsOfFeatures.push(id => fields((texts.get(id) ?? []).map(([, text]) => String(text))))
  }
  const albums = byId(
    await all(
      snapshot,
      `select media_id, title, people.name, username, added_at, guest
       from album_files join albums on albums.id = album_id join people on people.id = added_by
       where media_id in ${these} and removed_at is null and deleted_at is null and search is null order by albums.id`,
    ),
  )
  const found = new Map<number, ExportedFile>()
  for (const row of files) {
    const id = Number(row[0])
    const part = (...kinds: string[]): ExportedPart | undefined => {
      const own = parts.get(id)?.find(([, name]) => kinds.includes(String(name)))
      return own && { key: String(own[2]), size: Number(own[3]), crc32: number(own[4]), blake3: text(own[5]) }
    }
    const original = part('original')
    if (!original) continue
    found.set(id, {
      id,
      name: String(row[1]),
      hash: contentHashOf({ hash: String(row[2]) }),
      rotation: Number(row[3]),
      edtf: text(row[4]),
      dateSource: text(row[5]),
      dateSort: Number(row[6]),
      offset: number(row[7]),
      latitude: number(row[8]),
      longitude: number(row[9]),
      location: text(row[10]),
      caption: text(row[15]),
      folder: folders.get(Number(row[11])) ?? null,
      uploadedBy: { name: String(row[12]), username: String(row[13]) },
      uploadedAt: Number(row[14]),
      sentBy: text(row[16]),
      isVideo: row[17] === 'video',
      isShown: row[18] === 'original',
      original,
      clip: part('motion'),
      sidecar: part('sidecar'),
      preview: part('thumbnail', 'website'),
      tags: (tags.get(id) ?? []).map(([, name]) => String(name)),
      notes: (notes.get(id) ?? []).map(authoredText),
      ofFeatures: fieldsOfFeatures.map(fieldsOf => fieldsOf(id)),
      albums: (albums.get(id) ?? []).map(([, title, name, username, addedAt, guest]) => ({
        title: String(title),
        addedBy: { name: String(name), username: String(username) },
        addedAt: Number(addedAt),
        guest: text(guest),
      })),
    })
  }
  return ids.flatMap(id => found.get(id) ?? [])
}

export async function albumsToExport(
  snapshot: Snapshot,
  folders: ReadonlyMap<number, string>,
): Promise<ExportedAlbum[]> {
  const albums = await all(
    snapshot,
    `select albums.id, title, description, file_order, search, cover_id, people.name, username, albums.created_at
     from albums join people on people.id = created_by where deleted_at is null order by albums.id`,
  )
  const files = byId(
    await all(
      snapshot,
      `select album_id, media_id from album_files join albums on albums.id = album_id join media on media.id = media_id
       where removed_at is null and media.deleted_at is null
       order by album_id,
         case file_order when 'manual' then position when 'newest' then -date_sort else date_sort_asc end,
         case file_order when 'manual' then 0 when 'newest' then -heading_rank else heading_rank end,
         case file_order when 'newest' then -media_id else media_id end`,
    ),
  )
  const comments = byId(
    await all(
      snapshot,
      `select album_id, people.name, username, comments.created_at, content from comments join people on people.id = author_id
       where album_id is not null and deleted_at is null order by comments.id`,
    ),
  )
  const names = {
    tag: namesById(await all(snapshot, 'select id, name from tags')),
    person: namesById(await all(snapshot, 'select id, name from people')),
    folder: folders,
  }
  return albums.map(([id, title, description, order, search, coverId, name, username, createdAt]) => {
    const fileIds = (files.get(Number(id)) ?? []).map(([, mediaId]) => Number(mediaId))
    const isCover = search != null || fileIds.includes(Number(coverId))
    return {
      id: Number(id),
      title: String(title),
      description: String(description),
      order: String(order),
      search: search == null ? null : namedSearch(JSON.parse(String(search)), names),
      coverId: isCover ? number(coverId) : null,
      createdBy: { name: String(name), username: String(username) },
      createdAt: Number(createdAt),
      fileIds,
      comments: (comments.get(Number(id)) ?? []).map(authoredText),
    }
  })
}

/** The conversations that a person is in. One of two people has the other's name. */
export async function chatsOf(snapshot: Snapshot, personId: number) {
  const rows = await all(
    snapshot,
    `select c.id, c.title, people.id, people.name, people.username
     from participants own join conversations c on c.id = own.conversation_id
     join participants p on p.conversation_id = c.id join people on people.id = p.person_id
     where own.person_id = ${Number(personId)} order by c.id, people.id`,
  )
  return [...byId(rows)].map(([id, members]) => {
    const others = members.filter(([, , member]) => Number(member) !== personId).map(([, , , name]) => String(name))
    const title = text(members[0]?.[1]) ?? (others.join(', ') || 'Chat')
    const people = members.map(([, , , name, username]): Author => ({ name: String(name), username: String(username) }))
    return { id, title, people }
  })
}

export async function messagesOf(snapshot: Snapshot, conversationId: number) {
  const rows = await all(
    snapshot,
    `select name, username, messages.created_at, content, original_name
     from messages join people on people.id = sender_id
     left join media on media.id = media_id and media.deleted_at is null
     where conversation_id = ${Number(conversationId)} order by messages.id`,
  )
  return rows.map(([name, username, at, content, file]) => ({
    by: { name: String(name), username: String(username) },
    at: Number(at),
    text: String(content),
    file: text(file),
  }))
}

type Names = Record<Reference, ReadonlyMap<number, string>>

/** Ids mean nothing outside this database. Null: the tag or folder is gone. */
function namedSearch(search: SharedFilter, names: Names): object {
  const named: Record<string, unknown> = { ...search }
  for (const { name, refersTo, param } of references) {
    const id = search[name]
    if (id === undefined) continue
    delete named[name]
    // No folder is the top of the export.
    named[param] = id === 'root' ? '' : (names[refersTo].get(id) ?? null)
  }
  return named
}

function namesById(rows: Value[][]): Map<number, string> {
  return new Map(rows.map(([id, name]) => [Number(id), String(name)]))
}

async function all(snapshot: Snapshot, query: string): Promise<Value[][]> {
  const rows: Value[][] = []
  for await (const some of snapshot.read(query)) rows.push(...some)
  return rows
}

/** By the id in their first column. */
function byId(rows: Value[][]): Map<number, Value[][]> {
  return Map.groupBy(rows, ([id]) => Number(id))
}

function authoredText([, name, username, at, content]: Value[]): AuthoredText {
  return { by: { name: String(name), username: String(username) }, at: Number(at), text: String(content) }
}

function text(value: Value | undefined): string | null {
  return value == null ? null : String(value)
}

function number(value: Value | undefined): number | null {
  return value == null ? null : Number(value)
}
