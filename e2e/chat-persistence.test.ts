import type { Page } from '@playwright/test'
import { listMessages, sendMessage, startDirect } from '#contract/chat.ts'
import { violations } from './support/axe.ts'
import { chatOn } from './support/chat.ts'
import { toast } from './support/family.ts'
import { expect, type Member, test } from './support/members.ts'
import { addPhoto } from './support/stocked-library.ts'

const phone = { width: 390, height: 844 }

test.describe('with a bad connection', () => {
  test.use({ expectedLog: /could not be (sent|loaded|told|marked)/ })

  test('an unsent message is marked, survives a reload and arrives once', async ({ openAs }) => {
    const [ada, ben] = [await openAs('ada'), await openAs('ben')]
    const { id } = await ada.caller.call(startDirect, { body: { otherUserId: ben.id } })
    const adas = chatOn(ada.page)
    await openWith(ada, 'Ben Okafor')
    await letMessagesThrough(ada.page, 'not')

    await adas.say('First')
    await expect(adas.message('First')).toContainText('Not sent. Try again', { useInnerText: true })
    await adas.say('Second')
    await expect(adas.log.getByRole('button', { name: 'Try again' })).toHaveCount(2)
    await ada.page.reload()
    await openWith(ada, 'Ben Okafor')
    await expect(adas.log.getByRole('button', { name: 'Try again' })).toHaveCount(2)

    // The server now receives the messages, but the browser never gets the responses.
    await letMessagesThrough(ada.page, 'there only')
    await adas.log.getByRole('button', { name: 'Try again' }).first().click()
    await expect.poll(async () => (await messagesOf(ada, id)).length).toBeGreaterThan(0)
    await letMessagesThrough(ada.page, 'yes')
    await expect(async () => {
      const again = adas.log.getByRole('button', { name: 'Try again' })
      if ((await again.count()) > 0) await again.first().click({ timeout: 1_000 })
      await expect(adas.log.getByText('Not sent.')).toHaveCount(0, { timeout: 2_000 })
      await expect(adas.log.getByText('Sending…')).toHaveCount(0, { timeout: 2_000 })
    }).toPass()
    expect(await messagesOf(ada, id)).toEqual(['First', 'Second'])
    expect(await adas.words()).toEqual(['First', 'Second'])
    await expect(ada.page.getByRole('region', { name: 'Messages' }).getByRole('listitem')).toHaveCount(0)
  })

  test('a connection lost during a burst of messages loses and repeats none', async ({ openAs }) => {
    const [ada, ben] = [await openAs('ada'), await openAs('ben')]
    const { id } = await ada.caller.call(startDirect, { body: { otherUserId: ben.id } })
    const adas = chatOn(ada.page)
    await openWith(ada, 'Ben Okafor')
    const burst = Array.from({ length: 90 }, (_, i) => `Message ${i}`)

    for (const [i, content] of burst.entries()) {
      if (i === 20) ada.line.cut()
      if (i === 25) await adas.say('From the tunnel')
      if (i === 70) ada.line.restore()
      await ben.caller.call(sendMessage, { params: { id }, body: { content } })
    }
    const all = [...burst, 'From the tunnel'].sort()
    await expect.poll(async () => (await messagesOf(ada, id)).sort(), { timeout: 60_000 }).toEqual(all)
    await expect(adas.message('Message 89')).toBeVisible()
    await expect.poll(() => everyWord(ada.page), { timeout: 60_000 }).toEqual(await messagesOf(ada, id))
  })
})

