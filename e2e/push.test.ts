import type { BrowserContextOptions, CDPSession, Page, Worker } from '@playwright/test'
import { sendMessage, startDirect } from '#contract/chat.ts'
import { listNotifications } from '#contract/notifications.ts'
import { listPeople } from '#contract/people.ts'
import { myPush, subscribeToPush, usualPushChoices } from '#contract/push.ts'
import { type PushDevice, type PushService, startPushService } from '../server/test/fixtures/push-service.ts'
import { type Visitor, visitor } from '../server/test/visitor.ts'
import { expect, test as family } from './support/family.ts'
import { type DemoName, signedIn, tokenOf } from './support/session.ts'

interface Person {
  page: Page
  caller: Visitor
  /** What the browser gets of the push service. */
  device: PushDevice
}

interface Fixtures {
  pushService: PushService
  /** A browser whose push service is ours: the real ones are not on this machine. */
  withPush: (name: DemoName, options?: BrowserContextOptions) => Promise<Person>
}

const test = family.extend<Fixtures>({
  pushService: async ({ playwright: _ }, use) => {
    const service = await startPushService()
    await use(service)
    await service.close()
    expect(service.problems).toEqual([])
  },
  trustedPushOrigin: async ({ pushService }, use) => use(pushService.origin),
  withPush: async ({ library, newDevice, pushService }, use) => {
    await use(async (name, options) => {
      const token = await tokenOf(library.url, name)
      const page = await newDevice({
        ...signedIn(library.url, token),
        serviceWorkers: 'allow',
        locale: 'en-GB',
        timezoneId: zoneAtNoon(),
        ...options,
      })
      const device = pushService.newDevice()
      await page.addInitScript(substitutePush, device)
      return { page, device, caller: visitor(new URL(library.url), token, 'straight') }
    })
  },
})

