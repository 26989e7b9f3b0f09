import { afterAll, beforeEach, expect, test, vi } from 'vitest'
import { logOut } from '#contract/auth.ts'
import { heartFile } from '#contract/hearts.ts'
import { DAY, HOUR, MINUTE, push as limits, session } from '#contract/limits.ts'
import { readAllNotifications } from '#contract/notifications.ts'
import { giveRole, revokePerson } from '#contract/people.ts'
import {
  changeMyPush,
  endPush,
  myPush,
  type PushChoices,
  renewPush,
  subscribeToPush,
  usualPushChoices,
} from '#contract/push.ts'
import { endAllSessions, endOwnSession, listSessions } from '#contract/sessions.ts'
import { changeMySettings } from '#contract/settings.ts'
import { directBetween, groupOf, say } from '../../test/fixtures/conversations.ts'
import { insertMedia } from '../../test/fixtures/insert-media.ts'
import { write } from '../../test/fixtures/notifications.ts'
import { type PushDevice, startPushService } from '../../test/fixtures/push-service.ts'
import { onBothEngines, type SignedIn } from '../../test/library.ts'

const service = await startPushService()
afterAll(async () => {
  await service.close()
  expect(service.problems).toEqual([])
})
beforeEach(() => {
  service.answer = () => ({ status: 201 })
})

/** A Monday at noon. */
const at = Date.UTC(2026, 4, 4, 12)
/** Other tests add files too. */
const withoutPhotos = usualPushChoices.kinds.filter(kind => kind !== 'photos')
/** Longer than the first retry waits. */
const RETRY = 10_000