test('a long conversation opens at its end and keeps its scroll position while older messages load', async ({
  openAs,
}) => {
  const [ada, ben] = [await openAs('ada'), await openAs('ben')]
  const { id } = await ada.caller.call(startDirect, { body: { otherUserId: ben.id } })
  for (let i = 0; i < 260; i++) {
    await ben.caller.call(sendMessage, { params: { id }, body: { content: `Message ${i} ${'word '.repeat(i % 17)}` } })
  }
  const adas = chatOn(ada.page)
  await openWith(ada, 'Ben Okafor')
  await expect(adas.message('Message 259 ')).toBeInViewport()
  await expect(adas.message('Message 150 ')).toHaveCount(0)

  // Scroll anchoring: loading older messages above must not move the visible ones.
  const read = adas.message('Message 215 ')
  await read.evaluate(row => row.scrollIntoView({ block: 'start' }))
  const top = async () => (await read.boundingBox())?.y ?? 0
  const before = await top()
  await expect(adas.message('Message 180 ')).toHaveCount(1)
  expect(Math.abs((await top()) - before)).toBeLessThan(2)

  // A new message at the end must not scroll the log either.
  await ben.caller.call(sendMessage, { params: { id }, body: { content: 'The newest' } })
  const pill = adas.window.getByRole('button', { name: 'New messages' })
  await expect(pill).toBeVisible()
  expect(Math.abs((await top()) - before)).toBeLessThan(2)

  // Pagination: the next page of older messages is loaded when the top of the log is reached.
  const scrollUp = async () => {
    await adas.log.evaluate(log => log.scrollTo(0, 0))
    return adas.message('Message 0 ').count()
  }
  await expect.poll(scrollUp, { intervals: [100], timeout: 60_000 }).toBe(1)
  await expect(adas.message('Message 0 ')).toBeVisible()
  // Virtualization: blocks far from the screen are not rendered.
  expect(await adas.log.locator('[data-row]').count()).toBeLessThan(200)
  await pill.click()
  await expect(adas.message('The newest')).toBeInViewport()
})

test('a draft survives closing and reloading, and is deleted at log-out, which asks first', async ({ openAs }) => {
  const [ada, ben] = [await openAs('ada'), await openAs('ben')]
  await ada.caller.call(startDirect, { body: { otherUserId: ben.id } })
  const adas = chatOn(ada.page)
  await openWith(ada, 'Ben Okafor')
  await adas.field.fill('I was about to say')
  // Escape closes the chat and returns the focus to where it was before.
  await adas.field.press('Escape')
  await expect(adas.window).toBeHidden()
  await expect(adas.button).toBeFocused()
  await ada.page.keyboard.press('Enter')
  await expect(adas.field).toBeFocused()
  await expect(adas.field).toHaveValue('I was about to say')
  await ada.page.reload()
  await openWith(ada, 'Ben Okafor')
  await expect(adas.field).toHaveValue('I was about to say')
  await adas.window.getByRole('button', { name: 'Close chat' }).click()
  const logOut = ada.page.getByRole('banner').getByRole('button', { name: 'Log out' })
  const question = ada.page.getByRole('alertdialog', { name: 'Log out with unsent messages?' })
  await logOut.click()
  await question.getByRole('button', { name: 'Stay signed in' }).click()
  await expect(question).toBeHidden()
  await logOut.click()
  await question.getByRole('button', { name: 'Log out' }).click()
  await expect(ada.page).toHaveURL('/login')
  const left = await ada.page.evaluate(() => Object.keys(localStorage).filter(key => key.startsWith('heirloom.')))
  expect(left.filter(key => /draft|outbox/.test(key))).toEqual([])
})

