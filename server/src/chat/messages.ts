import type { Message } from '#contract/chat.ts'
import type { MessageRow, Tx } from '../db/schema.ts'
import { AppError } from '../kit/errors.ts'
import { announce } from '../live/announce.ts'
import { fileCards } from '../media/public.ts'
import { notifyOfMessage } from '../notifications/public.ts'
import { isParticipant, moveOn, participantIds } from './conversations.sql.ts'
import { type ChatDeps, noSuchConversation, takeOwn } from './conversations.ts'
import { insertMessage, type MessageWithSender, messageById, messagesBefore, sentAs } from './messages.sql.ts'
import { asMessage } from './present.ts'

/** Oldest first; a page of them is read from its newest on, however many lie before it. */
export async function listMessages(
  deps: ChatDeps,
  personId: number,
  conversationId: number,
  page: { before: number | undefined; limit: number | undefined },
): Promise<Message[]> {
  const { db } = deps
  if (!(await isParticipant(db.read, conversationId, personId))) throw noSuchConversation()
  return present(deps, (await messagesBefore(db.read, conversationId, page)).reverse())
}

export interface ToSend {
  content: string
  clientId: string | undefined
  mediaId: number | undefined
}

/** Once, however often its sender tries: a message with the same id of theirs is answered, not sent again. */
export async function sendMessage(
  deps: ChatDeps,
  senderId: number,
  conversationId: number,
  toSend: ToSend,
): Promise<Message> {
  const { db } = deps
  const id = await db.write(async tx => {
    await takeOwn(db, tx, conversationId, senderId)
    const known = toSend.clientId === undefined ? undefined : await sentAs(tx, senderId, toSend.clientId)
    return (known ? sameConversation(known, conversationId) : await say(deps, tx, senderId, conversationId, toSend)).id
  })
  const [message] = await present(deps, [await messageById(db.read, id)])
  if (!message) throw new Error('One row gives one message')
  return message
}

async function say(
  deps: ChatDeps,
  tx: Tx,
  senderId: number,
  conversationId: number,
  { content, clientId, mediaId }: ToSend,
): Promise<MessageRow> {
  const { db, clock, storage } = deps
  if (mediaId !== undefined && !(await fileCards(tx, storage, [mediaId])).has(mediaId)) {
    throw new AppError('not_found', 'There is no such file any more.')
  }
  const message = await insertMessage(tx, {
    conversation_id: conversationId,
    sender_id: senderId,
    content,
    media_id: mediaId ?? null,
    client_id: clientId ?? null,
    created_at: clock(),
  })
  // Its sender used the same id in another conversation at this very moment.
  if (!message) throw usedElsewhere()
  await moveOn(tx, conversationId, message)
  const everyone = await participantIds(tx, conversationId)
  await notifyOfMessage(deps, tx, {
    senderId,
    conversationId,
    messageId: message.id,
    content,
    participantIds: everyone,
  })
  await announce(db, tx, { kind: 'messages', conversation_id: conversationId }, everyone)
  return message
}

function sameConversation(message: MessageRow, conversationId: number): MessageRow {
  if (message.conversation_id !== conversationId) throw usedElsewhere()
  return message
}

function usedElsewhere(): AppError {
  return new AppError('conflict', 'This message was sent in another conversation.')
}

async function present({ db, storage, avatarUrl }: ChatDeps, rows: MessageWithSender[]): Promise<Message[]> {
  const files = await fileCards(
    db.read,
    storage,
    rows.flatMap(row => row.media_id ?? []),
  )
  return rows.map(row => asMessage(row, files, avatarUrl))
}
