import type { Database } from '../db/database.ts'
import type { Handle, Tx } from '../db/schema.ts'

/** A person's conversations (or one of them) with the columns of the list, last active first. */
export async function conversationsOf(handle: Handle, personId: number, id?: number) {
  return handle
    .selectFrom('participants as own')
    .innerJoin('conversations as c', 'c.id', 'own.conversation_id')
    .leftJoin('messages as last', 'last.id', 'c.last_message_id')
    .leftJoin('people as sender', 'sender.id', 'last.sender_id')
    .leftJoin('media', join => join.onRef('media.id', '=', 'last.media_id').on('media.deleted_at', 'is', null))
    .select([
      'c.id',
      'c.type',
      'c.title',
      'own.unread',
      'last.content as last_message',
      'last.created_at as last_message_at',
      'sender.username as last_message_sender',
      'media.file_type as last_message_file',
    ])
    .where('own.person_id', '=', personId)
    .$if(id !== undefined, query => query.where('c.id', '=', id ?? 0))
    .orderBy('c.active_at', 'desc')
    .orderBy('c.id', 'desc')
    .execute()
}
export type ConversationRow = Awaited<ReturnType<typeof conversationsOf>>[number]

/** Everyone in the person's conversations (or in one of them), in a single query. */
export async function peopleInConversationsOf(handle: Handle, personId: number, id?: number) {
  return handle
    .selectFrom('participants as own')
    .innerJoin('participants as p', 'p.conversation_id', 'own.conversation_id')
    .innerJoin('people', 'people.id', 'p.person_id')
    .select([
      'p.conversation_id',
      'people.id',
      'people.username',
      'people.name',
      'people.avatar_key',
      'people.status',
      'p.last_read_id',
      'p.last_read_at',
    ])
    .where('own.person_id', '=', personId)
    .$if(id !== undefined, query => query.where('own.conversation_id', '=', id ?? 0))
    .orderBy('people.username')
    .execute()
}
export type ParticipantRow = Awaited<ReturnType<typeof peopleInConversationsOf>>[number]

export async function isParticipant(handle: Handle, id: number, personId: number): Promise<boolean> {
  const own = await handle
    .selectFrom('participants')
    .select('person_id')
    .where('conversation_id', '=', id)
    .where('person_id', '=', personId)
    .executeTakeFirst()
  return own !== undefined
}

/**
 * Locks a conversation for the transaction, so that its messages become visible in the order of their ids and the unread
 * counts are right. Read the participants after this: somebody may have left while it waited.
 */
export async function lockConversation(db: Database, tx: Tx, id: number) {
  return db.forUpdate(tx.selectFrom('conversations').selectAll().where('id', '=', id)).executeTakeFirst()
}

export async function participantIds(handle: Handle, id: number): Promise<number[]> {
  const rows = await handle
    .selectFrom('participants')
    .select('person_id')
    .where('conversation_id', '=', id)
    .orderBy('person_id')
    .execute()
  return rows.map(row => row.person_id)
}

/** Undefined if the two already have a conversation. */
export async function insertDirect(
  tx: Tx,
  direct: { pair: string; now: number; by: number },
): Promise<number | undefined> {
  const { pair, now, by } = direct
  const added = await tx
    .insertInto('conversations')
    .values({ type: 'direct', pair, created_at: now, created_by: by, active_at: now })
    .onConflict(conflict => conflict.column('pair').doNothing())
    .returning('id')
    .executeTakeFirst()
  return added?.id
}

export async function directByPair(tx: Tx, pair: string): Promise<number | undefined> {
  return (await tx.selectFrom('conversations').select('id').where('pair', '=', pair).executeTakeFirst())?.id
}

export async function insertGroup(tx: Tx, group: { title: string; now: number; by: number }): Promise<number> {
  const { title, now, by } = group
  const added = await tx
    .insertInto('conversations')
    .values({ type: 'group', title, created_at: now, created_by: by, active_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return added.id
}

/** When a person has started groups since then, oldest first. */
export async function groupsStartedSince(handle: Handle, by: number, since: number): Promise<number[]> {
  const rows = await handle
    .selectFrom('conversations')
    .select('created_at')
    .where('type', '=', 'group')
    .where('created_by', '=', by)
    .where('created_at', '>', since)
    .orderBy('created_at')
    .execute()
  return rows.map(row => row.created_at)
}

/** Existing participants stay unchanged. Earlier messages are visible to new ones and count as read. */
export async function addParticipants(
  tx: Tx,
  id: number,
  people: readonly number[],
  { now, lastReadId }: { now: number; lastReadId: number },
): Promise<void> {
  await tx
    .insertInto('participants')
    .values(people.map(person_id => ({ conversation_id: id, person_id, joined_at: now, last_read_id: lastReadId })))
    .onConflict(conflict => conflict.columns(['conversation_id', 'person_id']).doNothing())
    .execute()
}

export async function removeParticipant(tx: Tx, id: number, personId: number): Promise<void> {
  await tx.deleteFrom('participants').where('conversation_id', '=', id).where('person_id', '=', personId).execute()
}

export async function setTitle(tx: Tx, id: number, title: string): Promise<void> {
  await tx.updateTable('conversations').set({ title }).where('id', '=', id).execute()
}

/** False if nothing was unread. */
export async function markRead(
  tx: Tx,
  id: number,
  personId: number,
  { lastReadId, now }: { lastReadId: number; now: number },
): Promise<boolean> {
  const result = await tx
    .updateTable('participants')
    .set({ unread: 0, last_read_id: lastReadId, last_read_at: now })
    .where('conversation_id', '=', id)
    .where('person_id', '=', personId)
    .where(eb => eb.or([eb('unread', '>', 0), eb('last_read_id', '<', lastReadId)]))
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Sets the last message and increments the unread count of everyone but its sender. */
export async function setLastMessage(
  tx: Tx,
  id: number,
  message: { id: number; sender_id: number; created_at: number },
): Promise<void> {
  await tx
    .updateTable('conversations')
    .set({ last_message_id: message.id, active_at: message.created_at })
    .where('id', '=', id)
    .execute()
  await tx
    .updateTable('participants')
    .set(eb => ({ unread: eb('unread', '+', 1) }))
    .where('conversation_id', '=', id)
    .where('person_id', '!=', message.sender_id)
    .execute()
}

export async function approvedAmong(handle: Handle, ids: readonly number[]): Promise<number[]> {
  const people = await handle
    .selectFrom('people')
    .select('id')
    .where('id', 'in', ids)
    .where('status', '=', 'approved')
    .execute()
  return people.map(person => person.id)
}
