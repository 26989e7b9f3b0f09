import type { Conversation } from '#contract/chat.ts'
import { chat } from '#contract/limits.ts'
import type { Database } from '../db/database.ts'
import type { Handle, Tx } from '../db/schema.ts'
import type { Clock } from '../kit/clock.ts'
import { AppError } from '../kit/errors.ts'
import { TooManyRequests } from '../kit/rate-limiter.ts'
import { announce } from '../live/announce.ts'
import { conversationLeft, conversationRead, type Notified } from '../notifications/public.ts'
import type { AvatarUrl } from '../people/public.ts'
import type { Storage } from '../storage/storage.ts'
import {
  addParticipants,
  approvedAmong,
  conversationsOf,
  directByPair,
  groupsStartedSince,
  insertDirect,
  insertGroup,
  isParticipant,
  lockConversation,
  markRead,
  participantIds,
  peopleInConversationsOf,
  removeParticipant,
  setTitle,
} from './conversations.sql.ts'
import { asConversation } from './present.ts'

export interface ChatDeps {
  db: Database
  clock: Clock
  storage: Pick<Storage, 'signedUrl'>
  avatarUrl: AvatarUrl
  notified?: Notified
}

/** All of a person's conversations, in two queries. */
export async function listConversations({ db, avatarUrl }: ChatDeps, personId: number): Promise<Conversation[]> {
  return conversations(db.query, avatarUrl, personId)
}

export async function getConversation(deps: ChatDeps, personId: number, id: number): Promise<Conversation> {
  return presentConversation(deps.db.query, deps, personId, id)
}

export async function startDirect(deps: ChatDeps, personId: number, otherId: number): Promise<Conversation> {
  if (otherId === personId) throw new AppError('invalid', 'chat.withYourself')
  const { db, clock } = deps
  const both = [personId, otherId].sort((a, b) => a - b)
  return db.transaction(async tx => {
    await requireApproved(tx, [otherId])
    const pair = both.join(':')
    const added = await insertDirect(tx, { pair, now: clock(), by: personId })
    if (added !== undefined) {
      await addParticipants(tx, added, both, { now: clock(), lastReadId: 0 })
      await announce(db, tx, { kind: 'conversations', id: added }, both)
    }
    return presentConversation(tx, deps, personId, added ?? (await directByPair(tx, pair)) ?? 0)
  })
}

export async function createGroup(
  deps: ChatDeps,
  personId: number,
  { title, participantIds }: { title: string; participantIds: readonly number[] },
): Promise<Conversation> {
  const { db, clock } = deps
  const others = new Set(participantIds)
  others.delete(personId)
  if (others.size < chat.leastInGroup) throw new AppError('invalid', 'chat.chooseTwo')
  return db.transaction(async tx => {
    await refuseManyGroups(tx, personId, clock())
    await requireApproved(tx, [...others])
    const id = await insertGroup(tx, { title, now: clock(), by: personId })
    const everyone = [personId, ...others]
    await addParticipants(tx, id, everyone, { now: clock(), lastReadId: 0 })
    await announce(db, tx, { kind: 'conversations', id }, everyone)
    return presentConversation(tx, deps, personId, id)
  })
}

export async function renameGroup(deps: ChatDeps, personId: number, id: number, title: string): Promise<Conversation> {
  const { db } = deps
  return db.transaction(async tx => {
    await lockGroup(db, tx, id, personId)
    await setTitle(tx, id, title)
    await announce(db, tx, { kind: 'conversations', id }, await participantIds(tx, id))
    return presentConversation(tx, deps, personId, id)
  })
}

export async function addToGroup(
  deps: ChatDeps,
  personId: number,
  id: number,
  people: readonly number[],
): Promise<Conversation> {
  const { db, clock } = deps
  return db.transaction(async tx => {
    const group = await lockGroup(db, tx, id, personId)
    await requireApproved(tx, people)
    await addParticipants(tx, id, people, { now: clock(), lastReadId: group.last_message_id ?? 0 })
    await announce(db, tx, { kind: 'conversations', id }, await participantIds(tx, id))
    return presentConversation(tx, deps, personId, id)
  })
}

