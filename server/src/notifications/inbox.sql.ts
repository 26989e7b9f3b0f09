import { sql } from 'kysely'
import { type Act, can } from '#contract/rights.ts'
import type { Role } from '#contract/role.ts'
import type { Handle, NotificationRow } from '../db/schema.ts'

export interface Page {
  limit: number
  before: number | undefined
}

export interface Reader {
  id: number
  role: Role
}

/** The start of a long text, more than enough for the line that is shown of it. */
function excerptOf(column: string) {
  return sql<string | null>`substr(${sql.ref(column)}, 1, 1000)`
}

/** What only some roles may know. Somebody who has lost the role does not see them any more. */
const rightsToKnow: readonly (readonly [NotificationRow['subject'], Act])[] = [
  ['access_request', 'people.review'],
  ['guests', 'albums.edit'],
]

function ownNotifications(handle: Handle, { id, role }: Reader) {
  const unknown = rightsToKnow.filter(([, act]) => !can(role, act)).map(([subject]) => subject)
  const query = handle.selectFrom('notifications').where('notifications.person_id', '=', id)
  return unknown.length === 0 ? query : query.where('notifications.subject', 'not in', unknown)
}

/**
 * A person's notifications, newest first, joined with their subjects. Columns of a deleted file or album, or of a
 * conversation that the person has left, are null.
 */
export async function notificationsOf(handle: Handle, reader: Reader, { limit, before }: Page) {
  let query = ownNotifications(handle, reader)
    .leftJoin('people as actor', 'actor.id', 'notifications.actor_id')
    .leftJoin('media', join => join.onRef('media.id', '=', 'notifications.media_id').on('media.deleted_at', 'is', null))
    .leftJoin('tags', 'tags.id', 'notifications.tag_id')
    .leftJoin('albums', join =>
      join.onRef('albums.id', '=', 'notifications.album_id').on('albums.deleted_at', 'is', null),
    )
    .leftJoin('comments', join =>
      join
        .onRef('comments.id', '=', 'notifications.comment_id')
        .on('comments.deleted_at', 'is', null)
        .on(({ or, eb }) =>
          or([eb('comments.media_id', '=', eb.ref('media.id')), eb('comments.album_id', '=', eb.ref('albums.id'))]),
        ),
    )
    .leftJoin('participants', join =>
      join
        .onRef('participants.conversation_id', '=', 'notifications.conversation_id')
        .onRef('participants.person_id', '=', 'notifications.person_id'),
    )
    .leftJoin('conversations', 'conversations.id', 'participants.conversation_id')
    .leftJoin('messages', join =>
      join
        .onRef('messages.id', '=', 'notifications.message_id')
        .onRef('messages.conversation_id', '=', 'participants.conversation_id'),
    )
    .select([
      'notifications.id',
      'notifications.type',
      'notifications.subject',
      'notifications.more_files',
      'notifications.memory_day',
      'notifications.created_at',
      'notifications.read_at',
      'actor.name as actor_name',
      'actor.status as actor_status',
      'media.id as media_id',
      'media.original_name as file_name',
      'media.file_type',
      'tags.name as tag_name',
      'albums.id as album_id',
      'albums.title as album_title',
      'comments.id as comment_id',
      excerptOf('comments.content').as('comment'),
      'conversations.id as conversation_id',
      'conversations.title as conversation_title',
      excerptOf('messages.content').as('message_content'),
    ])
    .orderBy('notifications.id', 'desc')
    .limit(limit)
  if (before !== undefined) query = query.where('notifications.id', '<', before)
  return query.execute()
}

export async function countUnread(handle: Handle, reader: Reader): Promise<number> {
  const row = await ownNotifications(handle, reader)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('read_at', 'is', null)
    .executeTakeFirstOrThrow()
  return row.count
}

/** False if the person has no such notification. Keeps the time when it was first read. */
export async function markRead(handle: Handle, personId: number, id: number, now: number): Promise<boolean> {
  const result = await handle
    .updateTable('notifications')
    .set(({ fn, val }) => ({ read_at: fn.coalesce('read_at', val(now)) }))
    .where('id', '=', id)
    .where('person_id', '=', personId)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function markAllRead(handle: Handle, personId: number, now: number): Promise<void> {
  await handle
    .updateTable('notifications')
    .set({ read_at: now })
    .where('person_id', '=', personId)
    .where('read_at', 'is', null)
    .execute()
}

/** False if the person has no such notification. */
export async function deleteOwn(handle: Handle, personId: number, id: number): Promise<boolean> {
  const result = await handle
    .deleteFrom('notifications')
    .where('id', '=', id)
    .where('person_id', '=', personId)
    .executeTakeFirst()
  return result.numDeletedRows > 0n
}
