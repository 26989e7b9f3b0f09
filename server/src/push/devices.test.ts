import { afterAll, expect, test, vi } from 'vitest'
import { logOut } from '#contract/auth.ts'
import { HOUR, push as limits, session } from '#contract/limits.ts'
import { revokePerson } from '#contract/people.ts'
import { changeMyPush, endPush, myPush, renewPush, subscribeToPush } from '#contract/push.ts'
import { endAllSessions, endOwnSession, listSessions } from '#contract/sessions.ts'
import { directBetween, say } from '../../test/fixtures/conversations.ts'
import { devicesIn, monday, subscribed } from '../../test/fixtures/push-devices.ts'
import { type PushDevice, startPushService } from '../../test/fixtures/push-service.ts'
import { onBothEngines, type SignedIn } from '../../test/library.ts'

const service = await startPushService()
afterAll(async () => {
  await service.close()
  expect(service.problems).toEqual([])
})

onBothEngines(
  'devices that get notifications',
  library => {
    const { deviceOf, subscriptionsOf, soon, untilWaiting } = devicesIn(library, service)

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
        expect(await subscriptionsOf(reader)).toEqual([])
        soon()
        await untilWaiting(0)
        expect(service.received(device)).toEqual([])
      }
      const everywhere = await library().newMember()
      await deviceOf(everywhere)
      await everywhere.call(endAllSessions)
      expect(await subscriptionsOf(everywhere)).toEqual([])
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
      await untilWaiting(0)
      expect(service.received(device)).toEqual([])
      const { choices: _, ...refreshed } = subscribed(device).body
      const { devices } = await again.call(subscribeToPush, { body: refreshed })
      expect(devices).toMatchObject([{ current: true, kinds: ['messages'], previews: true }])
      await say(writing, chat, 'Now?')
      soon()
      await service.pushesTo(device)
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
      await vi.waitFor(() => expect(library().log.join('')).toContain('a notification was not sent'), {
        timeout: 30_000,
      })
      await untilWaiting(0)
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
      expect(
        (await other.call(endPush, { params: { id: (await other.call(myPush)).devices[0]?.id ?? 0 } })).devices,
      ).toEqual([])
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
  { at: monday, trustedPushOrigin: service.origin },
)
