import type { Message } from '#contract/chat.ts'
import type { User } from '#contract/people.ts'
import type { Waiting } from '../outbox/waiting.ts'
import { dayOf } from '../times.ts'

/** A message in the log, confirmed or not. */
export interface Row {
  /** The same before and after it is confirmed. */
  key: string
  mine: boolean
  message: Message
  /** Undefined once it is confirmed. */
  waiting: Waiting | undefined
  /** The first of its day: the date stands above it. */
  newDay: boolean
  /** Another sender than above: in a group their name stands above it. */
  newSender: boolean
}

/** What is known and what waits, in one order. One that was confirmed a moment ago stands there once. */
export function rowsOf(messages: readonly Message[], waiting: readonly Waiting[], me: User): Row[] {
  const confirmed = new Set(messages.slice(-waiting.length * 2 - 100).map(({ client_id }) => client_id))
  const unconfirmed = waiting.filter(({ client_id }) => !confirmed.has(client_id))
  const all = [
    ...messages.map(message => ({ message, waiting: undefined })),
    ...unconfirmed.map((waiting, i) => ({ message: asMessage(waiting, -1 - i, me), waiting })),
  ]
  return all.map(({ message, waiting }, i) => {
    const before = all[i - 1]?.message
    const newDay = before === undefined || dayOfMessage(before) !== dayOfMessage(message)
    return {
      key: message.client_id ?? String(message.id),
      mine: message.sender_id === me.id,
      message,
      waiting,
      newDay,
      newSender: newDay || before?.sender_id !== message.sender_id,
    }
  })
}

/** Known once per message: a conversation may be long, and is laid out again with every new one. */
const days = new WeakMap<Message, string>()

function dayOfMessage(message: Message): string {
  const known = days.get(message) ?? dayOf(message.created_at)
  days.set(message, known)
  return known
}

function asMessage({ content, client_id, written_at, media }: Waiting, id: number, me: User): Message {
  return {
    id,
    content,
    sender_id: me.id,
    sender_name: me.name,
    sender_username: me.username,
    sender_avatar_url: me.avatar_url,
    created_at: written_at,
    client_id,
    media_id: media?.id ?? null,
    media,
  }
}
