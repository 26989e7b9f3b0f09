import { expect, test, vi } from 'vitest'
import type { Message } from '#contract/chat.ts'
import { ApiError } from '../../kit/api.ts'
import { type MessageStorage, Outbox, type PendingMessage } from './outbox.ts'

/** An in-memory Storage. */
function emptyShelf(): MessageStorage {
  const kept = new Map<string, string>()
  return {
    getItem: key => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: key => void kept.delete(key),
    key: index => [...kept.keys()][index] ?? null,
    get length() {
      return kept.size
    },
  }
}

/** A server that deduplicates by client id, with a connection that can fail before or after it received a message. */
class Line {
  readonly arrived: Message[] = []
  cut: 'no' | 'on the way there' | 'on the way back' = 'no'
  refuses: string | undefined

  readonly send = async ({ client_id, content }: PendingMessage): Promise<Message> => {
    await new Promise(resolve => setTimeout(resolve, 1))
    if (this.cut === 'on the way there') throw new ApiError(0, 'unreachable', 'No line')
    if (content === this.refuses) throw new ApiError(422, 'invalid', 'No')
    const known = this.arrived.find(message => message.client_id === client_id)
    const message = known ?? messageOf(this.arrived.length + 1, client_id, content)
    if (known === undefined) this.arrived.push(message)
    if (this.cut === 'on the way back') throw new ApiError(0, 'unreachable', 'No line')
    return message
  }
}

function messageOf(id: number, client_id: string, content: string): Message {
  const sender = { sender_id: 1, sender_name: 'Ada', sender_username: 'ada', sender_avatar_url: null }
  return { id, content, client_id, ...sender, created_at: new Date().toISOString(), media_id: null, media: null }
}

function open(line: Line, storage = emptyShelf(), personId = 1) {
  const sent: Message[] = []
  const outbox = new Outbox({
    storage,
    personId,
    send: line.send,
    onSent: message => sent.push(message),
    onFailure() {},
  })
  const write = (content: string) => outbox.add({ conversation_id: 7, content, media: null })
  return { outbox, sent, write, storage, states: () => outbox.all().map(({ content, state }) => [content, state]) }
}

const written = (messages: readonly Message[]) => messages.map(({ content }) => content)

test('a message is pending until it is confirmed', async () => {
  const line = new Line()
  const { write, states, sent, storage } = open(line)
  const sending = write('Hello')
  expect(states()).toEqual([['Hello', 'sending']])
  expect(storage.length).toBe(1)
  expect(await sending).toBe(true)
  expect(states()).toEqual([])
  expect(storage.length).toBe(0)
  expect(written(sent)).toEqual(['Hello'])
})

test('messages are sent in order', async () => {
  const line = new Line()
  const { write } = open(line)
  await Promise.all(['one', 'two', 'three', 'four'].map(write))
  expect(written(line.arrived)).toEqual(['one', 'two', 'three', 'four'])
})

test.each(['on the way there', 'on the way back'] as const)(
  'a connection lost %s neither loses nor duplicates a message',
  async cut => {
    const line = new Line()
    const { write, outbox, states } = open(line)
    line.cut = cut
    expect(await Promise.all([write('one'), write('two')])).toEqual([false, false])
    expect(states().map(([, state]) => state)).toEqual(['notSent', 'notSent'])
    line.cut = 'no'
    outbox.retryAll()
    await vi.waitFor(() => expect(states()).toEqual([]))
    expect(written(line.arrived)).toEqual(['one', 'two'])
  },
)

test('a retry also sends the other pending messages of the conversation, in order', async () => {
  const line = new Line()
  const { write, outbox } = open(line)
  line.cut = 'on the way there'
  await Promise.all([write('one'), write('two')])
  line.cut = 'no'
  outbox.retry(outbox.all()[1]?.client_id ?? '')
  await vi.waitFor(() => expect(outbox.all()).toEqual([]))
  expect(written(line.arrived)).toEqual(['one', 'two'])
})

test('a refused message does not block later ones, and stays until it is discarded', async () => {
  const line = new Line()
  line.refuses = 'spam'
  const { write, outbox, states } = open(line)
  expect(await Promise.all([write('spam'), write('ham')])).toEqual([false, true])
  expect(written(line.arrived)).toEqual(['ham'])
  expect(states()).toEqual([['spam', 'refused']])
  outbox.retryAll()
  expect(states()).toEqual([['spam', 'refused']])
  outbox.discard(outbox.all()[0]?.client_id ?? '')
  expect(states()).toEqual([])
})

test('a reload in the middle of sending keeps the message, under the same id', async () => {
  const line = new Line()
  line.cut = 'on the way back'
  const before = open(line)
  await before.write('Hello')
  line.cut = 'no'
  const after = open(line, before.storage)
  expect(after.states()).toEqual([['Hello', 'notSent']])
  after.outbox.retryAll()
  await vi.waitFor(() => expect(after.states()).toEqual([]))
  expect(written(line.arrived)).toEqual(['Hello'])
})

test('two tabs that send the same message make one', async () => {
  const line = new Line()
  line.cut = 'on the way there'
  const first = open(line)
  await first.write('Hello')
  line.cut = 'no'
  const second = open(line, first.storage)
  first.outbox.retryAll()
  second.outbox.retryAll()
  await vi.waitFor(() => expect([first.states(), second.states()]).toEqual([[], []]))
  expect(written(line.arrived)).toEqual(['Hello'])
})

test('a tab follows the pending messages of another tab', async () => {
  const line = new Line()
  line.cut = 'on the way there'
  const first = open(line)
  const second = open(line, first.storage)
  await first.write('Hello')
  const key = first.storage.key(0)
  second.outbox.onStorageChange(key)
  expect(second.states()).toEqual([['Hello', 'notSent']])
  line.cut = 'no'
  first.outbox.retryAll()
  await vi.waitFor(() => expect(first.states()).toEqual([]))
  second.outbox.onStorageChange(key)
  expect(second.states()).toEqual([])
})

test('pending messages are separate for each person on a device', async () => {
  const line = new Line()
  line.cut = 'on the way there'
  const adas = open(line, emptyShelf(), 1)
  await adas.write('Hello')
  expect(open(line, adas.storage, 2).states()).toEqual([])
})

test('unreadable entries in the storage are ignored', () => {
  const storage = emptyShelf()
  storage.setItem('heirloom.outbox.1.broken', '{"client_id":')
  storage.setItem('heirloom.outbox.1.old', '{"client_id":"old"}')
  storage.setItem('auth_token', 'something else')
  expect(open(new Line(), storage).states()).toEqual([])
})
