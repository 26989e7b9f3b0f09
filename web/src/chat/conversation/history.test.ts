import { expect, test } from 'vitest'
import type { Message } from '#contract/chat.ts'
import { type FetchPage, fetchNewest, fetchOlder, type History, withMessage } from './history.ts'

/** A conversation on a server. Its ids have gaps, because other conversations use them too. */
class Conversation {
  readonly messages: Message[] = []
  pagesRead = 0

  say(count: number): void {
    for (let i = 0; i < count; i++) this.messages.push(messageOf((this.messages.at(-1)?.id ?? 0) + 3))
  }

  readonly readPage: FetchPage = async (limit, before = Number.POSITIVE_INFINITY) => {
    this.pagesRead += 1
    return structuredClone(this.messages.filter(({ id }) => id < before).slice(-limit))
  }
}

function messageOf(id: number): Message {
  const sender = { sender_id: 1, sender_name: 'Ada', sender_username: 'ada', sender_avatar_url: null }
  const created_at = '2026-06-14T12:00:00.000Z'
  return { id, content: `Message ${id}`, ...sender, created_at, client_id: null, media_id: null, media: null }
}

const nothing = () => undefined
const ids = ({ messages }: { messages: readonly Message[] }) => messages.map(({ id }) => id)

async function opened(conversation: Conversation): Promise<History> {
  return fetchNewest(conversation.readPage, nothing)
}

test('an empty conversation is complete', async () => {
  expect(await opened(new Conversation())).toMatchObject({ messages: [], complete: true })
})

test('a long conversation opens with one page, whatever its length', async () => {
  const conversation = new Conversation()
  conversation.say(50_000)
  const history = await opened(conversation)
  expect(conversation.pagesRead).toBe(1)
  expect(ids(history)).toEqual(ids(conversation).slice(-50))
  expect(history.complete).toBe(false)
})

test('older pages join without a gap, down to the first message', async () => {
  const conversation = new Conversation()
  conversation.say(120)
  let history = await opened(conversation)
  while (!history.complete) history = (await fetchOlder(conversation.readPage, history))(history)
  expect(ids(history)).toEqual(ids(conversation))
})

test.each([1, 49, 50, 51, 260, 1_500])('%i missed messages are all fetched', async missed => {
  const conversation = new Conversation()
  conversation.say(80)
  const before = await opened(conversation)
  conversation.say(missed)
  const after = await fetchNewest(conversation.readPage, () => before)
  expect(after.messages.length).toBeGreaterThanOrEqual(missed + 50)
  expect(ids(after)).toEqual(ids(conversation).slice(-after.messages.length))
  expect(after.pivot).toBe(before.pivot)
})

test('after thousands of missed messages the history starts again at the newest page', async () => {
  const conversation = new Conversation()
  conversation.say(80)
  const before = await opened(conversation)
  conversation.say(10_000)
  const after = await fetchNewest(conversation.readPage, () => before)
  expect(ids(after)).toEqual(ids(conversation).slice(-after.messages.length))
  const older = (await fetchOlder(conversation.readPage, after))(after)
  expect(ids(older)).toEqual(ids(conversation).slice(-after.messages.length - 50))
})

test('older messages and a confirmed one that arrive during a fetch are kept', async () => {
  const conversation = new Conversation()
  conversation.say(200)
  let history = await opened(conversation)
  const { promise: untilThen, resolve: goOn } = Promise.withResolvers<void>()
  const slowly: FetchPage = async limit => {
    const page = await conversation.readPage(limit)
    await untilThen
    return page
  }
  const reading = fetchNewest(slowly, () => history)
  history = (await fetchOlder(conversation.readPage, history))(history)
  conversation.say(1)
  history = withMessage(history, structuredClone(conversation.messages.at(-1) as Message))
  goOn()
  expect(ids(await reading)).toEqual(ids(conversation).slice(-101))
})

test('an own message that is confirmed early does not hide missed messages before it', async () => {
  const conversation = new Conversation()
  conversation.say(14)
  const before = await opened(conversation)
  conversation.say(80)
  const sent = withMessage(before, structuredClone(conversation.messages.at(-1) as Message))
  const after = await fetchNewest(conversation.readPage, () => sent)
  expect(ids(after)).toEqual(ids(conversation))
})

test('a message that is committed late is sorted in', async () => {
  const conversation = new Conversation()
  conversation.say(10)
  const late = conversation.messages.splice(7, 1)
  const before = await opened(conversation)
  conversation.messages.splice(7, 0, ...late)
  const after = await fetchNewest(conversation.readPage, () => before)
  expect(ids(after)).toEqual(ids(conversation))
})

test('unchanged messages keep their identity, changed ones do not', async () => {
  const conversation = new Conversation()
  conversation.say(3)
  const before = await opened(conversation)
  Object.assign(conversation.messages[1] as Message, { sender_name: 'Ada Okafor' })
  const after = await fetchNewest(conversation.readPage, () => before)
  expect(after.messages.map((message, i) => message === before.messages[i])).toEqual([true, false, true])
})
