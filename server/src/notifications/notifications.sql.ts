import { sql } from 'kysely'
import { inChunks } from '../db/in-chunks.ts'
import type { Handle, NewNotification, Tx } from '../db/schema.ts'

export async function insertNotifications(tx: Tx, notifications: readonly NewNotification[]): Promise<void> {
  for (const some of inChunks(notifications)) {
    await tx
      .insertInto('notifications')
      .values(some)
      // Two messages at the same moment: the later one takes the place of the other.
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
      .execute()
  }
}

export async function approvedAmong(handle: Handle, ids: readonly number[]): Promise<number[]> {
  const approved: number[] = []
  for (const some of inChunks(ids)) {
    const people = await handle
      .selectFrom('people')
      .select('id')
      .where('id', 'in', some)
      .where('status', '=', 'approved')
      .orderBy('id')
      .execute()
    approved.push(...people.map(person => person.id))
  }
  return approved
}

export async function approvedUsernames(handle: Handle): Promise<{ id: number; username: string }[]> {
  return handle.selectFrom('people').select(['id', 'username']).where('status', '=', 'approved').execute()
}

export async function forgetUnreadMessages(
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
      .execute()
  }
}

/** How many were unread. */
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
