import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { GuestUploadRow, Handle, Tx } from '../db/schema.ts'
import { updateRows } from '../db/update-rows.sql.ts'
import { inChunks } from '../kit/in-chunks.ts'

export async function countGuests(handle: Handle, linkId: number): Promise<number> {
  const { count } = await handle
    .selectFrom('guests')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('link_id', '=', linkId)
    .executeTakeFirstOrThrow()
  return count
}

export async function insertGuest(tx: Tx, guest: { link_id: number; name: string; created_at: number }) {
  return tx.insertInto('guests').values(guest).returningAll().executeTakeFirstOrThrow()
}

export async function renameGuest(tx: Tx, id: number, name: string): Promise<void> {
  await tx.updateTable('guests').set({ name }).where('id', '=', id).execute()
}

/** What a link has taken and reserved; `reservedSince`: uploads that were started before it reserve nothing. */
export async function usedOf(
  tx: Tx,
  linkId: number,
  { reservedSince, except }: { reservedSince: number; except?: number },
): Promise<{ files: number; bytes: number }> {
  let query = tx
    .selectFrom('guest_uploads')
    .select(({ fn }) => [
      fn.countAll<number>().as('files'),
      fn.coalesce(fn.sum<number>('size'), sql<number>`0`).as('bytes'),
    ])
    .where('link_id', '=', linkId)
    .where(eb => eb.or([eb('state', '!=', 'sending'), eb('started_at', '>', reservedSince)]))
  if (except !== undefined) query = query.where('id', '!=', except)
  return query.executeTakeFirstOrThrow()
}

type NewGuestUpload = Pick<GuestUploadRow, 'upload_id' | 'link_id' | 'guest_id' | 'album_id' | 'size' | 'started_at'>

export async function insertSending(tx: Tx, upload: NewGuestUpload): Promise<void> {
  await tx
    .insertInto('guest_uploads')
    .values({ ...upload, state: 'sending' })
    .execute()
}

export async function renewSending(tx: Tx, id: number, started_at: number): Promise<void> {
  await tx
    .updateTable('guest_uploads')
    .set({ started_at })
    .where('id', '=', id)
    .where('state', '=', 'sending')
    .execute()
}

/** False if there is none. */
export async function deleteSending(handle: Handle, uploadId: string): Promise<boolean> {
  const result = await handle
    .deleteFrom('guest_uploads')
    .where('upload_id', '=', uploadId)
    .where('state', '=', 'sending')
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}

export async function findByUploadId(handle: Handle, uploadId: string): Promise<GuestUploadRow | undefined> {
  return handle.selectFrom('guest_uploads').selectAll().where('upload_id', '=', uploadId).executeTakeFirst()
}

