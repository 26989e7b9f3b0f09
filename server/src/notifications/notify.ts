import { mentionsIn } from '#contract/mentions.ts'
import { can, Role } from '#contract/rights.ts'
import type { Database } from '../db/database.ts'
import type { NewNotification, Tx } from '../db/schema.ts'
import type { Clock } from '../kit/clock.ts'
import { announce } from '../live/announce.ts'
import { upsertGuestNotifications } from './guests.sql.ts'
import { aggregatedNotification, deleteWithoutHearts, lockNotificationsOfHearts } from './hearts.sql.ts'
import {
  type About,
  approvedUsernames,
  forgetBuriedMessages,
  forgetOfConversation,
  insertNotifications,
  readOfConversation,
} from './notifications.sql.ts'

export interface NotifyDeps {
  db: Database
  clock: Clock
}

export interface NewNotifications {
  /** Who did it and therefore gets no notification; null for the server itself. */
  actorId: number | null
  about: About
  /** The recipients and the type of their notification. Each action gives a person at most one. */
  by: ReadonlyMap<number, NewNotification['type']>
}

/** Inserts the notifications in the transaction of the action. Only approved people get them. */
export async function notify(
  { db, clock }: NotifyDeps,
  tx: Tx,
  { actorId, about, by }: NewNotifications,
): Promise<void> {
  const others = Map.groupBy(
    [...by].filter(([id]) => id !== actorId),
    ([, type]) => type,
  )
  const listeners: number[] = []
  for (const [type, those] of others) {
    const facts = { ...about, type, actor_id: actorId, created_at: clock() }
    const ids = those.map(([id]) => id)
    listeners.push(...(await insertNotifications(tx, facts, ids)))
  }
  if (listeners.length > 0) await announce(db, tx, { kind: 'notifications' }, listeners)
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

export interface WrittenNote {
  actorId: number
  noteId: number
  content: string
  /** The content before the edit; absent: the note is new. */
  contentBefore?: string
  file: { id: number; uploaded_by: number }
}

/** Notifies the people mentioned and, for a new note, the uploader of the file. */
export async function notifyOfNote(deps: NotifyDeps, tx: Tx, note: WrittenNote): Promise<void> {
  const by = new Map<number, NewNotification['type']>()
  if (note.contentBefore === undefined) by.set(note.file.uploaded_by, 'comment')
  for (const id of await newlyMentioned(tx, note.content, note.contentBefore)) by.set(id, 'mention')
  const about = { subject: 'note' as const, media_id: note.file.id, note_id: note.noteId }
  await notify(deps, tx, { actorId: note.actorId, about, by })
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

/**
 * Aggregates new hearts in one notification per uploader, which is updated as long as it is unread. Returns its id for each
 * uploader. The caller stores it with the hearts, from which the text is made.
 */
export async function notifyOfHearts(
  { db, clock }: NotifyDeps,
  tx: Tx,
  { actorId, uploaderIds }: { actorId: number; uploaderIds: readonly number[] },
): Promise<ReadonlyMap<number, number>> {
  const notifications = new Map<number, number>()
  const others = [...new Set(uploaderIds)].filter(id => id !== actorId)
  if (others.length === 0) return notifications
  // Two people who love photos of a third must not begin a notification each.
  await db.advisoryLock(tx, 'hearts')
  for (const uploaderId of others.sort((a, b) => a - b)) {
    const id = await aggregatedNotification(db, tx, uploaderId, clock())
    if (id !== undefined) notifications.set(uploaderId, id)
  }
  if (notifications.size > 0) await announce(db, tx, { kind: 'notifications' }, [...notifications.keys()])
  return notifications
}

export type NotificationOfHearts = Awaited<ReturnType<typeof lockNotificationsOfHearts>>[number]

/**
 * The notifications of hearts that are to be deleted, before they are: deleting a notification locks it first and its
 * hearts then.
 */
export async function lockHeartNotifications(
  { db }: NotifyDeps,
  tx: Tx,
  { actorId, mediaIds }: { actorId: number; mediaIds: readonly number[] },
): Promise<NotificationOfHearts[]> {
  // The same lock as in `notifyOfHearts`, which locks notifications in another order.
  await db.advisoryLock(tx, 'hearts')
  return lockNotificationsOfHearts(db, tx, actorId, mediaIds)
}

/** Deletes those of these notifications that have no hearts left. */
export async function deleteEmptyHeartNotifications(
  { db }: NotifyDeps,
  tx: Tx,
  notifications: readonly NotificationOfHearts[],
): Promise<void> {
  if (notifications.length === 0) return
  await deleteWithoutHearts(
    tx,
    notifications.map(({ id }) => id),
  )
  const readers = notifications.map(({ person_id }) => person_id)
  await announce(db, tx, { kind: 'notifications' }, readers)
}

const reviewers = Role.options.filter(role => can(role, 'albums.edit'))

/**
 * One notification per album for everybody who may look the files through, which is updated as long as it is unread. The
 * caller serialises the uploads to an album.
 */
export async function notifyOfGuestUpload(
  db: Database,
  tx: Tx,
  { albumId, at }: { albumId: number; at: number },
): Promise<void> {
  const readers = await upsertGuestNotifications(tx, { albumId, roles: reviewers, now: at })
  if (readers.length > 0) await announce(db, tx, { kind: 'notifications' }, readers)
}

export interface WrittenAlbumComment {
  actorId: number
  commentId: number
  content: string
  /** The content before the edit; absent: the comment is new. */
  contentBefore?: string
  album: { id: number; created_by: number }
}

/** Notifies the people mentioned and, for a new comment, who made the album. */
export async function notifyOfAlbumComment(deps: NotifyDeps, tx: Tx, comment: WrittenAlbumComment): Promise<void> {
  const by = new Map<number, NewNotification['type']>()
  if (comment.contentBefore === undefined) by.set(comment.album.created_by, 'comment')
  for (const id of await newlyMentioned(tx, comment.content, comment.contentBefore)) by.set(id, 'mention')
  const about = { subject: 'album' as const, album_id: comment.album.id, album_comment_id: comment.commentId }
  await notify(deps, tx, { actorId: comment.actorId, about, by })
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
  { db, clock }: NotifyDeps,
  tx: Tx,
  { personId, conversationId }: { personId: number; conversationId: number },
): Promise<void> {
  const read = await readOfConversation(tx, personId, conversationId, clock())
  if (read > 0) await announce(db, tx, { kind: 'notifications' }, [personId])
}

/** Deletes the notifications of a conversation for somebody who left it. */
export async function conversationLeft(
  { db }: NotifyDeps,
  tx: Tx,
  { personId, conversationId }: { personId: number; conversationId: number },
): Promise<void> {
  const forgotten = await forgetOfConversation(tx, personId, conversationId)
  if (forgotten > 0) await announce(db, tx, { kind: 'notifications' }, [personId])
}
