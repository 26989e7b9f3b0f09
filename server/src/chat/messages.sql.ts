import { sql } from 'kysely'
import type { Handle, MessageRow, NewMessage, Tx } from '../db/schema.ts'

function messagesWithSender(handle: Handle) {
  return handle
    .selectFrom('messages')
    .innerJoin('people', 'people.id', 'messages.sender_id')
    .select([
      'messages.id',
      'content',
      'sender_id',
      'people.name as sender_name',
      'people.username as sender_username',
      'people.avatar_key',
      'messages.created_at',
      'client_id',
      'media_id',
    ])
}
export type MessageWithSender = Awaited<ReturnType<ReturnType<typeof messagesWithSender>['execute']>>[number]

/** The expression of the index `messages_conversation_id_newest_idx`. */
const newestFirst = sql<number>`-messages.id`

/** Newest first. The caller checks that the reader is a participant. */
export async function messagesBefore(
  handle: Handle,
  conversationId: number,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<MessageWithSender[]> {
  return messagesWithSender(handle)
    .where('conversation_id', '=', conversationId)
    .$if(before !== undefined, query => query.where(newestFirst, '>', -(before ?? 0)))
    .orderBy(newestFirst)
    .limit(limit)
    .execute()
}

export async function messageById(handle: Handle, id: number): Promise<MessageWithSender> {
  return messagesWithSender(handle).where('messages.id', '=', id).executeTakeFirstOrThrow()
}

/** Undefined for a duplicate: the sender already used this client id. */
export async function insertMessage(tx: Tx, message: NewMessage): Promise<MessageRow | undefined> {
  return tx
    .insertInto('messages')
    .values(message)
    .onConflict(conflict => conflict.columns(['sender_id', 'client_id']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function messageByClientId(tx: Tx, senderId: number, clientId: string): Promise<MessageRow | undefined> {
  return tx
    .selectFrom('messages')
    .selectAll()
    .where('sender_id', '=', senderId)
    .where('client_id', '=', clientId)
    .executeTakeFirst()
}