/** Where it is noon, because nothing is sent in the quiet hours of the night. `Etc/GMT-5` is five hours ahead. */
function zoneAtNoon(): string {
  const ahead = 12 - new Date().getUTCHours()
  return ahead === 0 ? 'UTC' : `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
}

/** Instead of `pushManager.subscribe()`, which asks a service of the browser's maker, and of a permission that headless browsers refuse. */
function substitutePush({ endpoint, p256dh, auth }: PushDevice): void {
  const KEY = 'test-push'
  const subscription = {
    endpoint,
    toJSON: () => ({ endpoint, keys: { p256dh, auth } }),
    async unsubscribe() {
      localStorage.removeItem(KEY)
      return true
    },
  }
  Object.defineProperty(Notification, 'permission', { get: () => 'granted', configurable: true })
  Notification.requestPermission = async () => 'granted'
  const found = () => (localStorage.getItem(KEY) === null ? null : subscription)
  Object.assign(PushManager.prototype, {
    getSubscription: async () => found(),
    async subscribe({ applicationServerKey, userVisibleOnly }: PushSubscriptionOptionsInit) {
      if (!userVisibleOnly || typeof applicationServerKey !== 'string') throw new Error('Browsers refuse this')
      localStorage.setItem(KEY, 'on')
      return subscription
    },
  })
}

/** The page with its service worker, which is registered at the first visit. */
async function openSettings(page: Page): Promise<void> {
  await page.goto('/settings')
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await page.reload()
}

const section = (page: Page) => page.getByRole('region', { name: 'Notifications on this device' })

async function switchOn(page: Page): Promise<void> {
  await openSettings(page)
  await section(page).getByRole('button', { name: 'Switch on for this device' }).click()
  await expect(section(page).getByRole('button', { name: 'Switch off for this device' })).toBeVisible()
}

async function say(from: Visitor, to: DemoName, content: string): Promise<number> {
  const people = await from.call(listPeople)
  const otherUserId = people.find(({ username }) => username === to)?.id ?? 0
  const { id } = await from.call(startDirect, { body: { otherUserId } })
  await from.call(sendMessage, { params: { id }, body: { content } })
  return id
}

/** As the browser gives a decrypted message to the service worker. */
async function deliver(page: Page, data: string): Promise<Worker> {
  const session: CDPSession = await page.context().newCDPSession(page)
  const registered = new Promise<string>(resolve => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const found = registrations.find(({ isDeleted }) => !isDeleted)
      if (found) resolve(found.registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  const origin = new URL(page.url()).origin
  await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId: await registered, data })
  const worker = page.context().serviceWorkers()[0]
  if (worker === undefined) throw new Error('The page has a service worker')
  return worker
}

/** Notifications that the service worker shows; the browser of the tests has no place for them. */
async function recordShown(page: Page): Promise<Worker> {
  const worker = page.context().serviceWorkers()[0] ?? (await page.context().waitForEvent('serviceworker'))
  await worker.evaluate(() => {
    const global = globalThis as unknown as {
      registration: ServiceWorkerRegistration
      shown: unknown[]
      badge?: number
    }
    global.shown = []
    global.registration.showNotification = async (title, options) => {
      global.shown.push({ title, ...options })
    }
    // A headless browser ends workers that set one.
    Object.defineProperty(navigator, 'setAppBadge', {
      value: async (count: number) => {
        global.badge = count
      },
    })
    // Nobody looks at a page while a test runs.
    const { WindowClient } = globalThis as unknown as { WindowClient: { prototype: object } }
    Object.defineProperty(WindowClient.prototype, 'focused', { get: () => false })
  })
  return worker
}

const badgeBy = (worker: Worker) => worker.evaluate(() => (globalThis as unknown as { badge?: number }).badge)

const shownBy = (worker: Worker) =>
  worker.evaluate(() => (globalThis as unknown as { shown: { title: string; body: string; data: unknown }[] }).shown)

/** As a click on a notification with this data. */
async function click(worker: Worker, data: unknown): Promise<void> {
  await worker.evaluate(opened => {
    const { ExtendableEvent } = globalThis as unknown as { ExtendableEvent: typeof Event }
    const event = Object.assign(new ExtendableEvent('notificationclick'), {
      notification: { data: opened, close: () => undefined },
    })
    globalThis.dispatchEvent(event)
  }, data)
}

/** The address of the window that a click opens if there is none. */
async function openedBy(worker: Worker, data: unknown): Promise<string> {
  const opened = worker.evaluate(
    () =>
      new Promise<string>(resolve => {
        const { clients } = globalThis as unknown as { clients: { matchAll: unknown; openWindow: unknown } }
        Object.assign(clients, {
          matchAll: async () => [],
          openWindow: async (address: string) => resolve(address),
        })
      }),
  )
  await click(worker, data)
  return opened
}

test('a device that was switched on gets what happens, and a click opens it in the open window', async ({
  withPush,
  pushService,
}) => {
  const [ben, ada] = [await withPush('ben'), await withPush('ada')]
  await switchOn(ben.page)
  const conversation = await say(ada.caller, 'ben', 'The secret is blue')
  const [push] = await pushService.pushesTo(ben.device)
  expect(push?.payload).toMatchObject({ title: 'You have a new message', body: '' })
  const worker = await recordShown(ben.page)
  await deliver(ben.page, JSON.stringify(push?.payload))
  await expect.poll(() => shownBy(worker)).toMatchObject([{ title: 'You have a new message', body: '' }])
  expect(await badgeBy(worker)).toBe(push?.payload.unread)
  const [shown] = await shownBy(worker)
  expect(shown?.data).toMatchObject({ target: { kind: 'conversation', conversation_id: conversation } })
  await click(worker, shown?.data)
  await expect(ben.page.getByText('The secret is blue')).toBeVisible()
  await expect(ben.page).toHaveURL('/settings')

  // In a new window, if none is open.
  const opened = await openedBy(worker, shown?.data)
  await ben.page.goto(opened)
  await expect(ben.page.getByText('The secret is blue')).toBeVisible()
  await expect(ben.page).toHaveURL('/')

  // Only a click opens and reads something: anybody can write an address, also with an id in it.
  await openSettings(ben.page)
  await say(ada.caller, 'ben', 'Unread')
  const [unread] = await ben.caller.call(listNotifications, { query: {} })
  expect(unread?.read).toBe(false)
  const crafted = JSON.stringify({ target: { kind: 'admin' }, notification: unread?.id })
  for (const open of [crafted, '']) {
    await ben.page.goto(`/?${new URLSearchParams({ open })}`)
    await expect(ben.page).toHaveURL('/')
    await ben.page.waitForTimeout(1_000)
  }
  const [still] = await ben.caller.call(listNotifications, { query: {} })
  expect(still).toMatchObject({ id: unread?.id, read: false })
  await pushService.pushesTo(ben.device, 2)

  // Words come only on a device whose person wants them.
  await openSettings(ben.page)
  await section(ben.page).getByRole('checkbox', { name: 'Names, and the beginning of messages and notes' }).check()
  await expect.poll(async () => (await ben.caller.call(myPush)).devices[0]?.previews).toBe(true)
  await say(ada.caller, 'ben', 'And green')
  const [, , second] = await pushService.pushesTo(ben.device, 3)
  expect(second?.payload).toMatchObject({ title: 'Ada Okafor wrote to you', body: 'And green' })

  await section(ben.page).getByRole('button', { name: 'Switch off for this device' }).click()
  await expect(section(ben.page).getByRole('button', { name: 'Switch on for this device' })).toBeVisible()
  expect((await ben.caller.call(myPush)).devices).toEqual([])
})

test('a device that somebody else uses by now shows neither names nor words', async ({ withPush }) => {
  const { page } = await withPush('ben')
  await switchOn(page)
  const worker = await recordShown(page)
  const payload = {
    ...{ person: 999_999, kind: 'messages', notification: 1, title: 'Rose wrote to you', body: 'A secret' },
    ...{ general: 'You have a new message', language: 'en', tag: 'x', unread: 1, at: Date.now() },
    target: { kind: 'conversation', conversation_id: 1 },
  }
  await deliver(page, JSON.stringify(payload))
  await expect
    .poll(() => shownBy(worker))
    .toMatchObject([{ title: 'You have a new message', body: '', data: { target: null } }])
})

test('kinds and quiet hours are chosen for each device, and other devices can be removed', async ({
  withPush,
  library,
  pushService,
}) => {
  const { page, caller } = await withPush('ben')
  const tablet = visitor(new URL(library.url), await tokenOf(library.url, 'ben'), 'straight')
  const body = { ...pushService.newDevice(), language: 'en', time_zone: 'UTC', choices: usualPushChoices } as const
  await tablet.call(subscribeToPush, { body })
  await switchOn(page)
  const current = async () => (await caller.call(myPush)).devices.find(device => device.current)
  await section(page).getByRole('checkbox', { name: 'somebody loves a photo of mine' }).uncheck()
  await expect.poll(async () => (await current())?.kinds).not.toContain('hearts')
  await section(page).getByRole('combobox', { name: 'Until' }).selectOption('08:30')
  await expect.poll(async () => (await current())?.quiet).toEqual({ from: 22 * 60, until: 8 * 60 + 30 })
  await section(page).getByRole('checkbox', { name: 'Send nothing at night' }).uncheck()
  await expect.poll(async () => (await current())?.quiet).toBeNull()
  await page.reload()
  await expect(section(page).getByRole('checkbox', { name: 'somebody loves a photo of mine' })).not.toBeChecked()
  await expect(section(page).getByRole('combobox', { name: 'Until' })).toHaveCount(0)

  await section(page).getByRole('region', { name: 'My other devices' }).getByRole('button').click()
  await expect(page.getByText('That device gets no more notifications')).toBeVisible()
  await expect(section(page).getByRole('region', { name: 'My other devices' })).toHaveCount(0)
  expect((await tablet.call(myPush)).devices).toMatchObject([{ current: false }])
})

test('notifications are offered after the first message, and never again after No', async ({ withPush }) => {
  const [ben, ada] = [await withPush('ben'), await withPush('ada')]
  // The browser has not been asked yet.
  await ben.page.addInitScript(() =>
    Object.defineProperty(Notification, 'permission', { get: () => 'default', configurable: true }),
  )
  await openSettings(ben.page)
  const offer = ben.page.getByText('Would you like a notification on this device when somebody writes to you')
  await expect(section(ben.page).getByRole('button', { name: 'Switch on for this device' })).toBeVisible()
  await expect(offer).toHaveCount(0)
  await say(ada.caller, 'ben', 'Hello')
  await expect(offer).toBeVisible()
  await ben.page.getByRole('button', { name: 'No, thank you' }).click()
  await expect(offer).toHaveCount(0)
  await ben.page.reload()
  await expect(section(ben.page)).toBeVisible()
  await say(ada.caller, 'ben', 'Hello again')
  await expect(ben.page.getByRole('button', { name: /Notifications, \d unread/ })).toBeVisible()
  await expect(offer).toHaveCount(0)
})

test('signing out ends them on the device', async ({ withPush, pushService, library }) => {
  const { page, device } = await withPush('ben', { viewport: { width: 1440, height: 900 } })
  await switchOn(page)
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL('/login')
  await expect.poll(() => page.evaluate(() => localStorage.getItem('test-push'))).toBeNull()
  const again = visitor(new URL(library.url), await tokenOf(library.url, 'ben'), 'straight')
  expect((await again.call(myPush)).devices).toEqual([])
  expect(pushService.received(device)).toEqual([])
})

test('where there are no notifications, the settings say why', async ({ withPush }) => {
  const blocked = await withPush('ben')
  await blocked.page.addInitScript(() =>
    Object.defineProperty(Notification, 'permission', { get: () => 'denied', configurable: true }),
  )
  await openSettings(blocked.page)
  await expect(
    section(blocked.page).getByText('Notifications from this page are blocked in your browser.'),
  ).toBeVisible()

  const withoutHttps = await withPush('ben')
  await withoutHttps.page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'serviceWorker'))
  await withoutHttps.page.goto('/settings')
  await expect(section(withoutHttps.page).getByText('They need a library with an https address')).toBeVisible()

  const userAgent =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'
  const phone = await withPush('ben', { userAgent })
  await phone.page.goto('/settings')
  await expect(section(phone.page).getByText('put the library on your home screen first')).toBeVisible()
})
