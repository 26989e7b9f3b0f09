import type { Page } from '@playwright/test'
import { deleteMedia } from '#contract/media.ts'
import { endAllSessions } from '#contract/sessions.ts'
import { keptAnswers } from './support/kept-answers.ts'
import { expect, test } from './support/members.ts'
import { viewer } from './support/viewer.ts'

/** The pages with their service worker, on a device whose connection is cut. */
const withWorker = { serviceWorkers: 'allow' } as const
const banner = 'The library can’t be reached. Trying again…'
const smallCopy = 'You are offline; this is a small copy.'

/** A page that is controlled, and has its pictures and answers on the device. */
async function visit(page: Page): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await page.reload()
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated')
  await expect.poll(() => keptPictures(page)).toBeGreaterThan(0)
  // Answers are written together, a moment after they came.
  await expect.poll(() => keptAnswers(page)).toContain('/api/start?proportions=')
}

const keptPictures = (page: Page) =>
  page.evaluate(async () => {
    if (!(await caches.has('pictures'))) return 0
    return (await (await caches.open('pictures')).keys()).length
  })

const tiles = (page: Page) => page.locator('td[data-index] img')

async function isDrawn(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const pictures = [...document.querySelectorAll<HTMLImageElement>('td[data-index] img')]
    return pictures.length > 0 && pictures.every(picture => picture.complete && picture.naturalWidth > 0)
  })
}

test('without a connection the library opens with the photos that were seen, and the viewer too', async ({
  insertPhotos,
  openAs,
}) => {
  const [beach] = await insertPhotos('Beach.jpg', 'Garden.jpg', 'Lake.jpg', 'Meadow.jpg', 'Sea.jpg')
  const { page, line } = await openAs('ben', withWorker)
  await visit(page)
  await tiles(page).first().click()
  await expect(viewer(page, 'Beach.jpg')).toBeVisible()
  await expect.poll(() => keptAnswers(page)).toContain(`/api/media/${beach?.id}`)
  await page.keyboard.press('Escape')

  line.cut()
  await page.reload()
  await expect(page.getByText(banner)).toBeVisible()
  await expect(tiles(page)).toHaveCount(5)
  await expect.poll(() => isDrawn(page)).toBe(true)
  await tiles(page).first().click()
  await expect(viewer(page, 'Beach.jpg')).toBeVisible()
  await expect(page.locator('.viewer-stage img[data-shown]')).toBeVisible()
  await expect(page.getByText(smallCopy)).toHaveCount(0)
  await page.keyboard.press('Escape')
  // Only the picture of its tile is on the device: the viewer loads the neighbours of a photo alone.
  await tiles(page).last().click()
  await expect(page.getByText(smallCopy)).toBeVisible()
  await expect(page.getByRole('dialog').getByRole('heading').first()).toHaveText(/Jun.*2024/)

  line.restore()
  await expect(page.getByText(banner)).toHaveCount(0)
  await expect(viewer(page, 'Sea.jpg')).toBeVisible()
  await expect(page.getByText(smallCopy)).toHaveCount(0)
})

test('the page opens with what it knows before the server answers, and then shows what is new', async ({
  insertPhotos,
  openAs,
}) => {
  const [beach] = await insertPhotos('Beach.jpg', 'Garden.jpg')
  const { page, line } = await openAs('ben', withWorker)
  const ada = await openAs('ada')
  await visit(page)
  await page.goto('about:blank')
  await ada.caller.call(deleteMedia, { params: { id: beach?.id ?? 0 } })
  line.hang()
  await page.goto('/')
  await expect(tiles(page)).toHaveCount(2)
  line.cut()
  line.restore()
  await expect(tiles(page)).toHaveCount(1)
})

test('signing out leaves nothing of the library on the device', async ({ insertPhotos, openAs }) => {
  await insertPhotos('Beach.jpg')
  const { page } = await openAs('ben', { ...withWorker, viewport: { width: 1440, height: 900 } })
  await visit(page)
  await page.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL('/login')
  await expect.poll(() => keptPictures(page)).toBe(0)
  await expect.poll(() => keptAnswers(page)).toBe('')
})

test('a session that is ended on another device leaves nothing on this one, which has a page open', async ({
  insertPhotos,
  openAs,
}) => {
  await insertPhotos('Beach.jpg')
  const { page, caller } = await openAs('ben', withWorker)
  await visit(page)
  await caller.call(endAllSessions)
  await expect(page).toHaveURL('/login')
  await expect.poll(() => keptPictures(page)).toBe(0)
  await expect.poll(() => keptAnswers(page)).toBe('')
})

test('what is kept where browsers have no service workers can be removed in My settings', async ({
  insertPhotos,
  openAs,
}) => {
  await insertPhotos('Beach.jpg')
  const { page } = await openAs('ben')
  // As on a page without https.
  await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'serviceWorker'))
  const remove = page.getByRole('button', { name: 'Remove it now' })
  // Answers are written together, a moment after they came.
  await expect(async () => {
    await page.goto('/settings')
    await expect(page.getByText('Photos are not kept here')).toBeVisible()
    await expect(remove).toBeVisible({ timeout: 2_000 })
  }).toPass()
  // The last answers of this page, which would be saved again after the click.
  await expect.poll(() => keptAnswers(page)).toMatch(/me\/mail(.|\n)*users/)
  await remove.click()
  await expect(page.getByText('Removed from this device')).toBeVisible()
  await expect.poll(() => keptAnswers(page)).toBe('')
})
