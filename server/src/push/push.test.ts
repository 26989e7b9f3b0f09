import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { heartFile } from '#contract/hearts.ts'
import { HOUR, push as limits, MINUTE } from '#contract/limits.ts'
import { readAllNotifications } from '#contract/notifications.ts'
import { giveRole } from '#contract/people.ts'
import { changeMyPush, myPush, subscribeToPush } from '#contract/push.ts'
import { changeMySettings } from '#contract/settings.ts'
import { directBetween, groupOf, say } from '../../test/fixtures/conversations.ts'
import { insertMedia } from '../../test/fixtures/insert-media.ts'
import { write } from '../../test/fixtures/notifications.ts'
import { devicesIn, monday, subscribed } from '../../test/fixtures/push-devices.ts'
import { startPushService } from '../../test/fixtures/push-service.ts'
import { onBothEngines } from '../../test/library.ts'

const service = await startPushService()
afterAll(async () => {
  await service.close()
  expect(service.problems).toEqual([])
})
beforeEach(() => {
  service.answer = () => ({ status: 201 })
})

/** Longer than the first retry waits. */
const RETRY = 10_000

onBothEngines(
  'notifications on devices',
  library => {
    const devices = devicesIn(library, service)
    const { deviceOf, subscriptionsOf, fileOf, soon, nightBegins, beforeNight, untilNight, untilWaiting } = devices
    const retries = async () =>
      Number((await library().rows(`select count(*) as count from jobs where last_error like '%503%'`))[0]?.count)

    test('say what kind of news there is, encrypted and signed, and neither names nor words', async () => {
      const reader = await library().newMember({ name: 'Kofi' })
      const writer = await library().newMember({ name: 'Rose' })
      const device = await deviceOf(reader)
      await reader.call(changeMySettings, { body: { language: 'de' } })
      const chat = await directBetween(library(), reader, writer)
      await say(writer, chat, 'The secret is blue')
      soon()
      const [push] = await service.pushesTo(device)
      expect(push?.signedBy).toBe((await reader.call(myPush)).public_key)
      expect(push?.headers).toMatchObject({ urgency: 'high', ttl: '86400', 'content-encoding': 'aes128gcm' })
      expect(push?.headers.topic).toMatch(/^[\w-]{32}$/)
      expect(push?.payload).toEqual({
        person: await library().idOf(reader.person),
        kind: 'messages',
        notification: expect.any(Number),
        title: 'Du hast eine neue Nachricht',
        body: '',
        general: 'Du hast eine neue Nachricht',
        language: 'de',
        tag: `conversation-${chat.id}`,
        target: { kind: 'conversation', conversation_id: chat.id },
        // The welcome is the other one.
        unread: 2,
        at: expect.any(Number),
      })
    })

    test('have names and words for people who want previews, on that device alone', async () => {
      const reader = await library().newMember()
      const writer = await library().newMember({ name: 'Rose' })
      const again = await library().signInAs(reader.person)
      const [open, discreet] = [await deviceOf(reader, { previews: true }), await deviceOf(again)]
      const file = await fileOf(reader)
      await write(writer, file, 'How blue')
      soon()
      const [[shown], [general]] = [await service.pushesTo(open), await service.pushesTo(discreet)]
      expect(shown?.payload).toMatchObject({ kind: 'notes', title: 'Rose commented on your photo', body: '“How blue”' })
      expect(shown?.payload.target).toMatchObject({ kind: 'media', media_id: file })
      expect(general?.payload).toMatchObject({ title: 'There is a new note for you', body: '' })
      expect(JSON.stringify(general?.payload)).not.toMatch(/Rose|blue|lake/)
    })

    test('are not sent of what was read at once, is not wanted, or was switched off', async () => {
      const reader = await library().newMember()
      const writer = await library().newMember()
      const device = await deviceOf(reader, { kinds: ['messages', 'notes'] })
      const chat = await directBetween(library(), reader, writer)
      const file = await fileOf(reader)
      await say(writer, chat, 'Read at once')
      await reader.call(readAllNotifications)
      await writer.call(heartFile, { params: { id: file } })
      await reader.call(changeMySettings, { body: { muted: ['comment'] } })
      await write(writer, file, 'Not wanted')
      library().pass(limits.heartsDelay + 1_000)
      await untilWaiting(0)
      await say(writer, chat, 'Wanted')
      soon()
      expect((await service.pushesTo(device)).map(({ payload }) => payload.kind)).toEqual(['messages'])
    })

    test('of several messages and hearts in a moment are one', async () => {
      const reader = await library().newMember()
      const [one, other] = [await library().newMember(), await library().newMember()]
      const device = await deviceOf(reader)
      const chat = await directBetween(library(), reader, one)
      const file = await fileOf(reader)
      for (const text of ['1', '2', '3']) await say(one, chat, text)
      await one.call(heartFile, { params: { id: file } })
      await other.call(heartFile, { params: { id: file } })
      library().pass(limits.heartsDelay + 1_000)
      await untilWaiting(0)
      const kinds = service.received(device).map(({ payload }) => payload.kind)
      expect(kinds.toSorted()).toEqual(['hearts', 'messages'])
    })

    test('of quiet hours come at their end as one, by the clock of the device', async () => {
      const reader = await library().newMember()
      const [one, other] = [await library().newMember(), await library().newMember({ name: 'Rose' })]
      const device = await deviceOf(reader, { previews: true })
      const [chat, group] = [
        await directBetween(library(), reader, one),
        await groupOf(library(), 'All', other, one, reader),
      ]
      let before = 0
      const passNight = async () => {
        soon()
        // The jobs of both became one that waits for the morning.
        await untilWaiting(1)
        expect(service.received(device)).toHaveLength(before)
        library().pass(8 * HOUR)
      }
      nightBegins()
      await say(one, chat, 'Late')
      await say(other, group, 'Later')
      await passNight()
      const [gathered] = await service.pushesTo(device)
      expect(gathered?.payload).toMatchObject({
        kind: 'gathered',
        title: '2 notifications arrived during your quiet hours',
      })
      await reader.call(readAllNotifications)
      before = 1
      nightBegins()
      await say(other, group, 'Alone')
      await passNight()
      const [, single] = await service.pushesTo(device, 2)
      expect(single?.payload).toMatchObject({ kind: 'messages', title: 'Rose wrote to you in All', body: 'Alone' })
      await untilWaiting(0)
    })

    test('of a moment before quiet hours wait until they end, beside what falls into them', async () => {
      const reader = await library().newMember()
      const [one, other] = [await library().newMember(), await library().newMember()]
      const device = await deviceOf(reader, { previews: true })
      const chat = await directBetween(library(), reader, one)
      const group = await groupOf(library(), 'All', one, other, reader)
      const second = await directBetween(library(), reader, other)
      beforeNight(3_000)
      await say(one, chat, 'Good night')
      soon()
      await untilNight(1)
      await say(other, second, 'Still awake?')
      await say(other, group, 'Anybody?')
      soon()
      await untilNight(2)
      expect(service.received(device)).toEqual([])
      library().pass(9 * HOUR)
      const pushes = (await service.pushesTo(device, 2)).map(({ payload }) => payload)
      expect(pushes).toContainEqual(expect.objectContaining({ kind: 'messages', body: 'Good night' }))
      expect(pushes.map(({ title }) => title)).toContain('2 notifications arrived during your quiet hours')
      await untilWaiting(0)
      expect(service.received(device)).toHaveLength(2)
    })

    test('that a push service refuses into the night wait too, and those of two nights are one', async () => {
      const reader = await library().newMember()
      const [one, other] = [await library().newMember(), await library().newMember()]
      const device = await deviceOf(reader, { previews: true })
      const chat = await directBetween(library(), reader, one)
      const second = await directBetween(library(), reader, other)
      const isBusy = () => ({ status: 503, headers: { 'retry-after': '1800' } })
      const untilRetry = () => vi.waitFor(async () => expect(await retries()).toBe(1), { timeout: 30_000 })
      service.answer = isBusy
      beforeNight(30 * MINUTE)
      await say(one, chat, 'Before')
      soon()
      await untilRetry()
      library().pass(35 * MINUTE)
      await untilNight(1)
      service.answer = () => ({ status: 201 })
      library().pass(9 * HOUR)
      expect((await service.pushesTo(device))[0]?.payload).toMatchObject({ kind: 'messages', body: 'Before' })
      await untilWaiting(0)
      await reader.call(readAllNotifications)

      nightBegins()
      await say(one, chat, 'The first night')
      soon()
      await untilNight(1)
      service.answer = isBusy
      library().pass(8 * HOUR)
      await untilRetry()
      nightBegins()
      await say(other, second, 'The second night')
      soon()
      await untilNight(1)
      service.answer = () => ({ status: 201 })
      library().pass(8 * HOUR)
      const [, gathered] = await service.pushesTo(device, 2)
      expect(gathered?.payload.title).toBe('2 notifications arrived during your quiet hours')
      await untilWaiting(0)
    })

    test('that could not be sent for a day are given up, also those that were gathered in quiet hours', async () => {
      const reader = await library().newMember()
      const writer = await library().newMember()
      const device = await deviceOf(reader)
      nightBegins()
      await say(writer, await directBetween(library(), reader, writer), 'At night')
      soon()
      await untilNight(1)
      service.answer = () => ({ status: 503, headers: { 'retry-after': '3600' } })
      library().pass(8 * HOUR)
      await vi.waitFor(async () => expect(await retries()).toBe(1), { timeout: RETRY, interval: 100 })
      nightBegins()
      await untilNight(1)
      service.answer = () => ({ status: 201 })
      library().pass(8 * HOUR + MINUTE)
      await untilWaiting(0)
      expect(service.received(device)).toEqual([])
    })

    test('of quiet hours are all said where the hours change in between', async () => {
      const reader = await library().newMember()
      const [one, other] = [await library().newMember(), await library().newMember()]
      const device = await deviceOf(reader)
      beforeNight(0)
      await say(one, await directBetween(library(), reader, one), 'At ten')
      soon()
      await untilNight(1)
      library().pass(2 * HOUR)
      await reader.call(changeMyPush, { body: { quiet: { from: 23 * 60, until: 7 * 60 } } })
      await say(other, await directBetween(library(), reader, other), 'At midnight')
      soon()
      await untilNight(1)
      library().pass(7 * HOUR)
      const [gathered] = await service.pushesTo(device)
      expect(gathered?.payload.title).toBe('2 notifications arrived during your quiet hours')
      await untilWaiting(0)
    })

    test('are tried again when the push service asks for it, and a dead device is removed', async () => {
      const reader = await library().newMember()
      const writer = await library().newMember()
      const device = await deviceOf(reader)
      const chat = await directBetween(library(), reader, writer)
      let asked = 0
      service.answer = () => ({ status: ++asked === 1 ? 503 : 429, headers: { 'retry-after': '600' } })
      await say(writer, chat, 'Hello')
      soon()
      await vi.waitFor(() => expect(asked).toBe(1), { timeout: 30_000 })
      await vi.waitFor(async () => expect(await retries()).toBe(1), { timeout: 30_000 })
      library().pass(RETRY)
      await new Promise(resolve => setTimeout(resolve, 3_000))
      expect(asked).toBe(1)
      service.answer = () => ({ status: 201 })
      library().pass(10 * MINUTE)
      await service.pushesTo(device)
      await untilWaiting(0)

      service.answer = () => ({ status: 410 })
      await say(writer, chat, 'Nobody is there')
      soon()
      await vi.waitFor(async () => expect(await subscriptionsOf(reader)).toEqual([]), { timeout: 30_000 })
      await untilWaiting(0)
    })

    test('of new photos are one, once nobody adds any more, and of those of others', async () => {
      const reader = await library().newMember()
      const rose = await library().newMember({ name: 'Rose' })
      const device = await deviceOf(reader, { kinds: ['photos'], previews: true })
      const by = await library().idOf(rose.person)
      const added = (name: string, id: number) => insertMedia(library(), [{ name, by: id, date: library().now() }])
      library().pass(MINUTE)
      await added('mine.jpg', await library().idOf(reader.person))
      await added('1.jpg', by)
      library().pass(5 * MINUTE + 1_000)
      await added('2.jpg', by)
      library().pass(5 * MINUTE + 1_000)
      await new Promise(resolve => setTimeout(resolve, 3_000))
      expect(service.received(device)).toEqual([])
      library().pass(limits.photosPause)
      const [push] = await service.pushesTo(device)
      expect(push?.payload).toMatchObject({
        kind: 'photos',
        title: 'There are 2 new photos and videos',
        body: 'Added by Rose',
        target: { kind: 'library' },
      })
      library().pass(limits.photosLatest)
      await new Promise(resolve => setTimeout(resolve, 3_000))
      expect(service.received(device)).toHaveLength(1)
      await reader.call(changeMyPush, { body: { kinds: [] } })
    })

    test('of new photos leave out those from before they were chosen', async () => {
      const reader = await library().newMember()
      const by = await library().idOf((await library().newMember()).person)
      const device = await deviceOf(reader, { kinds: [], quiet: null })
      const added = async (name: string) => {
        library().pass(MINUTE)
        await insertMedia(library(), [{ name, by, date: library().now() }])
      }
      const choose = [
        () => reader.call(changeMyPush, { body: { kinds: ['photos'] } }),
        () => reader.call(subscribeToPush, subscribed(device, { kinds: ['photos'], quiet: null })),
      ]
      for (const [index, chosen] of choose.entries()) {
        await added('before.jpg')
        library().pass(limits.photosLatest)
        await chosen()
        await added('after.jpg')
        library().pass(limits.photosPause + 5 * MINUTE)
        const push = (await service.pushesTo(device, index + 1))[index]
        expect(push?.payload.title).toBe('There is a new photo or video')
        await reader.call(changeMyPush, { body: { kinds: [] } })
      }
    })

    test('of new photos count those of one that could not be sent', async () => {
      const reader = await library().newMember()
      const by = await library().idOf((await library().newMember()).person)
      const device = await deviceOf(reader, { kinds: ['photos'], quiet: null })
      const added = async (name: string) => {
        library().pass(MINUTE)
        await insertMedia(library(), [{ name, by, date: library().now() }])
        library().pass(limits.photosPause + 5 * MINUTE)
      }
      service.answer = () => ({ status: 503, headers: { 'retry-after': '3600' } })
      await added('1.jpg')
      await vi.waitFor(async () => expect(await retries()).toBe(1), { timeout: 30_000 })
      service.answer = () => ({ status: 201 })
      await added('2.jpg')
      const [push] = await service.pushesTo(device)
      expect(push?.payload.title).toBe('There are 2 new photos and videos')
      await untilWaiting(0)
      await reader.call(changeMyPush, { body: { kinds: [] } })
    })

    test('of requests for access come to people who are admins when they are sent', async () => {
      const admin = await library().admin()
      const [second, former] = [await library().newMember(), await library().newMember()]
      for (const { person } of [second, former]) {
        await admin.call(giveRole, { params: { id: await library().idOf(person) }, body: { role: 'admin' } })
      }
      const [device, none] = [await deviceOf(second), await deviceOf(former)]
      await library().signIn(library().newPerson({ name: 'A stranger' }))
      await admin.call(giveRole, { params: { id: await library().idOf(former.person) }, body: { role: 'member' } })
      soon()
      const [push] = await service.pushesTo(device)
      expect(push?.payload).toMatchObject({
        kind: 'requests',
        title: 'Somebody asks for access',
        target: { kind: 'admin' },
      })
      await untilWaiting(0)
      expect(service.received(none)).toEqual([])
    })
  },
  { at: monday, trustedPushOrigin: service.origin },
)
