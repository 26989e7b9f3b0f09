import { mentionsIn } from '#contract/mentions.ts'
import type { Database } from '../db/database.ts'
import type { NewNotification, NotificationRow, Tx } from '../db/schema.ts'
import type { Clock } from '../kit/clock.ts'
import { announce } from '../live/announce.ts'
import {
  type About,
  approvedUsernames,
  forgetBuriedMessages,
  forgetOfConversation,
  insertNotifications,
  readAccessRequests,
  readOfConversation,
} from './notifications.sql.ts'

export interface NotifyDeps {
  db: Database
  clock: Clock
  /** Called in the transaction that adds notifications. Absent in commands, which notify no devices. */
  notified?: Notified
}

export type Notified = (tx: Tx, added: readonly AddedNotification[]) => Promise<void>

export type AddedNotification = Pick<NotificationRow, 'id' | 'person_id' | 'type' | 'subject' | 'created_at'>

export interface NewNotifications {
  /** Who did it and therefore gets no notification; null for the server itself. */
  actorId: number | null
  about: About
  /** The recipients and the type of their notification. Each action gives a person at most one. */
  by: ReadonlyMap<number, NewNotification['type']>
}

/** Inserts the notifications in the transaction of the action. Only approved people get them. */
export async function notify(
  { db, clock, notified }: NotifyDeps,
  tx: Tx,
  { actorId, about, by }: NewNotifications,
): Promise<void> {
  const others = Map.groupBy(
    [...by].filter(([id]) => id !== actorId),
    ([, type]) => type,
  )
  const added: AddedNotification[] = []
  for (const [type, those] of others) {
    const facts = { ...about, type, actor_id: actorId, created_at: clock() }
    const ids = those.map(([id]) => id)
    const inserted = await insertNotifications(tx, facts, ids)
    added.push(...inserted.map(one => ({ ...one, type, subject: about.subject, created_at: facts.created_at })))
  }
  if (added.length === 0) return
  await notified?.(tx, added)
  const listeners = added.map(({ person_id }) => person_id)
  await announce(db, tx, { kind: 'notifications' }, listeners)
}

/** Notifies admins of an access request. */
export async function notifyOfAccessRequest(
  deps: NotifyDeps,
  tx: Tx,
  { personId, adminIds }: { personId: number; adminIds: readonly number[] },
): Promise<void> {
  const by = new Map(adminIds.map(id => [id, 'other' as const]))
  await notify(deps, tx, { actorId: personId, about: { subject: 'access_request' }, by })
}

/** Marks the access requests of a person as read for all admins, once one of them or a list has decided. */
export async function accessRequestDecided(
  { db, clock }: Pick<NotifyDeps, 'db' | 'clock'>,
  tx: Tx,
  personId: number,
): Promise<void> {
  const readers = await readAccessRequests(tx, personId, clock())
  if (readers.length > 0) await announce(db, tx, { kind: 'notifications' }, readers)
}

/** "You're in": called once the person is approved. */
export async function notifyOfWelcome(deps: NotifyDeps, tx: Tx, personId: number): Promise<void> {
  await notify(deps, tx, { actorId: null, about: { subject: 'welcome' }, by: new Map([[personId, 'other']]) })
}

/** "On this day: 7 photos". */
export async function notifyOfMemories(
  deps: NotifyDeps,
  tx: Tx,
  { personId, day, count }: { personId: number; day: number; count: number },
): Promise<void> {
  const about = { subject: 'memories' as const, memory_day: day, more_files: count }
  await notify(deps, tx, { actorId: null, about, by: new Map([[personId, 'other']]) })
}

export interface WrittenComment {
  actorId: number
  commentId: number
  content: string
  /** The content before the edit; absent: the comment is new. */
  contentBefore?: string
  /** The owner uploaded the file or made the album. */
  subject: { type: 'media' | 'album'; id: number; ownerId: number }
}

/** Notifies the people mentioned and, for a new comment, the owner of what it is about. */
export async function notifyOfComment(deps: NotifyDeps, tx: Tx, comment: WrittenComment): Promise<void> {
  const { actorId, commentId: comment_id, content, contentBefore, subject } = comment
  const by = new Map<number, NewNotification['type']>()
  if (contentBefore === undefined) by.set(subject.ownerId, 'comment')
  for (const id of await newlyMentioned(tx, content, contentBefore)) by.set(id, 'mention')
  const about: About =
    subject.type === 'media'
      ? { subject: 'note', media_id: subject.id, comment_id }
      : { subject: 'album', album_id: subject.id, comment_id }
  await notify(deps, tx, { actorId, about, by })
}

export interface AddedTag {
  actorId: number
  tagId: number
  /** Only files that did not have the tag yet. */
  files: readonly { id: number; uploaded_by: number }[]
}

/** Notifies each uploader once, however many of their files were tagged. */
export async function notifyOfTag(deps: NotifyDeps, tx: Tx, { actorId, tagId, files }: AddedTag): Promise<void> {
  for (const [uploader, [first, ...more]] of Map.groupBy(files, file => file.uploaded_by)) {
    if (!first) continue
    const about = { subject: 'tag' as const, tag_id: tagId, media_id: first.id, more_files: more.length }
    await notify(deps, tx, { actorId, about, by: new Map([[uploader, 'tag']]) })
  }
}

/** The people mentioned in a text and not in its earlier version. */
async function newlyMentioned(tx: Tx, text: string, before = ''): Promise<number[]> {
  if (!text.includes('@')) return []
  const idOf = new Map((await approvedUsernames(tx)).map(({ id, username }) => [username, id]))
  const usernames = new Set(idOf.keys())
  const already = new Set(mentionsIn(before, usernames).map(mention => mention.username))
  const mentioned = new Set(mentionsIn(text, usernames).map(mention => mention.username))
  return [...mentioned].filter(username => !already.has(username)).flatMap(username => idOf.get(username) ?? [])
}

export interface SentMessage {
  senderId: number
  conversationId: number
  messageId: number
  content: string
  /** All current participants, with or without the sender. Nobody else is notified. */
  participantIds: readonly number[]
}

/**
 * Notifies mentioned people of the mention and the others of the message. A conversation has at most one unread message
 * notification: the newest replaces the one before and moves to the top.
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

/** Marks the notifications of a conversation as read. */
export async function conversationRead(
  { db, clock }: Pick<NotifyDeps, 'db' | 'clock'>,
  tx: Tx,
  { personId, conversationId }: { personId: number; conversationId: number },
): Promise<void> {
  const read = await readOfConversation(tx, personId, conversationId, clock())
  if (read > 0) await announce(db, tx, { kind: 'notifications' }, [personId])
}

/** Deletes the notifications of a conversation for somebody who left it. */
export async function conversationLeft(
  { db }: Pick<NotifyDeps, 'db'>,
  tx: Tx,
  { personId, conversationId }: { personId: number; conversationId: number },
): Promise<void> {
  const forgotten = await forgetOfConversation(tx, personId, conversationId)
  if (forgotten > 0) await announce(db, tx, { kind: 'notifications' }, [personId])
}
