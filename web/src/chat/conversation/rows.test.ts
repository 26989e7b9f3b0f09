import { expect, test } from 'vitest'
import type { Conversation, Message } from '#contract/chat.ts'
import type { User } from '#contract/people.ts'
import type { PendingMessage } from '../queries.ts'
import { lastReadMessage } from './read-status.ts'
import { buildRows } from './rows.ts'

const ada: User = { id: 1, username: 'ada', name: 'Ada', avatar_url: null, role: 'admin' }
const ben: User = { id: 2, username: 'ben', name: 'Ben', avatar_url: null, role: 'member' }

function messageOf(id: number, by: User, more: Partial<Message> = {}): Message {
  return {
    id,
    content: `Message ${id}`,
    sender_id: by.id,
    sender_name: by.name,
    sender_username: by.username,
    sender_avatar_url: null,
    created_at: '2026-06-14T12:00:00.000Z',
    client_id: null,
    media_id: null,
    media: null,
    ...more,
  }
}

function waits(id: string): PendingMessage {
  const at = Date.parse('2026-06-14T12:05:00.000Z')
  const message = { kind: 'message', conversation: 7, content: `Waiting ${id}`, media: null } as const
  return { id, person: ada.id, at, state: 'sending', ...message }
}

test('pending messages come after confirmed ones, as mine', () => {
  const rows = buildRows([messageOf(1, ben)], [waits('a'), waits('b')], ada)
  expect(rows.map(({ message, mine }) => [message.content, mine])).toEqual([
    ['Message 1', false],
    ['Waiting a', true],
    ['Waiting b', true],
  ])
})

test('a message that the live stream delivers before its own answer appears once, with the same key', () => {
  const [before] = buildRows([], [waits('a')], ada)
  const after = buildRows([messageOf(1, ada, { client_id: 'a' })], [waits('a')], ada)
  expect(after).toHaveLength(1)
  expect(after[0]).toMatchObject({ key: before?.key, pending: undefined })
})

test('the sender is shown above the first of several messages, and again on another day', () => {
  const days = ['2026-06-10T12:00:00.000Z', '2026-06-12T12:00:00.000Z']
  const rows = buildRows(
    [
      messageOf(1, ben, { created_at: days[0] ?? '' }),
      messageOf(2, ben, { created_at: days[0] ?? '' }),
      messageOf(3, ada, { created_at: days[0] ?? '' }),
      messageOf(4, ada, { created_at: days[1] ?? '' }),
    ],
    [],
    ada,
  )
  expect(rows.map(({ newDay, newSender }) => [newDay, newSender])).toEqual([
    [true, true],
    [false, false],
    [false, true],
    [true, true],
  ])
})

test('in a direct conversation the last of my messages that the other person has read is found', () => {
  const messages = [messageOf(10, ada), messageOf(11, ben), messageOf(12, ada), messageOf(14, ada)]
  const at = '2026-06-14T12:30:00.000Z'
  const conversation = (last_read_id: number, type: Conversation['type'] = 'direct'): Conversation => ({
    id: 7,
    type,
    title: 'Ben',
    unread_count: 0,
    last_message: null,
    last_message_at: null,
    last_message_sender: null,
    last_message_file: null,
    participant_count: 2,
    participants: [
      { ...ada, last_read_id: 14, last_read_at: at },
      { ...ben, last_read_id, last_read_at: last_read_id === 0 ? null : at },
    ],
  })
  expect(lastReadMessage(conversation(13), messages, ada.id)).toEqual({ messageId: 12, at })
  expect(lastReadMessage(conversation(14), messages, ada.id)).toEqual({ messageId: 14, at })
  expect(lastReadMessage(conversation(0), messages, ada.id)).toBeUndefined()
  expect(lastReadMessage(conversation(14, 'group'), messages, ada.id)).toBeUndefined()
})
