import type { BrowserContext, Page, Request } from '@playwright/test'
import { listMessages, sendMessage, startDirect } from '#contract/chat.ts'
import { createFolder } from '#contract/folders.ts'
import { heartFile } from '#contract/hearts.ts'
import { livePath } from '#contract/live.ts'
import { addNote } from '#contract/notes.ts'
import { readAllNotifications, unreadCount } from '#contract/notifications.ts'
import { addTag } from '#contract/tags.ts'
import { chatOn } from './support/chat.ts'
import { signIn } from './support/family.ts'
import { expect, type Member, test } from './support/members.ts'
import { addPhoto } from './support/stocked-library.ts'

/** Shorter than the 30-second polling of a page without a stream: a change visible by then arrived as a live event. */
const soon = { timeout: 12_000 }

test('changes appear on other people’s pages: a photo, a folder, a tag, a note, a heart, an access request', async ({
  openAs,
  newDevice,
}) => {
  const [ada, ben] = [await openAs('ada'), await openAs('ben')]
  const { page } = ada
  await expect(page.getByText('Shared family photos and videos')).toBeVisible()

  const photo = await addPhoto(ben.caller, 'Boat.jpg')
  await expect(page.getByRole('button', { name: 'Images 1' })).toBeVisible(soon)
  await ben.caller.call(createFolder, { body: { name: 'Lake' } })
  await expect(page.getByText('Lake', { exact: true }).first()).toBeVisible(soon)

  await page.goto(`/?file=${photo.id}`)
  const viewer = page.getByRole('dialog', { name: 'Boat.jpg' })
  await expect(viewer).toBeVisible()
  await ben.caller.call(addTag, { params: { id: photo.id }, body: { tagName: 'sunny' } })
  await expect(viewer.getByText('sunny')).toBeVisible(soon)
  await ben.caller.call(addNote, { params: { id: photo.id }, body: { content: 'What a day' } })
  await expect(viewer.getByText('What a day')).toBeVisible(soon)

  await ben.caller.call(heartFile, { params: { id: photo.id } })
  await expect(viewer.getByText('Loved by Ben Okafor')).toBeVisible(soon)

  await page.goto('/admin')
  await expect(page.getByRole('tab', { name: 'Pending 0' })).toBeVisible()
  await signIn(await newDevice(), 'Kofi Mensah')
  await expect(page.getByRole('tab', { name: 'Pending 1' })).toBeVisible(soon)
})

test('a page fetches everything once, and later changes come by the live stream', async ({ openAs }) => {
  const ada = await openAs('ada')
  const bar = ada.page.getByRole('navigation', { name: 'Main' })
  await expect(bar).toBeVisible()
  const asked = countRequests(ada.page)
  for (const { path, first } of [
    { path: '/', first: '/api/start?proportions=false' },
    { path: '/admin', first: '/auth/me' },
  ]) {
    asked.forget()
    await ada.page.goto(path)
    await expect(bar).toBeVisible()
    await asked.until(unreadCount.path)
    await waitForRefetch(ada, asked)
    expect(asked.twice()).toEqual([unreadCount.path])
    expect(asked.once().some(path => path.startsWith(first))).toBe(true)
  }
})

test('a second tab fetches everything once, and nothing again when it takes over the stream', async ({ openAs }) => {
  const ada = await openAs('ada')
  await untilSomeTabLeads(ada.page)
  const second = await ada.page.context().newPage()
  const asked = countRequests(second)
  await second.goto('/')
  await expect(second.getByText('Shared family photos and videos')).toBeVisible()
  await asked.until(unreadCount.path)
  await waitForRefetch(ada, asked)
  expect(asked.twice()).toEqual([unreadCount.path])

  asked.forget()
  const streams = streamsOf(ada.page.context())
  await ada.page.close()
  await expect.poll(streams.opened).toBe(1)
  await waitForRefetch(ada, asked)
  expect([asked.once(), asked.twice()]).toEqual([[unreadCount.path], []])
})

test('events during the handover of the stream between tabs are not missed', async ({ openAs }) => {
  const [ada, ben] = [await openAs('ada'), await openAs('ben')]
  await untilSomeTabLeads(ada.page)
  const second = await ada.page.context().newPage()
  await second.goto('/')
  await expect(second.getByRole('button', { name: 'Images 0' })).toBeVisible()
  await Promise.all([
    ada.page.close(),
    ...[60, 70, 80].map(width => addPhoto(ben.caller, `Boat ${width}.jpg`, { width })),
  ])
  await expect(second.getByRole('button', { name: 'Images 3' })).toBeVisible(soon)
})