test('a photo is sent from the viewer into a conversation, loved and opened there', async ({ openAs }) => {
  const [ada, ben] = [await openAs('ada'), await openAs('ben')]
  const { page } = ada
  const photo = await addPhoto(ada.caller, 'Boat.jpg')
  await page.goto(`/?file=${photo.id}`)
  const viewer = page.getByRole('dialog', { name: 'Boat.jpg' })
  await viewer.getByRole('button', { name: 'Send to chat' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send to chat' })
  await dialog.getByLabel('Message').fill('Do you remember?')
  await dialog.getByRole('button', { name: 'Ben Okafor' }).click()
  // Keys belong to the dialog, not to the viewer behind it.
  await page.keyboard.press('ArrowRight')
  await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(toast(page, 'Sent to Ben Okafor')).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(viewer).toBeVisible()

  const bens = chatOn(ben.page)
  await openWith(ben, 'Ada Okafor')
  await expect(bens.message('Do you remember?')).toBeVisible()
  await bens.log.getByRole('button', { name: 'Add to Favourites' }).click()
  await expect(bens.log.getByRole('button', { name: 'Loved by you' })).toBeVisible()
  await expect(viewer.getByText('Loved by Ben Okafor')).toBeVisible()
  await bens.log.getByRole('button', { name: 'Open Boat.jpg' }).click()
  await expect(ben.page).toHaveURL(`/?file=${photo.id}`)
  await expect(ben.page.getByRole('dialog', { name: 'Boat.jpg' })).toBeVisible()
})

test('on a phone, going back leaves the conversation and then the chat, not the page', async ({ openAs }) => {
  const [ada, ben] = [await openAs('ada', { viewport: phone, hasTouch: true, isMobile: true }), await openAs('ben')]
  await ada.caller.call(startDirect, { body: { otherUserId: ben.id } })
  const adas = chatOn(ada.page)
  await openWith(ada, 'Ben Okafor')
  // Simulates a phone's back gesture: Chromium also closes a CloseWatcher on Escape. Blur first, because focused fields
  // handle Escape themselves.
  const goBack = async () => {
    await ada.page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
    await ada.page.keyboard.press('Escape')
  }
  await goBack()
  await expect(adas.field).toBeHidden()
  await expect(adas.window.getByRole('listitem')).toContainText('Ben Okafor')
  await goBack()
  await expect(adas.window).toBeHidden()
  await expect(ada.page).toHaveURL('/')
})

test('on a phone the chat fills the screen and has no accessibility violations', async ({ openAs }) => {
  const [ada, ben] = [await openAs('ada', { viewport: phone }), await openAs('ben')]
  const { id } = await ada.caller.call(startDirect, { body: { otherUserId: ben.id } })
  const photo = await addPhoto(ben.caller, 'Boat.jpg')
  const look = { content: 'Look, @ada: https://example.org', media_id: photo.id }
  await ben.caller.call(sendMessage, { params: { id }, body: look })
  await ada.caller.call(sendMessage, { params: { id }, body: { content: 'Lovely' } })
  const adas = chatOn(ada.page)
  await adas.open()
  expect(await violations(ada.page)).toEqual([])
  await adas.window.getByRole('button', { name: 'New conversation' }).click()
  await expect(ada.page.getByRole('dialog', { name: 'New conversation' })).toBeVisible()
  expect(await violations(ada.page)).toEqual([])
  await ada.page.keyboard.press('Escape')
  await adas.openConversation('Ben Okafor')
  await expect(adas.message('Lovely')).toBeVisible()
  expect(await violations(ada.page)).toEqual([])
  expect(await adas.window.boundingBox()).toEqual({ x: 0, y: 0, ...phone })

  await adas.log.getByRole('button', { name: 'Open Boat.jpg' }).click()
  await expect(ada.page).toHaveURL(`/?file=${photo.id}`)
  await expect(ada.page.getByRole('dialog', { name: 'Boat.jpg' })).toBeVisible()
})

async function openWith({ page }: Member, title: string): Promise<void> {
  const chat = chatOn(page)
  await chat.open()
  await chat.openConversation(title)
}

/**
 * 'there only': the server receives messages, but the browser gets no response. 'not': requests fail before the server.
 */
async function letMessagesThrough(page: Page, far: 'yes' | 'there only' | 'not'): Promise<void> {
  await page.unrouteAll({ behavior: 'wait' })
  if (far === 'yes') return
  await page.route('**/api/messages/*', async route => {
    if (route.request().method() !== 'POST') return route.continue()
    if (far === 'there only') await route.fetch()
    await route.abort()
  })
}

async function messagesOf({ caller }: Member, id: number): Promise<string[]> {
  return (await caller.call(listMessages, { params: { id }, query: {} })).map(({ content }) => content)
}

/** Every message of the open conversation, collected by scrolling through it. */
async function everyWord(page: Page): Promise<string[]> {
  const { log } = chatOn(page)
  const found = new Map<string, string>()
  const height = await log.evaluate(element => element.scrollHeight)
  for (let top = 0; top < height; top += 400) {
    await log.evaluate((element, top) => element.scrollTo(0, top), top)
    // The list is virtualized: wait until the visible rows are rendered.
    await page.waitForFunction(() => {
      const box = document.querySelector('[role=log]')?.getBoundingClientRect()
      if (box === undefined) return false
      return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)?.closest('[data-row]') !== null
    })
    const rows = await log
      .locator('[data-row]')
      .evaluateAll(rows =>
        rows.map(
          row => [row.getAttribute('data-row'), row.querySelector('.whitespace-pre-wrap')?.textContent] as const,
        ),
      )
    for (const [key, text] of rows) found.set(key ?? '', text ?? '')
  }
  await log.evaluate(element => element.scrollTo(0, element.scrollHeight))
  return [...found.values()]
}
