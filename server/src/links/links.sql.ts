import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import { newestFirst, type PageBefore } from '../db/newest-first.ts'
import type { AlbumRow, GuestRow, Handle, LinkRow, NewLink, Tx } from '../db/schema.ts'
import { inChunks } from '../kit/in-chunks.ts'
import { countFilesOfAlbums } from '../media/public.ts'

/** Which links: those that a person made, also those that others made to the person's albums, or all. */
export type LinkScope = { personId: number; ofTheirAlbums: boolean } | 'anyone'

function linksOf(handle: Handle, scope: LinkScope) {
  const query = handle.selectFrom('links')
  if (scope === 'anyone') return query
  const { personId, ofTheirAlbums } = scope
  if (!ofTheirAlbums) return query.where('links.created_by', '=', personId)
  const theirs = handle.selectFrom('albums').select('albums.id').where('albums.created_by', '=', personId)
  return query.where(eb =>
    eb.or([
      eb('links.created_by', '=', personId),
      eb('links.album_id', 'in', theirs),
      eb('links.upload_album_id', 'in', theirs),
    ]),
  )
}

/** A link with its album, if it shows one. */
export interface LinkWithAlbum extends LinkRow {
  album: AlbumOfLink | null
  /** The album that guests send files to. */
  uploadAlbum: Pick<AlbumRow, 'id' | 'title'> | null
}

type AlbumOfLink = Pick<AlbumRow, 'id' | 'title' | 'search' | 'file_order'>

const albumColumns = [
  'albums.id as album_row_id',
  'albums.title as album_title',
  'albums.search as album_search',
  'albums.file_order as album_order',
  'upload_album.id as upload_album_row_id',
  'upload_album.title as upload_album_title',
] as const

interface JoinedAlbum {
  album_row_id: number | null
  album_title: string | null
  album_search: string | null
  album_order: AlbumRow['file_order'] | null
  upload_album_row_id: number | null
  upload_album_title: string | null
}

function withAlbum({
  album_row_id: id,
  album_title: title,
  album_search: search,
  album_order: file_order,
  upload_album_row_id: uploadAlbumId,
  upload_album_title: uploadAlbumTitle,
  ...link
}: LinkRow & JoinedAlbum): LinkWithAlbum {
  const album = id === null || title === null || file_order === null ? null : { id, title, search, file_order }
  const uploadAlbum =
    uploadAlbumId === null || uploadAlbumTitle === null ? null : { id: uploadAlbumId, title: uploadAlbumTitle }
  return { ...link, album, uploadAlbum }
}

export async function insertLink(tx: Tx, link: NewLink, fileIds: readonly number[]): Promise<LinkRow> {
  const row = await tx.insertInto('links').values(link).returningAll().executeTakeFirstOrThrow()
  // Two values a row.
  for (const some of inChunks(fileIds, 500)) {
    const files = some.map(media_id => ({ link_id: row.id, media_id }))
    await tx.insertInto('link_files').values(files).execute()
  }
  return row
}

