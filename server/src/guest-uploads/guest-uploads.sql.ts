import { sql } from 'kysely'
import type { Database } from '../db/database.ts'
import type { GuestUploadRow, Handle, Tx } from '../db/schema.ts'
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

/** What a link has taken and reserved; `reservedSince`: uploads that were begun before it reserve nothing. */
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
    .where(eb => eb.or([eb('state', '!=', 'sending'), eb('begun_at', '>', reservedSince)]))
  if (except !== undefined) query = query.where('id', '!=', except)
  return query.executeTakeFirstOrThrow()
}

type NewGuestUpload = Pick<GuestUploadRow, 'upload_id' | 'link_id' | 'guest_id' | 'album_id' | 'size' | 'begun_at'>

export async function insertSending(tx: Tx, upload: NewGuestUpload): Promise<void> {
  await tx
    .insertInto('guest_uploads')
    .values({ ...upload, state: 'sending' })
    .execute()
}

export async function renewSending(tx: Tx, id: number, begun_at: number): Promise<void> {
  await tx.updateTable('guest_uploads').set({ begun_at }).where('id', '=', id).where('state', '=', 'sending').execute()
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
  sent: Pick<GuestUploadRow, 'name' | 'sent_at' | 'media_id' | 'size'>,
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
  }: { state: 'waiting' | 'refused'; album: number | undefined; after: number | undefined; limit: number },
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
    .select('media.motion_part')
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

export type LockedUpload = GuestUploadRow & { media_id: number; guest: string }

/** Those in one of these states whose bytes are there, locked until the transaction ends. */
export async function lockUploads(
  db: Database,
  tx: Tx,
  ids: readonly number[],
  states: readonly GuestUploadRow['state'][],
): Promise<LockedUpload[]> {
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
  const guestIds = [...new Set(rows.map(row => row.guest_id))]
  const guests =
    guestIds.length === 0 ? [] : await tx.selectFrom('guests').selectAll().where('id', 'in', guestIds).execute()
  const names = new Map(guests.map(({ id, name }) => [id, name]))
  return rows.flatMap(row =>
    row.media_id === null ? [] : { ...row, media_id: row.media_id, guest: names.get(row.guest_id) ?? '' },
  )
}

export async function updateUploads(
  tx: Tx,
  ids: readonly number[],
  change: Partial<Pick<GuestUploadRow, 'state' | 'decided_at' | 'decided_by' | 'held_id' | 'added_to_album'>>,
): Promise<void> {
  for (const some of inChunks(ids)) await tx.updateTable('guest_uploads').set(change).where('id', 'in', some).execute()
}

/** One statement for many rows, each with a file of its own. */
export async function setHeld(tx: Tx, uploads: readonly { id: number; heldId: number }[]): Promise<void> {
  for (const some of inChunks(uploads)) {
    const values = some.map(({ id, heldId }) => sql`(${sql.lit(id)}, ${sql.lit(heldId)})`)
    await sql`with held (upload_id, media_id) as (values ${sql.join(values)})
      update guest_uploads set held_id = held.media_id from held where id = held.upload_id`.execute(tx)
  }
}

/** Deletes uploads that were never finished, and what is left of links and guests once everything is decided. */
export async function deleteRemains(tx: Tx, begunBefore: number): Promise<void> {
  await tx.deleteFrom('guest_uploads').where('state', '=', 'sending').where('begun_at', '<', begunBefore).execute()
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
