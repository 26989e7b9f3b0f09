import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Page } from '@playwright/test'
import { addToAlbum, createAlbum, removeFromAlbum } from '#contract/albums.ts'
import { createFolder } from '#contract/folders.ts'
import { captionMedia, moveFiles } from '#contract/media.ts'
import { endAllSessions } from '#contract/sessions.ts'
import { expect, test } from './support/members.ts'
import { viewer } from './support/viewer.ts'

const withWorker = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  serviceWorkers: 'allow',
} as const
const banner = 'The library can’t be reached. Trying again…'

test.use({
  expectedLog:
    /could not be (sent|loaded|told|marked|brought up to date|recorded|written)|cannot be saved|quota|Failed to load resource|ERR_/,
})

async function withController(page: Page): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await page.reload()
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated')
}

/** The pictures in the cache of what is kept. */
const keptPictures = (page: Page) =>
  page.evaluate(async () => {
    if (!(await caches.has('kept-pictures'))) return 0
    return (await (await caches.open('kept-pictures')).keys()).length
  })

const isKept = (page: Page, address: string | null | undefined) =>
  page.evaluate(async picture => {
    const { pathname } = new URL(picture, location.href)
    return (await (await caches.open('kept-pictures')).match(pathname)) !== undefined
  }, address ?? '')

const tiles = (page: Page) => page.locator('td[data-index] img')

test('an album that is kept opens without a connection, follows its changes, and can be removed', async ({
  insertPhotos,
  openAs,
}) => {
  const [beach, garden, boat] = await insertPhotos('Beach.jpg', 'Garden.jpg', 'Boat.jpg')
  const ids = [beach?.id ?? 0, garden?.id ?? 0, boat?.id ?? 0] as const
  const ada = await openAs('ada')
  const album = await ada.caller.call(createAlbum, {
    body: { title: 'Our summer', fileIds: [ids[0], ids[1]] },
  })
  const ben = await openAs('ben', withWorker)
  const { page, line } = ben
  await withController(page)
  await page.goto(`/albums/${album.id}`)
  await page.getByRole('button', { name: 'More actions of the album' }).click()
  await page.getByRole('menuitem', { name: 'Keep on this device' }).click()
  const question = page.getByRole('alertdialog', { name: 'Keep “Our summer” on this device?' })
  await expect(question).toContainText('2 photos, about')
  await question.getByRole('button', { name: 'Keep' }).click()
  await expect(page.getByText(/^Kept on this device: /)).toBeVisible({ timeout: 30_000 })
  expect(await keptPictures(page)).toBeGreaterThanOrEqual(2)

  // What was looked at lately is gone, as if hundreds of other pictures had been shown since.
  await page.evaluate(() => caches.delete('pictures'))
  line.cut()
  await page.goto(`/albums/${album.id}`)
  await expect(page.getByText(banner)).toBeVisible({ timeout: 30_000 })
  await expect(page.getByRole('heading', { name: 'Our summer' })).toBeVisible()
  await expect(tiles(page)).toHaveCount(2)
  await tiles(page).first().click()
  const opened = page.getByRole('dialog')
  await expect(opened.locator('.viewer-stage img[data-shown]')).toBeVisible()
  const first = await opened.getAttribute('aria-label')
  await page.keyboard.press('ArrowRight')
  await expect(viewer(page, first === 'Beach.jpg' ? 'Garden.jpg' : 'Beach.jpg')).toBeVisible()
  await expect(page.locator('.viewer-stage img[data-shown]').first()).toBeVisible()

  await page.goto('/albums')
  await expect(page.getByRole('link', { name: 'Our summer' })).toContainText('2 photos')

  const params = { id: album.id }
  await ada.caller.call(addToAlbum, { params, body: { fileIds: [ids[2]] } })
  await ada.caller.call(removeFromAlbum, { params, body: { fileIds: [ids[0]] } })
  await ada.caller.call(captionMedia, { params: { id: ids[1] }, body: { caption: 'Roses by the wall' } })
  line.restore()
  await page.goto('/settings')
  const remove = page.getByRole('button', { name: 'Remove “Our summer” from this device' })
  await expect(remove).toBeVisible({ timeout: 30_000 })
  // At the end of an update, what belongs to the album no more is removed.
  await expect.poll(() => isKept(page, beach?.thumbnail_url), { timeout: 30_000 }).toBe(false)
  expect(await isKept(page, boat?.thumbnail_url)).toBe(true)
  await expect(page.getByText(/^Kept on this device: /)).toBeVisible({ timeout: 30_000 })
  line.cut()
  await page.goto(`/albums/${album.id}`)
  await expect(tiles(page)).toHaveCount(2)
  await tiles(page).first().click()
  await expect(viewer(page, 'Boat.jpg')).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(page.locator('.viewer-caption')).toContainText('Roses by the wall')

  await page.goto('/settings')
  await remove.click()
  await expect(remove).toHaveCount(0)
  await expect.poll(() => keptPictures(page)).toBe(0)
})