onBothEngines(
  'notifications on devices',
  library => {
    const soon = () => library().pass(limits.delay + 1_000)
    const subscribed = (device: PushDevice, choices: Partial<PushChoices> = {}) => ({
      body: {
        ...device,
        language: 'en' as const,
        time_zone: 'Europe/Berlin',
        choices: { ...usualPushChoices, kinds: withoutPhotos, ...choices },
      },
    })
    async function deviceOf(person: SignedIn, choices?: Partial<PushChoices>): Promise<PushDevice> {
      const device = service.newDevice()
      await person.call(subscribeToPush, subscribed(device, choices))
      return device
    }
    const subscriptions = async (person: SignedIn) =>
      library().rows(`select id from push_subscriptions where person_id = ${await library().idOf(person.person)}`)
    const waiting = async () =>
      Number((await library().rows(`select count(*) as count from jobs where name = 'push.send'`))[0]?.count)
    /** All that is due was sent or dropped. */
    const untilNothingWaits = () => vi.waitFor(async () => expect(await waiting()).toBe(0), { timeout: 30_000 })
    const fileOf = async (person: SignedIn) =>
      (await insertMedia(library(), [{ name: 'lake.jpg', by: await library().idOf(person.person) }]))[0] ?? 0
    const nightBegins = () => {
      const now = library().now()
      // 23:00 in Berlin.
      library().pass(Math.floor(now / DAY) * DAY + DAY + 21 * HOUR - now)
    }

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
      await untilNothingWaits()
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
      await untilNothingWaits()
      const kinds = service.received(device).map(({ payload }) => payload.kind)
      expect(kinds.toSorted()).toEqual(['hearts', 'messages'])
    })

    test('of quiet hours come at their end as one, by the clock of the device', async () => {
      const reader = await library().newMember()
      const [one, other] = [await library().newMember(), await library().newMember({ name: 'Rose' })]
      const device = await deviceOf(reader, { previews: true })
      const [chat, group] = [await directBetween(library(), reader, one), await groupOf(library(), 'All', other, reader)]
      let before = 0
      const passNight = async () => {
        soon()
        // The jobs of both became one that waits for the morning.
        await vi.waitFor(async () => expect(await waiting()).toBe(1), { timeout: 30_000 })
        expect(service.received(device)).toHaveLength(before)
        library().pass(8 * HOUR)
      }
      nightBegins()
      await say(one, chat, 'Late')
      await say(other, group, 'Later')
      await passNight()
      const [gathered] = await service.pushesTo(device)
      expect(gathered?.payload).toMatchObject({ kind: 'gathered', title: '2 notifications came in your quiet hours' })
      await reader.call(readAllNotifications)
      before = 1
      nightBegins()
      await say(other, group, 'Alone')
      await passNight()
      const [, single] = await service.pushesTo(device, 2)
      expect(single?.payload).toMatchObject({ kind: 'messages', title: 'Rose wrote to you in All', body: 'Alone' })
      await untilNothingWaits()
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
      await untilNothingWaits()

      service.answer = () => ({ status: 410 })
      await say(writer, chat, 'Nobody is there')
      soon()
      await vi.waitFor(async () => expect(await subscriptions(reader)).toEqual([]), { timeout: 30_000 })
      await untilNothingWaits()
    })
    const retries = async () =>
      Number((await library().rows(`select count(*) as count from jobs where last_error like '%503%'`))[0]?.count)

    test('end with the session: signed out here, on another device, everywhere, or by an admin', async () => {
      const admin = await library().admin()
      const reader = await library().newMember()
      const writer = await library().newMember()
      const chat = await directBetween(library(), reader, writer)
      const sign = () => library().signInAs(reader.person)
      const ways: ((current: SignedIn) => Promise<unknown>)[] = [
        current => current.call(logOut),
        async current => {
          const [own] = (await current.call(listSessions)).filter(one => one.current)
          await reader.call(endOwnSession, { params: { session: own?.id ?? '' } })
        },
        async () => admin.call(revokePerson, { params: { id: await library().idOf(reader.person) } }),
      ]
      for (const end of ways) {
        const current = await sign()
        const device = await deviceOf(current)
        await say(writer, chat, 'Just before')
        await end(current)
        expect(await subscriptions(reader)).toEqual([])
        soon()
        await untilNothingWaits()
        expect(service.received(device)).toEqual([])
      }
      const everywhere = await library().newMember()
      await deviceOf(everywhere)
      await everywhere.call(endAllSessions)
      expect(await subscriptions(everywhere)).toEqual([])
    })

    test('stop when a session expires, and go on for the same person who signs in again', async () => {
      const reader = await library().newMember()
      const writer = await library().newMember()
      const device = await deviceOf(reader, { kinds: ['messages'], previews: true })
      library().pass(session.idle + HOUR)
      const writing = await library().signInAs(writer.person)
      const again = await library().signInAs(reader.person)
      const chat = await directBetween(library(), again, writing)
      await say(writing, chat, 'Is anybody there?')
      soon()
      await untilNothingWaits()
      expect(service.received(device)).toEqual([])
      const { choices: _, ...refreshed } = subscribed(device).body
      const { devices } = await again.call(subscribeToPush, { body: refreshed })
      expect(devices).toMatchObject([{ current: true, kinds: ['messages'], previews: true }])
      await say(writing, chat, 'Now?')
      soon()
      await service.pushesTo(device)
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
      expect(push?.payload).toMatchObject({ kind: 'requests', title: 'Somebody asks to be let in', target: { kind: 'admin' } })
      await untilNothingWaits()
      expect(service.received(none)).toEqual([])
    })

    test('go to no address that is not of a push service', async () => {
      const reader = await library().newMember()
      const writer = await library().newMember()
      const device = service.newDevice()
      const put = (change: Partial<PushDevice>) => reader.call(subscribeToPush, subscribed({ ...device, ...change }))
      for (const endpoint of [
        'http://push.example/device',
        'https://push.example:8443/device',
        'https://name:password@push.example/device',
        'http://127.0.0.1:1/device',
        'file:///etc/passwd',
        'nothing',
      ]) {
        await expect(put({ endpoint })).rejects.toMatchObject({ status: 422 })
      }
      await expect(put({ p256dh: `B${'A'.repeat(86)}` })).rejects.toMatchObject({ status: 422 })
      // Names can lead anywhere, so addresses are checked when something is sent.
      await put({ endpoint: 'https://127.0.0.1/device' })
      const chat = await directBetween(library(), reader, writer)
      await say(writer, chat, 'Hello')
      soon()
      await vi.waitFor(() => expect(library().log.join('')).toContain('a notification was not sent'), { timeout: 30_000 })
      await untilNothingWaits()
    })

    test('belong to one person: nobody else finds, removes or takes over a device', async () => {
      const [owner, other] = [await library().newMember(), await library().newMember()]
      const device = await deviceOf(owner)
      const [own] = (await owner.call(myPush)).devices
      const params = { id: own?.id ?? 0 }
      expect((await other.call(myPush)).devices).toEqual([])
      await expect(other.call(endPush, { params })).rejects.toMatchObject({ status: 404 })
      await expect(other.call(changeMyPush, { body: { previews: true } })).rejects.toMatchObject({ status: 404 })
      const stolen = subscribed({ ...service.newDevice(), endpoint: device.endpoint })
      await expect(other.call(subscribeToPush, stolen)).rejects.toMatchObject({ status: 409 })
      // The browser itself may: somebody else signs in on it.
      await other.call(subscribeToPush, subscribed(device))
      expect((await owner.call(myPush)).devices).toEqual([])
      expect((await other.call(endPush, { params: { id: (await other.call(myPush)).devices[0]?.id ?? 0 } })).devices).toEqual([])
      const { choices: _, ...refreshed } = subscribed(device).body
      await expect(other.call(subscribeToPush, { body: refreshed })).rejects.toMatchObject({ status: 404 })
    })

    test('follow a device to a new address, which its service worker names without a session', async () => {
      const reader = await library().newMember()
      const writer = await library().newMember()
      await deviceOf(reader)
      const { renewal } = await reader.call(myPush)
      const moved = service.newDevice()
      const body = { ...moved, renewal: renewal ?? '' }
      await expect(
        library().anyone.call(renewPush, { body: { ...body, renewal: `${renewal?.slice(0, -1)}!` } }),
      ).rejects.toMatchObject({ status: 404 })
      await library().anyone.call(renewPush, { body })
      await say(writer, await directBetween(library(), reader, writer), 'Hello')
      soon()
      await service.pushesTo(moved)
      await reader.call(logOut)
      await expect(library().anyone.call(renewPush, { body })).rejects.toMatchObject({ status: 404 })
    })

    test('have a limit for each person: a further device replaces the oldest', async () => {
      const { person } = await library().newMember()
      for (let count = 0; count <= limits.devicesPerPerson; count++) {
        await deviceOf(await library().signInAs(person))
      }
      const { devices } = await (await library().signInAs(person)).call(myPush)
      expect(devices).toHaveLength(limits.devicesPerPerson)
    })
  },
  { at, trustedPushOrigin: service.origin },
)
