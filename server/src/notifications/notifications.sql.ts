import { sql } from 'kysely'
import type { MutableKind } from '#contract/settings.ts'
import type { Handle, NewNotification, Tx } from '../db/schema.ts'
import { inChunks } from '../kit/in-chunks.ts'

export type About = Omit<NewNotification, 'person_id' | 'type' | 'actor_id' | 'created_at' | 'read_at'>

/** Bulk-inserts one for each of these people who is approved and has not switched them off. */
export async function insertNotifications(
  tx: Tx,
  notification: About & Pick<NewNotification, 'type' | 'actor_id' | 'created_at'>,
  personIds: readonly number[],
): Promise<{ id: number; person_id: number }[]> {
  const columns = Object.keys(notification) as (keyof typeof notification)[]
  const inserted: { id: number; person_id: number }[] = []
  const wantNone = tx
    .selectFrom('muted_notifications')
    .select('person_id')
    .where('kind', '=', notification.type as MutableKind)
  for (const some of inChunks(personIds)) {
    const rows = await tx
      .insertInto('notifications')
      .columns(['person_id', ...columns])
      .expression(({ selectFrom, val }) =>
        selectFrom('people')
          .select('people.id')
          .select(columns.map(column => val(notification[column]).as(column)))
          .where('people.id', 'in', some)
          .where('people.status', '=', 'approved')
          .where('people.id', 'not in', wantNone)
          .orderBy('people.id'),
      )
      // Upsert: a conversation has at most one unread notification, which the latest message replaces.
      .onConflict(conflict =>
        conflict
          .columns(['person_id', 'conversation_id'])
          .where(sql<boolean>`type = 'message' and read_at is null`)
          .doUpdateSet(({ ref }) => ({
            actor_id: ref('excluded.actor_id'),
            message_id: ref('excluded.message_id'),
            created_at: ref('excluded.created_at'),
          })),
      )
      .returning(['id', 'person_id'])
      .execute()
    inserted.push(...rows)
  }
  return inserted
}

export async function approvedUsernames(handle: Handle): Promise<{ id: number; username: string }[]> {
  return handle.selectFrom('people').select(['id', 'username']).where('status', '=', 'approved').execute()
}

/** Deletes unread message notifications that are not at the top of the list, so that a new one moves there. */
export async function forgetBuriedMessages(
  tx: Tx,
  conversationId: number,
  personIds: readonly number[],
): Promise<void> {
  for (const some of inChunks(personIds)) {
    await tx
      .deleteFrom('notifications')
      .where('person_id', 'in', some)
      .where('conversation_id', '=', conversationId)
      .where('type', '=', 'message')
      .where('read_at', 'is', null)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('notifications as newer')
            .select('newer.id')
            .whereRef('newer.person_id', '=', 'notifications.person_id')
            .whereRef('newer.id', '>', 'notifications.id'),
        ),
      )
      .execute()
  }
}

/** Returns whose they are. */
export async function readAccessRequests(tx: Tx, personId: number, now: number): Promise<number[]> {
  const rows = await tx
    .updateTable('notifications')
    .set({ read_at: now })
    .where('subject', '=', 'access_request')
    .where('actor_id', '=', personId)
    .where('read_at', 'is', null)
    .returning('person_id')
    .execute()
  return rows.map(row => row.person_id)
}

/** Returns how many were unread. */
export async function readOfConversation(
  tx: Tx,
  personId: number,
  conversationId: number,
  now: number,
): Promise<number> {
  const result = await tx
    .updateTable('notifications')
    .set({ read_at: now })
    .where('person_id', '=', personId)
    .where('conversation_id', '=', conversationId)
    .where('read_at', 'is', null)
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

export async function forgetOfConversation(tx: Tx, personId: number, conversationId: number): Promise<number> {
  const result = await tx
    .deleteFrom('notifications')
    .where('person_id', '=', personId)
    .where('conversation_id', '=', conversationId)
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}