export async function countLinksOf(handle: Handle, personId: number): Promise<number> {
  const { count } = await handle
    .selectFrom('links')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('created_by', '=', personId)
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function selectLinks(handle: Handle, scope: LinkScope, page: PageBefore): Promise<LinkWithAlbum[]> {
  const rows = await newestFirst(withAlbumColumns(linksOf(handle, scope)), 'links.id', page).execute()
  return rows.map(withAlbum)
}

/** Undefined if it has ended. */
export async function findLink(handle: Handle, scope: LinkScope, id: number): Promise<LinkWithAlbum | undefined> {
  const row = await withAlbumColumns(linksOf(handle, scope)).where('links.id', '=', id).executeTakeFirst()
  return row && withAlbum(row)
}

/** The links that one tap has made for this file, still as they were made, newest first. */
export async function selectQuickLinks(handle: Handle, query: QuickLinkQuery): Promise<LinkWithAlbum[]> {
  const rows = await withAlbumColumns(linksOf(handle, { personId: query.personId, ofTheirAlbums: false }))
    .where('links.quick', '=', 1)
    .where('links.originals', '=', 0)
    .where('links.captions', '=', 0)
    .where('links.password_hash', 'is', null)
    .where('links.encrypted_token', 'is not', null)
    .where(eb => eb.or([eb('links.expires_at', 'is', null), eb('links.expires_at', '>', query.now)]))
    .where(eb =>
      eb.exists(
        eb
          .selectFrom('link_files')
          .select('link_files.media_id')
          .whereRef('link_files.link_id', '=', 'links.id')
          .where('link_files.media_id', '=', query.fileId),
      ),
    )
    .orderBy('links.id', 'desc')
    .execute()
  return rows.map(withAlbum)
}

interface QuickLinkQuery {
  personId: number
  fileId: number
  now: number
}

export async function selectFileIds(handle: Handle, linkId: number): Promise<number[]> {
  const rows = await handle.selectFrom('link_files').select('media_id').where('link_id', '=', linkId).execute()
  return rows.map(row => row.media_id)
}

function withAlbumColumns(links: ReturnType<typeof linksOf>) {
  return links
    .where('links.ended_at', 'is', null)
    .leftJoin('albums', join => join.onRef('albums.id', '=', 'links.album_id').on('albums.deleted_at', 'is', null))
    .leftJoin('albums as upload_album', join =>
      join.onRef('upload_album.id', '=', 'links.upload_album_id').on('upload_album.deleted_at', 'is', null),
    )
    .selectAll('links')
    .select(albumColumns)
}

export async function findAlbumOfLink(handle: Handle, id: number): Promise<AlbumOfLink | undefined> {
  return handle
    .selectFrom('albums')
    .select(['id', 'title', 'search', 'file_order'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/** Locked until the transaction ends. */
export async function lockLink(db: Database, tx: Tx, scope: LinkScope, id: number): Promise<LinkRow | undefined> {
  return db.forUpdate(linksOf(tx, scope).selectAll().where('links.id', '=', id)).executeTakeFirst()
}

/** Also the secret is gone: a link that is opened again cannot be shown again. */
export async function setEnded(tx: Tx, id: number, ended: { at: number; by: number } | null): Promise<void> {
  await tx
    .updateTable('links')
    .set({ ended_at: ended?.at ?? null, ended_by: ended?.by ?? null, encrypted_token: null })
    .where('id', '=', id)
    .execute()
}

type LinkChange = Partial<
  Pick<LinkRow, 'title' | 'password_hash' | 'expires_at' | 'originals' | 'captions' | 'encrypted_token'>
>

export async function updateLinkRow(tx: Tx, id: number, change: LinkChange): Promise<void> {
  await tx.updateTable('links').set(change).where('id', '=', id).execute()
}

export async function setAllEnded(tx: Tx, personId: number, ended: { at: number; by: number }): Promise<void> {
  await tx
    .updateTable('links')
    .set({ ended_at: ended.at, ended_by: ended.by, encrypted_token: null })
    .where('created_by', '=', personId)
    .where('ended_at', 'is', null)
    .execute()
}

export async function deleteOldLinks(handle: Handle, before: number): Promise<void> {
  await handle
    .deleteFrom('links')
    .where(eb => eb.or([eb('ended_at', '<', before), eb('expires_at', '<', before)]))
    .execute()
}

/** What guests have sent by each of these upload links. */
export async function countSentFiles(handle: Handle, ids: readonly number[]) {
  if (ids.length === 0) return new Map<number, { files: number; waiting: number }>()
  const rows = await handle
    .selectFrom('guest_uploads')
    .select(({ fn }) => [
      'link_id',
      fn.countAll<number>().as('files'),
      sql<number>`sum(case state when 'waiting' then 1 else 0 end)`.as('waiting'),
    ])
    .where('link_id', 'in', ids)
    .where('state', '!=', 'sending')
    .groupBy('link_id')
    .execute()
  return new Map(rows.map(({ link_id, files, waiting }) => [link_id ?? 0, { files, waiting }]))
}

/** How many files each of these links shows now, and its first chosen file. Two queries, however many links there are. */
export async function countLinkFiles(db: Database, links: readonly LinkWithAlbum[]): Promise<Map<number, LinkFiles>> {
  const albums = new Map(links.flatMap(({ album }) => (album ? [[album.id, album]] : [])))
  const ids = links.filter(link => link.album_id === null).map(link => link.id)
  const [inAlbums, counts] = await Promise.all([
    countFilesOfAlbums(db, [...albums.values()]),
    countChosenFiles(db.query, ids),
  ])
  const filesIn = ({ id, album }: LinkWithAlbum): LinkFiles => {
    if (album) return { files: inAlbums.get(album.id) ?? 0, firstId: null }
    return counts.get(id) ?? { files: 0, firstId: null }
  }
  return new Map(links.map(link => [link.id, filesIn(link)]))
}

interface LinkFiles {
  files: number
  /** Null for an album, or without files. */
  firstId: number | null
}

async function countChosenFiles(handle: Handle, ids: readonly number[]): Promise<Map<number, LinkFiles>> {
  if (ids.length === 0) return new Map()
  const rows = await handle
    .selectFrom('link_files')
    .innerJoin('media', 'media.id', 'link_files.media_id')
    .select(({ fn }) => [
      'link_files.link_id',
      fn.countAll<number>().as('files'),
      fn.min<number>('link_files.media_id').as('first_id'),
    ])
    .where('media.deleted_at', 'is', null)
    .where('link_files.link_id', 'in', ids)
    .groupBy('link_files.link_id')
    .execute()
  return new Map(rows.map(row => [row.link_id, { files: Number(row.files), firstId: Number(row.first_id) }]))
}

/**
 * Those that people can open now. Not those that have ended or expired, whose creator lost access, or whose album is
 * deleted.
 */
function openLinks(handle: Handle, now: number) {
  return handle
    .selectFrom('links')
    .innerJoin('people', 'people.id', 'links.created_by')
    .leftJoin('albums', join => join.onRef('albums.id', '=', 'links.album_id').on('albums.deleted_at', 'is', null))
    .leftJoin('albums as upload_album', join =>
      join.onRef('upload_album.id', '=', 'links.upload_album_id').on('upload_album.deleted_at', 'is', null),
    )
    .where('people.status', '=', 'approved')
    .where('links.ended_at', 'is', null)
    .where(eb => eb.or([eb('links.expires_at', 'is', null), eb('links.expires_at', '>', now)]))
    .where(eb => eb.or([eb('links.album_id', 'is', null), eb('albums.id', 'is not', null)]))
    .where(eb => eb.or([eb('links.upload_album_id', 'is', null), eb('upload_album.id', 'is not', null)]))
}

/** Undefined if nobody can open it now. */
export async function findOpenLink(handle: Handle, id: number, now: number): Promise<LinkWithAlbum | undefined> {
  const query = openLinks(handle, now).selectAll('links').select(albumColumns).where('links.id', '=', id)
  const row = await query.executeTakeFirst()
  return row && withAlbum(row)
}

/** The ids of those that can be opened now, among a few. */
export async function idsOfOpenLinks(handle: Handle, ids: readonly number[], now: number): Promise<number[]> {
  const rows = await openLinks(handle, now).select('links.id').where('links.id', 'in', ids).execute()
  return rows.map(row => row.id)
}

export async function findGuest(handle: Handle, linkId: number, guestId: number): Promise<GuestRow | undefined> {
  return handle
    .selectFrom('guests')
    .selectAll()
    .where('id', '=', guestId)
    .where('link_id', '=', linkId)
    .executeTakeFirst()
}

/** Also of a link that is not open any more. */
export async function findPasswordHash(handle: Handle, id: number): Promise<string | null> {
  const row = await handle.selectFrom('links').select('password_hash').where('id', '=', id).executeTakeFirst()
  return row?.password_hash ?? null
}

export async function addView(handle: Handle, id: number, at: number): Promise<void> {
  await handle.updateTable('links').set({ views: sql`views + 1`, last_viewed_at: at }).where('id', '=', id).execute()
}
