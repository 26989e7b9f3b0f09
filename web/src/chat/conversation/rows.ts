import type { Message } from '#contract/chat.ts'
import type { User } from '#contract/people.ts'
import type { PendingMessage } from '../queries.ts'
import { dayOf } from '../times.ts'

/** A message in the list, confirmed or pending. */
export interface Row {
  /** The same before and after it is confirmed. */
  key: string
  mine: boolean
  message: Message
  /** Undefined once it is confirmed. */
  pending: PendingMessage | undefined
  /** The first of its day, with the date above it. */
  newDay: boolean
  /** Another sender than the row above; a group shows the name. */
  newSender: boolean
}

/** Optimistic update: pending messages follow the confirmed ones at once, deduplicated by client id. */
export function buildRows(messages: readonly Message[], pending: readonly PendingMessage[], me: User): Row[] {
  const confirmed = new Set(messages.slice(-pending.length * 2 - 100).map(({ client_id }) => client_id))
  const unconfirmed = pending.filter(({ id }) => !confirmed.has(id))
  const all = [
    ...messages.map(message => ({ message, pending: undefined })),
    ...unconfirmed.map((pending, i) => ({ message: asMessage(pending, -1 - i, me), pending })),
  ]
  return all.map(({ message, pending }, i) => {
    const before = all[i - 1]?.message
    const newDay = before === undefined || dayOfMessage(before) !== dayOfMessage(message)
    return {
      key: message.client_id ?? String(message.id),
      mine: message.sender_id === me.id,
      message,
      pending,
      newDay,
      newSender: newDay || before?.sender_id !== message.sender_id,
    }
  })
}

/** Cached per message, because the rows of a long conversation are rebuilt with every new message. */
const days = new WeakMap<Message, string>()

function dayOfMessage(message: Message): string {
  const known = days.get(message) ?? dayOf(message.created_at)
  days.set(message, known)
  return known
}

function asMessage({ content, id: client_id, at, media }: PendingMessage, id: number, me: User): Message {
  return {
    id,
    content,
    sender_id: me.id,
    sender_name: me.name,
    sender_username: me.username,
    sender_avatar_url: me.avatar_url,
    created_at: new Date(at).toISOString(),
    client_id,
    media_id: media?.id ?? null,
    media,
  }
}
