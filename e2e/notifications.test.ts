import type { Locator } from '@playwright/test'
import { sendMessage, startDirect } from '#contract/chat.ts'
import { addNote } from '#contract/notes.ts'
import { addTag } from '#contract/tags.ts'
import { violations } from './support/axe.ts'
import { chatOn } from './support/chat.ts'
import { signIn, toast } from './support/family.ts'
import { expect, test } from './support/members.ts'
import { addPhoto } from './support/stocked-library.ts'

test('notifications arrive and are counted, and a click opens their target', async ({ openAs }) => {
  const [ada, ben] = [await openAs('ada'), await openAs('ben')]
  const { page } = ada
  const bell = page.getByRole('button', { name: /^Notifications/ })
  const panel = page.getByRole('dialog', { name: 'Notifications' })
  const rows = panel.getByRole('listitem')
  await bell.click()
  await expect(panel.getByText('No notifications yet')).toBeVisible()
  await panel.getByRole('button', { name: 'Close' }).click()

  const photo = await addPhoto(ada.caller, 'Boat.jpg')
  const params = { id: photo.id }
  await ben.caller.call(addTag, { params, body: { tagName: 'Lake' } })
  await ben.caller.call(addNote, { params, body: { content: 'What a day' } })
  const note = await ben.caller.call(addNote, { params, body: { content: 'Was that you, @ada?' } })
  const { id } = await ben.caller.call(startDirect, { body: { otherUserId: ada.id } })
  await ben.caller.call(sendMessage, { params: { id }, body: { content: 'Have you seen it?' } })
  await expect(bell).toHaveAccessibleName('Notifications, 4 unread')
  await expect(bell).toHaveText('4')
  await expect(page).toHaveTitle(/^\(4\) /)

  await bell.click()
  await expect(rows).toHaveCount(4)
  const kinds = ['Message', 'Mention', 'Comment', 'Tag']
  for (const [i, kind] of kinds.entries()) await expect(rows.nth(i).getByRole('img', { name: kind })).toBeVisible()
  await expect(rows.nth(0)).toContainText('Have you seen it?')
  await expect(rows.nth(0)).toContainText('Just now')
  expect(await violations(page)).toEqual([])

  await test.step('the photo with its note', async () => {
    await rows
      .nth(1)
      .getByRole('button', { name: /Was that you/ })
      .click()
    await expect(page).toHaveURL(`/?file=${photo.id}&note=${note.id}`)
    await expect(page.getByRole('dialog', { name: 'Boat.jpg' }).getByText('Was that you, @ada?')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(bell).toHaveAccessibleName('Notifications, 3 unread')
  })

  await test.step('the conversation, which is read by that', async () => {
    await bell.click()
    await rows
      .nth(0)
      .getByRole('button', { name: /Have you seen it/ })
      .click()
    await expect(chatOn(page).message('Have you seen it?')).toBeVisible()
    await expect(bell).toHaveAccessibleName('Notifications, 2 unread')
  })

  await test.step('marked as read, one and all, and deleted', async () => {
    await bell.click()
    await rows.nth(2).getByRole('button', { name: 'Mark as read' }).click()
    await expect(bell).toHaveAccessibleName('Notifications, 1 unread')
    await panel.getByRole('button', { name: 'Mark all read' }).click()
    await expect(toast(page, 'All notifications marked as read')).toBeVisible()
    await expect(bell).toHaveAccessibleName('Notifications')
    for (const left of [3, 2, 1, 0]) {
      await rows.first().getByRole('button', { name: 'Delete' }).click()
      await expect(rows).toHaveCount(left)
    }
    await expect(panel.getByText('No notifications yet')).toBeVisible()
  })
})

test('times stay current while the list is open, and scrolling loads older notifications', async ({ openAs }) => {
  const [ada, ben] = [await openAs('ada'), await openAs('ben')]
  const { page } = ada
  const photo = await addPhoto(ada.caller, 'Boat.jpg')
  for (let i = 0; i < 105; i++) {
    await ben.caller.call(addNote, { params: { id: photo.id }, body: { content: `Note ${i}.` } })
  }
  await page.clock.install()
  await page.reload()
  const bell = page.getByRole('button', { name: /^Notifications/ })
  await expect(bell).toHaveText('99+')
  await bell.click()
  const rows = page.getByRole('dialog', { name: 'Notifications' }).getByRole('listitem')
  await expect(rows).toHaveCount(30)
  await expect(rows.first()).toContainText(/Just now|1m ago/)
  await page.clock.fastForward('03:00:00')
  await expect(rows.first()).toContainText('3h ago')
  await page.clock.fastForward('48:00:00')
  await expect(rows.first()).toContainText('2d ago')
  await expect(async () => {
    await rows.last().scrollIntoViewIfNeeded()
    await expect(rows).toHaveCount(105, { timeout: 500 })
  }).toPass()
  await expect(rows.last()).toContainText('Note 0.')
})

test('the list stays below the bell while the page behind it scrolls', async ({ openAs }) => {
  const { page } = await openAs('ada')
  await page.setViewportSize({ width: 1280, height: 480 })
  await page.getByRole('button', { name: /^Notifications/ }).click()
  const panel = page.getByRole('dialog', { name: 'Notifications' })
  await expect(panel.getByText('No notifications yet')).toBeVisible()
  const { scrolled, moved } = await panel.evaluate(element => {
    const top = () => element.getBoundingClientRect().top
    const before = top()
    window.scrollBy({ top: 100, behavior: 'instant' })
    return { scrolled: window.scrollY, moved: top() - before }
  })
  expect(scrolled).toBe(100)
  expect(moved).toBe(0)
})

test('failed actions show an error', async ({ openAs }) => {
  const [ada, ben] = [await openAs('ada'), await openAs('ben')]
  const { page } = ada
  const photo = await addPhoto(ada.caller, 'Boat.jpg')
  await ben.caller.call(addNote, { params: { id: photo.id }, body: { content: 'What a day' } })
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).click()
  const row = page.getByRole('dialog', { name: 'Notifications' }).getByRole('listitem')
  await expect(row).toHaveCount(1)
  await page.route('**/api/notifications/**', route =>
    route.request().method() === 'GET' ? route.continue() : route.abort(),
  )
  await row.getByRole('button', { name: 'Mark as read' }).click()
  await expect(toast(page, 'Failed to mark notification as read')).toBeVisible()
  // Next to the panel, so that no button of it is covered.
  const message = await page.getByRole('region', { name: 'Messages' }).getByRole('listitem').first().boundingBox()
  const panel = await page.getByRole('dialog', { name: 'Notifications' }).boundingBox()
  expect((message?.x ?? 0) + (message?.width ?? 0)).toBeLessThanOrEqual(panel?.x ?? 0)
  await page.getByRole('button', { name: 'Mark all read' }).click()
  await expect(toast(page, 'Failed to mark all notifications as read')).toBeVisible()
  await row.getByRole('button', { name: 'Delete' }).click()
  await expect(toast(page, 'Failed to delete notification')).toBeVisible()
  await expect(row).toHaveCount(1)

  await page.setViewportSize({ width: 390, height: 844 })
  await row.getByRole('button', { name: 'Mark as read' }).click()
  // Below the panel, which is as wide as a phone.
  const latest = page.getByRole('region', { name: 'Messages' }).getByRole('listitem').first()
  const topOf = async (element: Locator) => (await element.boundingBox())?.y ?? 0
  const bottomOfPanel = async () => {
    const { y = 0, height = 0 } = (await page.getByRole('dialog', { name: 'Notifications' }).boundingBox()) ?? {}
    return y + height
  }
  await expect.poll(async () => (await topOf(latest)) >= (await bottomOfPanel())).toBe(true)
})

test('an admin is notified of an access request, and the new member of the approval', async ({ openAs, newDevice }) => {
  const ada = await openAs('ada')
  const kofis = await newDevice()
  await signIn(kofis, 'Kofi Mensah')
  await expect(kofis).toHaveURL('/login?error=pending_approval')
  await ada.page.getByRole('button', { name: 'Notifications, 1 unread' }).click()
  await ada.page.getByRole('button', { name: /Kofi Mensah would like to join/ }).click()
  await expect(ada.page).toHaveURL('/admin')
  await ada.page.getByRole('button', { name: 'Approve' }).click()
  await expect(toast(ada.page, 'User approved successfully!')).toBeVisible()
  // His page signs in again by itself, and the provider still knows who he is.
  await kofis.getByRole('button', { name: 'Notifications, 1 unread' }).click()
  await expect(kofis.getByRole('button', { name: /You're in/ })).toBeVisible()
})
