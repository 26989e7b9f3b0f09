import { sql } from 'kysely'
import type { Handle, Tx } from '../db/schema.ts'
import { inChunks } from '../kit/in-chunks.ts'

export interface Deletion {
  actorId: number
  /** Who uploaded the files, without the person who deleted them. */
  uploaderIds: readonly number[]
  at: number
  /** An unread notification that was extended since then is extended again. */
  continuedSince: number
}

/** One for each uploader who is approved and has not switched them off. Returns who has one. */
export async function upsertDeletionNotices(
  tx: Tx,
  { actorId, uploaderIds, at, continuedSince }: Deletion,
): Promise<number[]> {
  const wantNone = tx.selectFrom('muted_notifications').select('person_id').where('kind', '=', 'deleted')
  const readers: number[] = []
  for (const some of inChunks(uploaderIds)) {
    const extended = await tx
      .updateTable('notifications')
      .set({ created_at: at })
      .where('person_id', 'in', some)
      .where('person_id', 'not in', wantNone)
      .where('subject', '=', 'deleted')
      .where('actor_id', '=', actorId)
      .where('read_at', 'is', null)
      .where('created_at', '>=', continuedSince)
      .returning('person_id')
      .execute()
    const known = new Set(extended.map(row => row.person_id))
    readers.push(...known)
    const others = some.filter(id => !known.has(id))
    if (others.length === 0) continue
    const added = await tx
      .insertInto('notifications')
      .columns(['person_id', 'type', 'subject', 'actor_id', 'deleted_since', 'created_at'])
      .expression(({ selectFrom, val }) =>
        selectFrom('people')
          .select(['people.id', sql<'other'>`'other'`.as('type'), sql<'deleted'>`'deleted'`.as('subject')])
          .select([val(actorId).as('actor_id'), val(at).as('deleted_since'), val(at).as('created_at')])
          .where('people.id', 'in', others)
          .where('people.status', '=', 'approved')
          .where('people.id', 'not in', wantNone),
      )
      .returning('person_id')
      .execute()
    readers.push(...added.map(row => row.person_id))
  }
  return readers
}

/** Notifications, joined with the files that they are about and that are still deleted. */
function withDeletedFiles(handle: Handle) {
  return handle
    .selectFrom('notifications')
    .innerJoin('media', join =>
      join
        .onRef('media.uploaded_by', '=', 'notifications.person_id')
        .onRef('media.deleted_by', '=', 'notifications.actor_id')
        .onRef('media.deleted_at', '>=', 'notifications.deleted_since')
        .onRef('media.deleted_at', '<=', 'notifications.created_at'),
    )
}

/** Deletes unread ones whose files are all restored. Returns who has or had an unread one: what it says has changed. */
export async function deleteNoticesWithoutFiles(tx: Tx, uploaderIds: readonly number[]): Promise<number[]> {
  const readers: number[] = []
  for (const some of inChunks(uploaderIds)) {
    const rows = await tx
      .selectFrom('notifications')
      .select(['id', 'person_id'])
      .where('person_id', 'in', some)
      .where('subject', '=', 'deleted')
      .where('read_at', 'is', null)
      .execute()
    if (rows.length === 0) continue
    readers.push(...rows.map(row => row.person_id))
    const ids = rows.map(row => row.id)
    const left = withDeletedFiles(tx).select('notifications.id').where('notifications.id', 'in', ids)
    await tx.deleteFrom('notifications').where('id', 'in', ids).where('id', 'not in', left).execute()
  }
  return [...new Set(readers)]
}

export interface DeletedFiles {
  files: number
  videos: number
}

/** How many of the files of each of these notifications are still deleted, by the id of the notification. */
export async function countDeletedFiles(handle: Handle, ids: readonly number[]): Promise<Map<number, DeletedFiles>> {
  if (ids.length === 0) return new Map()
  const rows = await withDeletedFiles(handle)
    .select(({ fn }) => [
      'notifications.id',
      fn.countAll<number>().as('files'),
      sql<number>`sum(case media.file_type when 'video' then 1 else 0 end)`.as('videos'),
    ])
    .where('notifications.id', 'in', ids)
    .groupBy('notifications.id')
    .execute()
  return new Map(rows.map(({ id, files, videos }) => [id, { files, videos: Number(videos) }]))
}
