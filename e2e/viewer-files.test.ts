import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import type { Grid } from '#contract/grid.ts'
import { mediaFilePath } from '#contract/media.ts'
import { callerOn } from './support/caller.ts'
import { answer, expect, type InsertPhotos, type PersonName, test, toast } from './support/family.ts'
import { viewer } from './support/viewer.ts'

type DeviceOf = (name: PersonName, options?: object) => Promise<Page>

const tile = (page: Page, name: string) => page.getByRole('gridcell', { name: new RegExp(`^${name}, `) })

async function openLibrary(deviceOf: DeviceOf, insertPhotos: InsertPhotos) {
  const [a, b] = await insertPhotos('A.jpg', 'B.jpg')
  if (a === undefined || b === undefined) throw new Error('There are no files')
  const page = await deviceOf('Ada Okafor', { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  const caller = await callerOn(page)
  await page.goto(`/?file=${a.id}`)
  await expect(viewer(page, 'A.jpg')).toBeVisible()
  return { page, caller, a, b }
}

async function rehash(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Rehash' }).click()
  await answer(page, true)
}

const message = (page: Page, text: string) => page.getByRole('region', { name: 'Messages' }).getByText(text)

test('a file is downloaded unchanged under its name, several as one ZIP', async ({ deviceOf, insertPhotos }) => {
  const { page, caller, a } = await openLibrary(deviceOf, insertPhotos)
  const one = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  const downloaded = await one
  expect(downloaded.suggestedFilename()).toBe('A.jpg')
  await expect(toast(page, 'Download started')).toBeVisible()
  const original = await caller.fetch(a.download_url)
  expect(await readFile(await downloaded.path())).toEqual(Buffer.from(await original.arrayBuffer()))

  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await tile(page, 'A.jpg').click({ modifiers: ['Control'] })
  await tile(page, 'B.jpg').click({ modifiers: ['Control'] })
  const both = page.waitForEvent('download')
  await page.getByRole('region', { name: 'Selected files' }).getByRole('button', { name: 'Download' }).click()
  const zip = await both
  expect(zip.suggestedFilename()).toMatch(/\.zip$/)
  const bytes = await readFile(await zip.path())
  expect(bytes.subarray(0, 2).toString()).toBe('PK')
  for (const name of ['A.jpg', 'B.jpg']) expect(bytes.includes(name)).toBe(true)
})

test('a download that cannot start shows an error', async ({ deviceOf, insertPhotos }) => {
  const { page } = await openLibrary(deviceOf, insertPhotos)
  await page.route(/\/files\/originals\//, route => route.fulfill({ status: 404 }))
  await page.getByRole('button', { name: 'Download' }).click()
  await expect(toast(page, 'Failed to download file')).toBeVisible()
})

test('a file is rehashed, and each possible failure has its message', async ({ deviceOf, insertPhotos }) => {
  const { page, a } = await openLibrary(deviceOf, insertPhotos)
  await rehash(page)
  await expect(toast(page, 'Successfully rehashed A.jpg')).toBeVisible()

  const originals = /\/files\/originals\//
  const causes = [
    ['Download failed with status 403', () => page.route(originals, route => route.fulfill({ status: 403 }))],
    ['Empty response body', () => page.route(originals, route => route.fulfill({ status: 200, body: '' }))],
    [
      'No signed URL available',
      () =>
        page.route(`**/api/media/${a.id}`, async route => {
          const response = await route.fetch()
          await route.fulfill({ response, json: { ...(await response.json()), download_url: '' } })
        }),
    ],
  ] as const
  for (const [cause, provoke] of causes) {
    await provoke()
    await rehash(page)
    await expect(message(page, cause)).toBeVisible()
    await page.unrouteAll({ behavior: 'wait' })
  }
  await expect(toast(page, 'Failed to rehash A.jpg').first()).toBeVisible()
})

test('rehashing rejects bytes that differ from the original', async ({ deviceOf, insertPhotos }) => {
  const { page } = await openLibrary(deviceOf, insertPhotos)
  await page.route(/\/files\/originals\//, route => route.fulfill({ status: 200, body: 'not what it was' }))
  const refused = page.waitForResponse(response => response.url().endsWith('/hash'))
  await rehash(page)
  expect((await refused).status()).toBe(409)
  await expect(toast(page, 'Failed to rehash A.jpg')).toBeVisible()
})

test('several files are rehashed from the bar', async ({ deviceOf, insertPhotos }) => {
  const { page } = await openLibrary(deviceOf, insertPhotos)
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await tile(page, 'A.jpg').click({ modifiers: ['Control'] })
  await tile(page, 'B.jpg').click({ modifiers: ['Control'] })
  await page.getByRole('region', { name: 'Selected files' }).getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Rehash' }).click()
  // A file has no row until its name is loaded.
  const names = Promise.withResolvers<void>()
  await page.route(/\/api\/media\/\d+$/, async route => {
    await names.promise
    await route.continue()
  })
  await answer(page, true)
  await expect(page.getByRole('region', { name: 'Rehashing' })).toHaveText('Rehashing: 0 of 2 files')
  names.resolve()
  await expect(toast(page, 'Successfully rehashed A.jpg')).toBeVisible()
  await expect(toast(page, 'Successfully rehashed B.jpg')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Rehashing' })).toHaveCount(0)
})

test('a picture with an expired URL is requested once more, then fetched with the session', async ({
  deviceOf,
  insertPhotos,
}) => {
  const { page, a } = await openLibrary(deviceOf, insertPhotos)
  let [asked, fetched] = [0, 0]
  page.on('request', request => {
    if (request.url().endsWith(`/api/media/${a.id}`)) asked++
    if (request.url().endsWith(mediaFilePath.replace(':id', String(a.id)))) fetched++
  })
  await page.goto('about:blank')
  // Wait until the page has the first response: before that, the refetch for a new URL would be deduplicated into it.
  const opened = page
    .waitForResponse(response => response.url().endsWith(`/api/media/${a.id}`))
    .then(response => response.finished())
    .then(() => page.evaluate(() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))))
  await page.route(/\/files\//, async route => {
    await opened
    await route.fulfill({ status: 403 })
  })
  await page.goto(`/?file=${a.id}`)
  await expect(page.locator('img[data-shown][src^="blob:"]')).toBeVisible()
  // The viewer fetches the file when it opens and again after its URL failed; the tile behind it may do the same.
  expect(asked).toBeGreaterThanOrEqual(2)
  expect(asked).toBeLessThanOrEqual(4)
  expect(fetched).toBe(1)
})

/** Removes the signed URLs from responses, as from a server that issues none. */
async function withoutAddresses(page: Page): Promise<void> {
  await page.route(/\/api\/media(\?|\/\d+$)/, async route => {
    const response = await route.fetch()
    const text = (await response.text()).replace(
      /"(url|thumbnail_url|variant_urls)":(?:"[^"]*"|\{[^}]*\})/g,
      '"$1":null',
    )
    await route.fulfill({ response, body: text })
  })
  await page.route(/\/api\/media\/grid\?/, async route => {
    const response = await route.fetch()
    const grid: Grid = await response.json()
    for (const file of grid.files) Object.assign(file, { thumbnail: null, mobile: null })
    await route.fulfill({ response, json: grid })
  })
}

test('a ready photo without URLs is fetched with the session, its tile too', async ({ deviceOf, insertPhotos }) => {
  const { page, a } = await openLibrary(deviceOf, insertPhotos)
  await withoutAddresses(page)
  await page.goto('about:blank')
  await page.goto(`/?file=${a.id}`)
  await expect(page.locator('img[data-shown][src^="blob:"]')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(tile(page, 'A.jpg').locator('img[data-loaded][src^="blob:"]')).toBeVisible()
  // Ignore errors of responses that are still being rewritten.
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('a session that ended while a photo is fetched leads to the sign-in page', async ({ deviceOf, insertPhotos }) => {
  const { page, a } = await openLibrary(deviceOf, insertPhotos)
  await withoutAddresses(page)
  const refusal = { error: 'Please sign in.', code: 'not_signed_in' }
  await page.route(`**${mediaFilePath.replace(':id', String(a.id))}`, route =>
    route.fulfill({ status: 401, json: refusal }),
  )
  await page.goto('about:blank')
  await page.goto(`/?file=${a.id}`)
  await expect(page).toHaveURL(/\/login/)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test.describe('a file that leaves the list', () => {
  test.use({ expectedLog: /404/ })

  test('keeps its neighbours and has no number any more', async ({ deviceOf, insertPhotos }) => {
    await insertPhotos('beach-1.jpg', 'beach-2.jpg', 'beach-3.jpg')
    const page = await deviceOf('Ada Okafor')
    await page.goto('/?search=beach')
    await page.getByRole('gridcell', { name: /^beach-1/ }).click()
    const viewer = page.getByRole('dialog')
    await expect(viewer.getByText('1 of 3', { exact: true })).toBeVisible()
    await viewer.getByRole('button', { name: 'Rename' }).click()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('dune')
    await page.keyboard.press('Enter')
    await expect(viewer.getByText(/^\d of \d$/)).toHaveCount(0)
    await page.keyboard.press('ArrowRight')
    await expect(viewer.getByText('1 of 2', { exact: true })).toBeVisible()
    await expect(viewer.getByRole('heading', { name: 'beach-2.jpg', exact: true })).toBeVisible()
  })
})