/** False if another request was faster. */
export async function markSent(
  tx: Tx,
  id: number,
  sent: Pick<GuestUploadRow, 'name' | 'sent_at' | 'media_id' | 'size' | 'incomplete' | 'expected_size'>,
): Promise<boolean> {
  const result = await tx
    .updateTable('guest_uploads')
    .set({ ...sent, state: 'waiting' })
    .where('id', '=', id)
    .where('state', '=', 'sending')
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** A guest's own files. */
export function selectSent(handle: Handle, guestId: number) {
  return handle
    .selectFrom('guest_uploads')
    .leftJoin('media_parts', join =>
      join
        .onRef('media_parts.media_id', '=', 'guest_uploads.media_id')
        .on('media_parts.kind', '=', 'thumbnail')
        .on('guest_uploads.state', '=', 'waiting'),
    )
    .select(['guest_uploads.id', 'guest_uploads.name', 'guest_uploads.size', 'guest_uploads.sent_at'])
    .select(['guest_uploads.incomplete', 'guest_uploads.expected_size'])
    .select(['media_parts.key', 'media_parts.size as picture_size'])
    .where('guest_uploads.guest_id', '=', guestId)
    .where('guest_uploads.state', '!=', 'sending')
}

/** With the file and the guest, in the order of arrival. Files that were purged are left out. */
export async function selectForReview(
  handle: Handle,
  {
    state,
    album,
    after,
    limit,
  }: { state: 'waiting' | 'rejected'; album: number | undefined; after: number | undefined; limit: number },
) {
  let query = handle
    .selectFrom('guest_uploads')
    .innerJoin('guests', 'guests.id', 'guest_uploads.guest_id')
    .innerJoin('media', 'media.id', 'guest_uploads.media_id')
    .leftJoin('albums', join =>
      join.onRef('albums.id', '=', 'guest_uploads.album_id').on('albums.deleted_at', 'is', null),
    )
    .select(['guest_uploads.id', 'guest_uploads.sent_at', 'guest_uploads.decided_at', 'guest_uploads.decided_by'])
    .select(['guests.name as guest', 'albums.id as album_id', 'albums.title as album_title'])
    .select(['media.id as media_id', 'media.original_name', 'media.file_type', 'media.file_size', 'media.date_edtf'])
    .select(['media.width', 'media.height', 'media.duration', 'media.thumbhash', 'media.status', 'media.shown_part'])
    .select(['media.motion_part', 'media.incomplete', 'media.expected_size'])
    .where('guest_uploads.state', '=', state)
  if (album !== undefined) query = query.where('guest_uploads.album_id', '=', album)
  if (after !== undefined) query = query.where('guest_uploads.id', '>', after)
  return query.orderBy('guest_uploads.id').limit(limit).execute()
}

export async function countWaiting(handle: Handle) {
  return handle
    .selectFrom('guest_uploads')
    .leftJoin('albums', join =>
      join.onRef('albums.id', '=', 'guest_uploads.album_id').on('albums.deleted_at', 'is', null),
    )
    .select(({ fn }) => ['albums.id', 'albums.title', fn.countAll<number>().as('waiting')])
    .where('guest_uploads.state', '=', 'waiting')
    .groupBy(['albums.id', 'albums.title'])
    .orderBy('albums.id')
    .execute()
}

export type LockedUpload = GuestUploadRow & { media_id: number }

/** Those in one of these states whose bytes are there, locked until the transaction ends. */
export async function lockUploads(
  db: Database,
  tx: Tx,
  ids: readonly number[],
  states: readonly GuestUploadRow['state'][],
): Promise<LockedUpload[]> {
  return (await lockRows(db, tx, ids, states)).filter(hasBytes)
}

export function hasBytes(row: GuestUploadRow): row is LockedUpload {
  return row.media_id !== null
}

/** By id, also those whose bytes were purged. */
export async function lockRows(
  db: Database,
  tx: Tx,
  ids: readonly number[],
  states: readonly GuestUploadRow['state'][],
): Promise<GuestUploadRow[]> {
  const rows: GuestUploadRow[] = []
  for (const some of inChunks([...new Set(ids)].sort((a, b) => a - b))) {
    const query = tx
      .selectFrom('guest_uploads')
      .selectAll()
      .where('id', 'in', some)
      .where('state', 'in', states)
      .orderBy('id')
    rows.push(...(await db.forUpdate(query).execute()))
  }
  return rows
}

export async function guestNames(tx: Tx, uploads: readonly GuestUploadRow[]): Promise<Map<number, string>> {
  const guestIds = [...new Set(uploads.map(upload => upload.guest_id))]
  const names = new Map<number, string>()
  for (const some of inChunks(guestIds)) {
    const guests = await tx.selectFrom('guests').select(['id', 'name']).where('id', 'in', some).execute()
    for (const { id, name } of guests) names.set(id, name)
  }
  return names
}

/** The file of the library that an accepted upload has become, or that the library had. */
export const libraryFileOf = ({ duplicate_id, media_id }: Pick<GuestUploadRow, 'duplicate_id' | 'media_id'>) =>
  duplicate_id ?? media_id

/** The accepted uploads of the same bytes as these: they have become the same file of the library. */
export async function idsOfSameFiles(tx: Tx, ids: readonly number[]): Promise<number[]> {
  const found = new Set<number>()
  for (const some of inChunks(ids)) {
    const accepted = tx.selectFrom('guest_uploads').where('state', '=', 'accepted')
    const given = await accepted.select(['duplicate_id', 'media_id']).where('id', 'in', some).execute()
    const files = given.flatMap(upload => libraryFileOf(upload) ?? [])
    if (files.length === 0) continue
    for (const column of ['duplicate_id', 'media_id'] as const) {
      for (const { id } of await accepted.select('id').where(column, 'in', files).execute()) found.add(id)
    }
  }
  return [...found]
}

/** Gives each of these uploads the bytes of the other, which are the same. */
export async function swapBytes(tx: Tx, a: LockedUpload, b: LockedUpload): Promise<void> {
  await tx.updateTable('guest_uploads').set({ media_id: b.media_id }).where('id', '=', a.id).execute()
  await tx
    .updateTable('guest_uploads')
    .set({ media_id: a.media_id, duplicate_id: null })
    .where('id', '=', b.id)
    .execute()
}

export async function updateUploads(
  tx: Tx,
  ids: readonly number[],
  change: Partial<Pick<GuestUploadRow, 'state' | 'decided_at' | 'decided_by' | 'duplicate_id' | 'added_to_album'>>,
): Promise<void> {
  for (const some of inChunks(ids)) await tx.updateTable('guest_uploads').set(change).where('id', 'in', some).execute()
}

export async function setDuplicates(tx: Tx, uploads: readonly { id: number; duplicateId: number }[]): Promise<void> {
  const rows = uploads.map(({ id, duplicateId }) => ({ id, duplicate_id: duplicateId }))
  await updateRows(tx, 'guest_uploads', { key: 'id', types: { duplicate_id: 'bigint' } }, rows)
}

/** Deletes uploads that were never finished, and what is left of links and guests once everything is decided. */
export async function deleteRemains(tx: Tx, startedBefore: number): Promise<void> {
  await tx.deleteFrom('guest_uploads').where('state', '=', 'sending').where('started_at', '<', startedBefore).execute()
  await tx
    .deleteFrom('guest_uploads')
    .where('link_id', 'is', null)
    .where(eb => eb.or([eb('state', '=', 'accepted'), eb('media_id', 'is', null)]))
    .execute()
  await tx
    .deleteFrom('guests')
    .where('link_id', 'is', null)
    .where('id', 'not in', tx.selectFrom('guest_uploads').select('guest_id'))
    .execute()
}
