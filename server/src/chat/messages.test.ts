import { beforeAll, describe, expect, test } from 'vitest'
import { type Conversation, listConversations, listMessages, sendMessage } from '#contract/chat.ts'
import { lengths } from '#contract/limits.ts'
import { deleteMedia } from '#contract/media.ts'
import { directBetween, groupOf, say } from '../../test/fixtures/conversations.ts'
import { untilPrepared, uploadFile } from '../../test/fixtures/uploads.ts'
import { onBothEngines, type SignedIn } from '../../test/library.ts'
import { listen } from '../../test/listener.ts'

onBothEngines('messages', library => {
  let ben: SignedIn
  let rose: SignedIn
  let direct: Conversation
  beforeAll(async () => {
    ben = await library().newMember({ name: 'Ben' })
    rose = await library().newMember({ name: 'Rose' })
    direct = await directBetween(library(), ben, rose)
  })
  const send = (sender: SignedIn, body: Parameters<typeof ben.call<typeof sendMessage>>[1]['body'], to = direct) =>
    sender.call(sendMessage, { params: { id: to.id }, body })
  const texts = async (query: { limit?: number; before?: number } = {}, of = direct) =>
    (await ben.call(listMessages, { params: { id: of.id }, query })).map(({ content }) => content)

  test('say who wrote what and when', async () => {
    const sent = await send(ben, { content: '  Hello *Rose*, <b>look</b> 🌻\nand answer ' })
    expect(sent).toEqual({
      id: expect.any(Number),
      content: 'Hello *Rose*, <b>look</b> 🌻\nand answer',
      sender_id: await library().idOf(ben.person),
      sender_name: 'Ben',
      sender_username: expect.stringMatching(/^person\d+$/),
      sender_avatar_url: null,
      created_at: expect.any(String),
      client_id: null,
      media_id: null,
      media: null,
    })
    expect((await rose.call(listMessages, { params: { id: direct.id }, query: {} })).at(-1)).toEqual(sent)
  })

  test('are neither empty nor endless', async () => {
    const invalid = { status: 422 }
    await expect(send(ben, { content: ' \n ' })).rejects.toMatchObject(invalid)
    await expect(send(ben, {})).rejects.toMatchObject(invalid)
    await expect(send(ben, { content: 'x'.repeat(lengths.message + 1) })).rejects.toMatchObject(invalid)
    const longest = 'ü'.repeat(lengths.message)
    expect(await send(ben, { content: longest })).toMatchObject({ content: longest })
    await expect(send(ben, { content: 'Hi', client_id: 'short' })).rejects.toMatchObject(invalid)
  })

  test('come oldest first, all of them or a page at a time upwards', async () => {
    const group = await groupOf(library(), 'Pages', ben, rose, await library().newMember())
    for (const text of ['1', '2', '3', '4', '5']) await say(text === '3' ? rose : ben, group, text)
    expect(await texts({}, group)).toEqual(['1', '2', '3', '4', '5'])
    const newest = await ben.call(listMessages, { params: { id: group.id }, query: { limit: 2 } })
    expect(newest.map(({ content }) => content)).toEqual(['4', '5'])
    expect(await texts({ limit: 2, before: newest[0]?.id ?? 0 }, group)).toEqual(['2', '3'])
    expect(await texts({ limit: 2, before: 1 }, group)).toEqual([])
    expect(await texts({ before: newest[0]?.id ?? 0 }, group)).toEqual(['1', '2', '3'])
  })

  describe('with an id of the sender', () => {
    test('are sent once, however often and however fast they are sent', async () => {
      const group = await groupOf(library(), 'Once', ben, rose, await library().newMember())
      const stream = await listen(rose)
      const client_id = crypto.randomUUID()
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, i) => send(ben, { content: `Try ${i}`, client_id }, group)),
      )
      expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
      expect(await texts({}, group)).toEqual([answers[0]?.content])
      const roses = await rose.call(listConversations)
      expect(roses.find(({ id }) => id === group.id)).toMatchObject({ unread_count: 1 })
      await say(rose, group, 'Heard you')
      await expect
        .poll(() => stream.received.filter(event => event.kind === 'messages' && event.conversation_id === group.id))
        .toHaveLength(2)
    })

    test('may bear the same as those of somebody else, but not another in another conversation', async () => {
      const client_id = crypto.randomUUID()
      const [bens, roses] = [
        await send(ben, { content: 'Mine', client_id }),
        await send(rose, { content: 'Mine too', client_id }),
      ]
      expect(bens.id).not.toBe(roses.id)
      const elsewhere = await directBetween(library(), ben, await library().newMember())
      await expect(send(ben, { content: 'Mine', client_id }, elsewhere)).rejects.toMatchObject({ status: 409 })
      expect(await texts({}, elsewhere)).toEqual([])
    })
  })

  describe('with a photo', () => {
    test('show it until it is deleted, and need no words', async () => {
      const { id } = await uploadFile(ben, { name: 'Beach.jpg' })
      const file = await untilPrepared(ben, id)
      const sent = await send(ben, { media_id: id })
      expect(sent).toMatchObject({
        content: '',
        media_id: id,
        media: { id, original_name: 'Beach.jpg', file_type: 'image', width: file.width, thumbhash: file.thumbhash },
      })
      const opened = await rose.fetch(sent.media?.thumbnail_url ?? '')
      expect([opened.status, opened.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
      const [listed] = await rose.call(listConversations)
      expect(listed).toMatchObject({ last_message: '', last_message_file: 'image' })

      await ben.call(deleteMedia, { params: { id } })
      const [after] = (await rose.call(listMessages, { params: { id: direct.id }, query: { limit: 1 } })).slice(-1)
      expect(after).toMatchObject({ id: sent.id, media_id: id, media: null })
      expect((await rose.call(listConversations))[0]).toMatchObject({ last_message: '', last_message_file: null })
      await expect(send(ben, { media_id: id })).rejects.toMatchObject({ status: 404 })
    })

    test('are refused when there is no such file', async () => {
      const before = await texts()
      await expect(send(ben, { content: 'Look', media_id: 999_999_999 })).rejects.toMatchObject({ status: 404 })
      expect(await texts()).toEqual(before)
    })
  })

  test('of many people at once are all there, in one order for everyone, each counted once', async () => {
    const others = [await library().newMember(), await library().newMember()]
    const group = await groupOf(library(), 'Everybody', ben, rose, ...others)
    const everyone = [ben, rose, ...others]
    await Promise.all(
      everyone.flatMap((person, who) => Array.from({ length: 10 }, (_, i) => say(person, group, `${who}/${i}`))),
    )
    const params = { id: group.id }
    const seen = await Promise.all(everyone.map(person => person.call(listMessages, { params, query: {} })))
    expect(seen[0]).toHaveLength(40)
    for (const list of seen) expect(list).toEqual(seen[0])
    for (const person of everyone) {
      const listed = (await person.call(listConversations)).find(({ id }) => id === group.id)
      expect(listed).toMatchObject({ unread_count: 30, last_message: seen[0]?.at(-1)?.content })
    }
  })

  test('in a burst reach a page whose line is cut and restored in the middle: none lost, none twice', async () => {
    const group = await groupOf(library(), 'Burst', ben, rose, await library().newMember())
    const params = { id: group.id }
    let shown: string[] = []
    let fetching = Promise.resolve()
    // Like a page: it fetches only when it receives an event.
    const fetchAnew = () => {
      fetching = fetching.then(async () => {
        shown = (await rose.call(listMessages, { params, query: {} })).map(({ content }) => content)
      })
    }
    let isCut = false
    const line = await listen(rose, { onEvent: () => isCut || fetchAnew() })
    const sent: Promise<unknown>[] = []
    const sayMore = (count: number) => {
      for (let i = 0; i < count; i++) sent.push(say(ben, group, `Message ${sent.length}`))
    }
    sayMore(20)
    await line.receives({ kind: 'messages', conversation_id: group.id })
    line.cut()
    isCut = true
    // Requests from before the disconnect must complete before more messages are sent.
    await fetching
    sayMore(20)
    await Promise.all(sent.slice(0, 40))
    await fetching
    expect(shown.length).toBeLessThan(40)
    sayMore(10)
    const restored = await listen(rose, { onEvent: fetchAnew })
    sayMore(10)
    await Promise.all(sent)
    await expect.poll(() => shown.length).toBe(60)
    restored.cut()
    await fetching
    expect(shown.toSorted()).toEqual(Array.from({ length: 60 }, (_, i) => `Message ${i}`).toSorted())
  })
})
