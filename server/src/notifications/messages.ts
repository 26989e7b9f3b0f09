import type { NewNotification, Tx } from '../db/schema.ts'
import { announce } from '../live/announce.ts'
import { newlyMentioned } from './mentioned.ts'
import { forgetBuriedMessages, forgetOfConversation, readOfConversation } from './notifications.sql.ts'
import { type NotifyDeps, notify } from './notify.ts'

export interface SentMessage {
  senderId: number
  conversationId: number
  messageId: number
  content: string
  /** Everybody in the conversation now; with or without the sender. Nobody else ever hears of it. */
  participantIds: readonly number[]
}

/**
 * Who is mentioned hears of that; the others that there is a message, of which a conversation has but one unread: the
 * newest takes the place of the one before, and stands above all else.
 */
export async function notifyOfMessage(deps: NotifyDeps, tx: Tx, message: SentMessage): Promise<void> {
  const { senderId, conversationId, messageId } = message
  const by = new Map<number, NewNotification['type']>(message.participantIds.map(id => [id, 'message']))
  for (const id of await newlyMentioned(tx, message.content)) if (by.has(id)) by.set(id, 'mention')
  const spokenTo = [...by].filter(([id, type]) => type === 'message' && id !== senderId).map(([id]) => id)
  await forgetBuriedMessages(tx, conversationId, spokenTo)
  const about = { subject: 'message' as const, conversation_id: conversationId, message_id: messageId }
  await notify(deps, tx, { actorId: senderId, about, by })
}

/** What was said there has been read, and so has what told of it. */
export async function conversationRead(
  { db, clock }: NotifyDeps,
  tx: Tx,
  { personId, conversationId }: { personId: number; conversationId: number },
): Promise<void> {
  const read = await readOfConversation(tx, personId, conversationId, clock())
  if (read > 0) await announce(db, tx, { kind: 'notifications' }, [personId])
}

/** Who left hears no more of what was said there. */
export async function conversationLeft(
  { db }: NotifyDeps,
  tx: Tx,
  { personId, conversationId }: { personId: number; conversationId: number },
): Promise<void> {
  const forgotten = await forgetOfConversation(tx, personId, conversationId)
  if (forgotten > 0) await announce(db, tx, { kind: 'notifications' }, [personId])
}