export async function leaveGroup(deps: ChatDeps, personId: number, id: number): Promise<void> {
  const { db } = deps
  await db.transaction(async tx => {
    await lockGroup(db, tx, id, personId)
    // Read before the removal: the person's other open pages get the event too.
    const everyone = await participantIds(tx, id)
    await removeParticipant(tx, id, personId)
    await conversationLeft(deps, tx, { personId, conversationId: id })
    await announce(db, tx, { kind: 'conversations', id }, everyone)
  })
}

/** Marks everything as read. Sends no event when nothing was new, or pages would react to each other forever. */
export async function readConversation(deps: ChatDeps, personId: number, id: number): Promise<void> {
  const { db, clock } = deps
  await db.transaction(async tx => {
    const conversation = await lockOwn(db, tx, id, personId)
    await conversationRead(deps, tx, { personId, conversationId: id })
    const lastReadId = conversation.last_message_id ?? 0
    if (!(await markRead(tx, id, personId, { lastReadId, now: clock() }))) return
    // Groups show no read receipts, so the other participants need no event.
    const to = conversation.type === 'direct' ? await participantIds(tx, id) : [personId]
    await announce(db, tx, { kind: 'conversations', id }, to)
  })
}

/** Sent to the other participants only; nothing is stored. */
export async function announceTyping({ db }: ChatDeps, personId: number, id: number): Promise<void> {
  const everyone = await participantIds(db.query, id)
  if (!everyone.includes(personId)) throw noSuchConversation()
  const others = everyone.filter(participant => participant !== personId)
  await db.transaction(tx => announce(db, tx, { kind: 'typing', conversation_id: id, person_id: personId }, others))
}

async function conversations(
  handle: Handle,
  avatarUrl: AvatarUrl,
  viewerId: number,
  id?: number,
): Promise<Conversation[]> {
  const rows = await conversationsOf(handle, viewerId, id)
  const people = await peopleInConversationsOf(handle, viewerId, id)
  const byConversation = Map.groupBy(people, person => person.conversation_id)
  return rows.map(row => asConversation(row, byConversation.get(row.id) ?? [], { viewerId, avatarUrl }))
}

async function presentConversation(
  handle: Handle,
  { avatarUrl }: ChatDeps,
  personId: number,
  id: number,
): Promise<Conversation> {
  const [conversation] = await conversations(handle, avatarUrl, personId, id)
  if (!conversation) throw noSuchConversation()
  return conversation
}

async function lockOwn(db: Database, tx: Tx, id: number, personId: number) {
  const conversation = await lockConversation(db, tx, id)
  if (!conversation || !(await isParticipant(tx, id, personId))) throw noSuchConversation()
  return conversation
}

async function lockGroup(db: Database, tx: Tx, id: number, personId: number) {
  const conversation = await lockOwn(db, tx, id, personId)
  if (conversation.type !== 'group') {
    throw new AppError('conflict', 'chat.onlyTwo')
  }
  return conversation
}

async function refuseManyGroups(tx: Tx, personId: number, now: number): Promise<void> {
  const { max, within } = chat.newGroups
  const started = await groupsStartedSince(tx, personId, now - within)
  const [oldest] = started.slice(-max)
  if (oldest === undefined || started.length < max) return
  const seconds = Math.ceil((oldest + within - now) / 1000)
  throw new TooManyRequests(seconds, 'chat.manyGroups')
}

async function requireApproved(tx: Tx, ids: readonly number[]): Promise<void> {
  const wanted = new Set(ids)
  if ((await approvedAmong(tx, [...wanted])).length < wanted.size) {
    throw new AppError('not_found', 'people.missing')
  }
}

/** The same error for conversations of others and missing ones, so that nobody can find out which exist. */
export function noSuchConversation(): AppError {
  return new AppError('not_found', 'chat.missing')
}
