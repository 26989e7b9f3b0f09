import { sql } from 'kysely'
import type { Role } from '#contract/role.ts'
import type { Handle, Tx } from '../db/schema.ts'

/**
 * Extends the unread notifications of an album to now, and adds those that are missing, except for people who have
 * switched them off. Returns who has one.
 */
export async function upsertGuestNotifications(
  tx: Tx,
  { albumId, roles, now }: { albumId: number; roles: readonly Role[]; now: number },
): Promise<number[]> {
  const wantNone = tx.selectFrom('muted_notifications').select('person_id').where('kind', '=', 'guests')
  const extended = await tx
    .updateTable('notifications')
    .set({ created_at: now })
    .where('album_id', '=', albumId)
    .where('subject', '=', 'guests')
    .where('read_at', 'is', null)
    .where('person_id', 'not in', wantNone)
    .returning('person_id')
    .execute()
  const known = extended.map(row => row.person_id)
  const added = await tx
    .insertInto('notifications')
    .columns(['person_id', 'type', 'subject', 'album_id', 'guests_since', 'created_at'])
    .expression(({ selectFrom, val }) => {
      const query = selectFrom('people')
        .select(['people.id', sql<'other'>`'other'`.as('type'), sql<'guests'>`'guests'`.as('subject')])
        .select([val(albumId).as('album_id'), val(now).as('guests_since'), val(now).as('created_at')])
        .where('people.status', '=', 'approved')
        .where('people.role', 'in', roles)
        .where('people.id', 'not in', wantNone)
      return known.length === 0 ? query : query.where('people.id', 'not in', known)
    })
    .returning('person_id')
    .execute()
  return [...known, ...added.map(row => row.person_id)]
}

/** Of the albums in which nothing waits any more. Returns who has one. */
export async function readGuestNotifications(
  tx: Tx,
  { albumIds, now }: { albumIds: readonly number[]; now: number },
): Promise<number[]> {
  const waiting = tx
    .selectFrom('guest_uploads')
    .select('album_id')
    .where('album_id', 'in', albumIds)
    .where('state', '=', 'waiting')
  const rows = await tx
    .updateTable('notifications')
    .set({ read_at: now })
    .where('album_id', 'in', albumIds)
    .where('subject', '=', 'guests')
    .where('read_at', 'is', null)
    .where('album_id', 'not in', waiting)
    .returning('person_id')
    .execute()
  return rows.map(row => row.person_id)
}

/** What a notification of guests says. */
export interface SentByGuests {
  /** The names of the guests, the one of the latest file first. */
  guests: string[]
  files: number
  videos: number
}

/** By the ids of the notifications. */
export async function sentByGuests(handle: Handle, ids: readonly number[]): Promise<Map<number, SentByGuests>> {
  if (ids.length === 0) return new Map()
  const rows = await handle
    .selectFrom('notifications')
    .innerJoin('guest_uploads', join =>
      join
        .onRef('guest_uploads.album_id', '=', 'notifications.album_id')
        .onRef('guest_uploads.sent_at', '>=', 'notifications.guests_since')
        .onRef('guest_uploads.sent_at', '<=', 'notifications.created_at'),
    )
    .innerJoin('guests', 'guests.id', 'guest_uploads.guest_id')
    .leftJoin('media', 'media.id', 'guest_uploads.media_id')
    .select(({ fn }) => [
      'notifications.id',
      'guests.name',
      fn.countAll<number>().as('files'),
      sql<number>`sum(case media.file_type when 'video' then 1 else 0 end)`.as('videos'),
      fn.max('guest_uploads.sent_at').as('latest'),
    ])
    .where('notifications.id', 'in', ids)
    .groupBy(['notifications.id', 'guests.id', 'guests.name'])
    .orderBy('latest', 'desc')
    .execute()
  const byNotification = Map.groupBy(rows, row => row.id)
  return new Map(
    [...byNotification].map(([id, some]) => [
      id,
      {
        guests: some.map(row => row.name),
        files: some.reduce((sum, row) => sum + row.files, 0),
        videos: some.reduce((sum, row) => sum + row.videos, 0),
      },
    ]),
  )
}
