import type { Message } from '#contract/chat.ts'
import type { MessageRow, Tx } from '../db/schema.ts'
import { AppError } from '../kit/errors.ts'
import { announce } from '../live/announce.ts'
import { fileCards } from '../media/public.ts'
import { notifyOfMessage } from '../notifications/public.ts'
import { isParticipant, lockConversation, participantIds, setLastMessage } from './conversations.sql.ts'
import { type ChatDeps, noSuchConversation } from './conversations.ts'
import {
  insertMessage,
  type MessageWithSender,
  messageByClientId,
  messageById,
  messagesBefore,
} from './messages.sql.ts'
import { asMessage } from './present.ts'

/** Oldest first. Pagination goes backwards from `before`. */
export async function listMessages(
  deps: ChatDeps,
  personId: number,
  conversationId: number,
  page: { before: number | undefined; limit: number },
): Promise<Message[]> {
  const { db } = deps
  if (!(await isParticipant(db.query, conversationId, personId))) throw noSuchConversation()
  return present(deps, (await messagesBefore(db.query, conversationId, page)).reverse())
}

export interface MessageInput {
  content: string
  clientId: string | undefined
  mediaId: number | undefined
}

/** Idempotent by `clientId`: a retry returns the message that was sent before. */
export async function sendMessage(
  deps: ChatDeps,
  senderId: number,
  conversationId: number,
  input: MessageInput,
): Promise<Message> {
  const { db, storage } = deps
  const { clientId, mediaId } = input
  const id = await db.transaction(async tx => {
    await lockConversation(db, tx, conversationId)
    const everyone = await participantIds(tx, conversationId)
    if (!everyone.includes(senderId)) throw noSuchConversation()
    const isFileThere = mediaId === undefined || (await fileCards(tx, storage, [mediaId])).has(mediaId)
    const inserted = isFileThere
      ? await insertAndNotify(deps, tx, { senderId, conversationId, everyone, ...input })
      : undefined
    const message = inserted ?? (clientId === undefined ? undefined : await messageByClientId(tx, senderId, clientId))
    if (message?.conversation_id === conversationId) return message.id
    if (!isFileThere) throw new AppError('not_found', 'files.missing')
    throw new AppError('conflict', 'chat.sentElsewhere')
  })
  const [message] = await present(deps, [await messageById(db.query, id)])
  if (!message) throw new Error('One row gives one message')
  return message
}

interface MessageToInsert extends MessageInput {
  senderId: number
  conversationId: number
  everyone: readonly number[]
}

/** Undefined for a duplicate. Runs while the conversation is locked, so it makes few database calls. */
async function insertAndNotify(deps: ChatDeps, tx: Tx, input: MessageToInsert): Promise<MessageRow | undefined> {
  const { db, clock } = deps
  const { senderId, conversationId, everyone, content, clientId, mediaId } = input
  const message = await insertMessage(tx, {
    conversation_id: conversationId,
    sender_id: senderId,
    content,
    media_id: mediaId ?? null,
    client_id: clientId ?? null,
    created_at: clock(),
  })
  if (!message) return undefined
  await setLastMessage(tx, conversationId, message)
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

async function present({ db, storage, avatarUrl }: ChatDeps, rows: MessageWithSender[]): Promise<Message[]> {
  const files = await fileCards(
    db.query,
    storage,
    rows.flatMap(row => row.media_id ?? []),
  )
  return rows.map(row => asMessage(row, files, avatarUrl))
}