test('a folder is kept, goes on after a reload in the middle, and an ended session leaves nothing of it', async ({
  insertPhotos,
  openAs,
}) => {
  const files = await insertPhotos('Beach.jpg', 'Garden.jpg')
  const ada = await openAs('ada')
  const folder = await ada.caller.call(createFolder, { body: { name: 'Trips' } })
  await ada.caller.call(moveFiles, { body: { fileIds: files.map(({ id }) => id), folderId: folder.id } })
  const { page, line, caller } = await openAs('ben', withWorker)
  await withController(page)
  await page.goto(`/?folder=${folder.id}`)
  await page.getByRole('button', { name: 'Keep on this device' }).click()
  line.hang()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep' }).click()
  await expect(page.getByText('Downloading to this device: 0 of 2')).toBeVisible()
  await page.goto('about:blank')
  line.restore()
  await page.goto(`/?folder=${folder.id}`)
  await expect(page.getByText(/^Kept on this device: /)).toBeVisible({ timeout: 60_000 })
  await expect.poll(() => keptPictures(page)).toBeGreaterThanOrEqual(2)
  await caller.call(endAllSessions)
  await expect(page).toHaveURL('/login')
  await expect.poll(() => keptPictures(page)).toBe(0)
})

test('a picture that cannot be had keeps no other one from being kept', async ({ insertPhotos, library, openAs }) => {
  const [beach, garden] = await insertPhotos('Beach.jpg', 'Garden.jpg')
  const { page, caller } = await openAs('ben', withWorker)
  const fileIds = [beach?.id ?? 0, garden?.id ?? 0]
  const album = await caller.call(createAlbum, { body: { title: 'Our summer', fileIds } })
  await withController(page)
  await page.goto(`/albums/${album.id}`)
  await expect(tiles(page)).toHaveCount(2)
  const variants = dirname(new URL(beach?.thumbnail_url ?? '', library.url).pathname.replace(/^\/files\//, ''))
  await rm(join(library.dataFolder, 'files', variants), { recursive: true })
  await page.evaluate(() => caches.delete('pictures'))
  await page.getByRole('button', { name: 'More actions of the album' }).click()
  await page.getByRole('menuitem', { name: 'Keep on this device' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep' }).click()
  await expect(page.getByText(/^Kept on this device: .*One photo could not be downloaded/)).toBeVisible({
    timeout: 30_000,
  })
  await expect.poll(() => keptPictures(page)).toBeGreaterThanOrEqual(1)
})

test('a device that has no room says so', async ({ insertPhotos, openAs }) => {
  const [beach] = await insertPhotos('Beach.jpg')
  const { page, caller, line } = await openAs('ben', withWorker)
  const album = await caller.call(createAlbum, { body: { title: 'Our summer', fileIds: [beach?.id ?? 0] } })
  await withController(page)
  await page.goto(`/albums/${album.id}`)
  const session = await page.context().newCDPSession(page)
  await page.getByRole('button', { name: 'More actions of the album' }).click()
  await page.getByRole('menuitem', { name: 'Keep on this device' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toBeVisible()
  await session.send('Storage.overrideQuotaForOrigin', { origin: line.url, quotaSize: 1 })
  await question.getByRole('button', { name: 'Keep' }).click()
  await expect(page.getByText('“Our summer” could not be kept completely')).toBeVisible({ timeout: 30_000 })
  await expect(
    page.getByText('This device has no space left. Free up some space, and the download continues.'),
  ).toBeVisible()
})