test('when the tab with the stream is frozen, a visible tab takes over', async ({ openAs }) => {
  const [ada, ben] = [await openAs('ada'), await openAs('ben')]
  const context = ada.page.context()
  await untilSomeTabLeads(ada.page)
  const second = await context.newPage()
  await second.goto('/')
  await expect(second.getByRole('button', { name: 'Images 0' })).toBeVisible()
  const streams = streamsOf(context)

  // A frozen tab keeps its lock and its stream but runs no code. Headless browsers do not freeze pages, so pause the
  // debugger.
  const browser = await context.newCDPSession(ada.page)
  await browser.send('Debugger.enable')
  await browser.send('Debugger.pause')
  await addPhoto(ben.caller, 'Boat.jpg')
  // As when the person switches to this tab.
  await second.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(second.getByRole('button', { name: 'Images 1' })).toBeVisible(soon)
  expect(streams.opened()).toBe(1)
  await addPhoto(ben.caller, 'Sail.jpg', { width: 80 })
  await expect(second.getByRole('button', { name: 'Images 2' })).toBeVisible(soon)

  await browser.send('Debugger.resume')
  await expect(ada.page.getByRole('button', { name: 'Images 2' })).toBeVisible(soon)
  await addPhoto(ben.caller, 'Shore.jpg', { width: 90 })
  for (const tab of [ada.page, second]) {
    await expect(tab.getByRole('button', { name: 'Images 3' })).toBeVisible(soon)
  }
  expect(streams.opened()).toBe(1)
})

test('tabs share one stream, and another tab takes it over when its tab is closed', async ({ openAs }) => {
  const [ada, ben] = [await openAs('ada'), await openAs('ben')]
  const context = ada.page.context()
  await untilSomeTabLeads(ada.page)
  const streams = streamsOf(context)
  const [second, third] = [await context.newPage(), await context.newPage()]
  for (const tab of [second, third]) {
    await tab.goto('/')
    await expect(tab.getByText('Shared family photos and videos')).toBeVisible()
  }
  await addPhoto(ben.caller, 'Boat.jpg')
  for (const tab of [ada.page, second, third]) {
    await expect(tab.getByRole('button', { name: 'Images 1' })).toBeVisible(soon)
  }
  // The first tab's stream was opened before the counter started.
  expect(streams.opened()).toBe(0)

  await ada.page.close()
  await expect.poll(streams.opened).toBe(1)
  await addPhoto(ben.caller, 'Sail.jpg', { width: 80 })
  for (const tab of [second, third]) {
    await expect(tab.getByRole('button', { name: 'Images 2' })).toBeVisible(soon)
  }
  expect(streams.opened()).toBe(1)
})

test('logging out ends the stream in every tab, and a tab that learns it late opens no other', async ({ openAs }) => {
  const ada = await openAs('ada')
  const context = ada.page.context()
  await untilSomeTabLeads(ada.page)
  const second = await context.newPage()
  await second.addInitScript(() => {
    addEventListener('storage', event => event.isTrusted && event.stopImmediatePropagation(), { capture: true })
  })
  await second.goto('/')
  await expect(second.getByText('Shared family photos and videos')).toBeVisible()
  const streams = streamsOf(context)
  await ada.page.getByRole('button', { name: 'Log out' }).click()
  await expect(ada.page).toHaveURL('/login')
  await expect.poll(streams.ended).toBe(1)
  await second.evaluate(() => dispatchEvent(new StorageEvent('storage', { key: 'auth_token' })))
  await expect(second).toHaveURL('/login')
  expect(streams.opened()).toBe(0)

  await signIn(second, 'Ada Okafor')
  await expect.poll(streams.opened).toBe(1)
  expect(streams.ended()).toBe(1)
})

test('a new session directly after another gets its stream at once', async ({ openAs, newDevice }) => {
  const { page } = await openAs('ada')
  await page.addInitScript(() => {
    const request = LockManager.prototype.request
    LockManager.prototype.request = function (this: LockManager, ...given: Parameters<typeof request>) {
      if ((given[1] as LockOptions).steal) document.documentElement.dataset.stole = ''
      return Reflect.apply(request, this, given)
    } as typeof request
  })
  await page.reload()
  await untilSomeTabLeads(page)
  const elsewhere = await newDevice()
  await signIn(elsewhere, 'Ada Okafor')
  await expect(elsewhere.getByRole('button', { name: 'Log out' })).toBeVisible()
  const token = await elsewhere.evaluate(() => localStorage.getItem('auth_token') ?? '')
  const streams = streamsOf(page.context())
  // As when another tab logged out and in again while this one was asleep.
  await page.evaluate(next => {
    localStorage.setItem('auth_token', next)
    dispatchEvent(new StorageEvent('storage', { key: 'auth_token' }))
  }, token)
  await expect.poll(streams.opened).toBe(1)
  await expect(page.locator('html')).not.toHaveAttribute('data-stole')
})

test('while the stream is down the page polls, and catches up when it is back', async ({ openAs }) => {
  const [ada, ben] = [await openAs('ada'), await openAs('ben')]
  const { page } = ada
  await expect(page.getByText('Shared family photos and videos')).toBeVisible()
  await page.clock.install()
  await page.route('**/api/events', route => route.abort())
  await page.reload()
  await expect(page.getByRole('button', { name: 'Images 0' })).toBeVisible()
  await addPhoto(ben.caller, 'Boat.jpg')
  await page.clock.runFor(31_000)
  await expect(page.getByRole('button', { name: 'Images 1' })).toBeVisible(soon)

  await addPhoto(ben.caller, 'Shore.jpg', { width: 90 })
  // The event that a browser fires after unfreezing a page.
  await page.evaluate(() => document.dispatchEvent(new Event('resume')))
  await expect(page.getByRole('button', { name: 'Images 2' })).toBeVisible(soon)

  await addPhoto(ben.caller, 'Sail.jpg', { width: 80 })
  await page.unroute('**/api/events')
  await page.clock.runFor(31_000)
  await expect(page.getByRole('button', { name: 'Images 3' })).toBeVisible(soon)
})

test('a server that hangs is reported within seconds, and the page continues when it answers again', async ({
  openAs,
}) => {
  const { page, line } = await openAs('ada')
  await expect(page.getByRole('button', { name: 'Images 0' })).toBeVisible()
  const banner = page.getByText('The library can’t be reached. Trying again…')
  line.hang()
  await expect(banner).toBeVisible({ timeout: 20_000 })
  line.restore()
  await expect(banner).toHaveCount(0, { timeout: 20_000 })
})

test('live updates and chat work without HTTPS, where browsers offer fewer features', async ({ openAs }) => {
  const [ada, ben] = [await openAs('ada'), await openAs('ben')]
  await ada.page.addInitScript(() => {
    Reflect.deleteProperty(Navigator.prototype, 'locks')
    Reflect.deleteProperty(Crypto.prototype, 'randomUUID')
  })
  await ada.page.reload()
  await expect(ada.page.getByText('Shared family photos and videos')).toBeVisible()
  const { id } = await ben.caller.call(startDirect, { body: { otherUserId: ada.id } })
  await ben.caller.call(sendMessage, { params: { id }, body: { content: 'Can you hear me?' } })
  const adas = chatOn(ada.page)
  await expect(adas.button).toHaveAccessibleName('Chat, 1 unread', soon)
  await adas.open()
  await adas.openConversation('Ben Okafor')
  await adas.say('Loud and clear')
  await expect(adas.message('Loud and clear')).toBeVisible()
  await expect(adas.log.getByText('Sending…')).toBeHidden()
  const messages = await ben.caller.call(listMessages, { params: { id }, query: {} })
  expect(messages.map(({ content }) => content)).toEqual(['Can you hear me?', 'Loud and clear'])
})

async function untilSomeTabLeads(page: Page): Promise<void> {
  await page.waitForFunction(async () => {
    const { held = [] } = await navigator.locks.query()
    return held.some(({ name }) => name === 'heirloom-live')
  })
}

/**
 * Triggers a small live event and waits for its refetch: by then all earlier events have caused their refetches too.
 */
async function waitForRefetch({ caller }: Member, asked: ReturnType<typeof countRequests>): Promise<void> {
  const before = asked.of(unreadCount.path)
  await caller.call(readAllNotifications)
  await expect.poll(() => asked.of(unreadCount.path), soon).toBe(before + 1)
}

function streamsOf(context: BrowserContext) {
  let [opened, ended] = [0, 0]
  const isStream = (request: Request) => request.url().endsWith('/api/events')
  context.on('request', request => {
    if (isStream(request)) opened += 1
  })
  const onEnd = (request: Request) => {
    if (isStream(request)) ended += 1
  }
  context.on('requestfinished', onEnd)
  context.on('requestfailed', onEnd)
  return { opened: () => opened, ended: () => ended }
}

/** Counts the requests of a page by path. */
function countRequests(page: Page) {
  const counts = new Map<string, number>()
  page.on('request', request => {
    const { pathname, search } = new URL(request.url())
    const isReading = request.method() === 'GET' && /^\/(api|auth\/me)/.test(pathname) && pathname !== livePath
    const asked = `${pathname}${search}`
    if (isReading) counts.set(asked, (counts.get(asked) ?? 0) + 1)
  })
  const those = (fits: (times: number) => boolean) =>
    [...counts].filter(([, times]) => fits(times)).map(([path]) => path)
  const of = (asked: string) => counts.get(asked) ?? 0
  return {
    of,
    until: (asked: string) => expect.poll(() => of(asked)).toBe(1),
    once: () => those(times => times === 1),
    twice: () => those(times => times > 1),
    forget: () => counts.clear(),
  }
}
