import type { Page } from '@playwright/test'
import { expect, test as family } from './support/family.ts'
import type { PhotoToInsert } from './support/insert-photos.ts'
import { tokenOf } from './support/session.ts'

const FILES = 300

/** One file every five days, of 2024 and the years before. */
const photos: PhotoToInsert[] = Array.from({ length: FILES }, (_, i) => ({
  name: `Photo ${String(i + 1).padStart(3, '0')}.jpg`,
  width: 40 + (i % 50),
  height: 48,
  dateTimeOriginal: new Date(Date.UTC(2024, 11, 30, 12) - i * 5 * 86_400_000).toISOString().slice(0, 19),
  folderId: null,
}))

/** Ada's new device, which has no preference yet. */
const test = family.extend<{ page: Page }>({
  page: async ({ library, serverHost, deviceOf }, use) => {
    // The photos need an owner.
    await tokenOf(library.url, 'ada')
    await serverHost.insertPhotos(library, photos)
    const page = await deviceOf('Ada Okafor', { viewport: desktop, reducedMotion: 'reduce', locale: 'en-GB' })
    await page.evaluate(() => localStorage.removeItem('gallery-view'))
    await page.goto('/')
    await expect(cells(page).first()).toBeVisible()
    await use(page)
  },
})

const desktop = { width: 1_440, height: 900 }
const cells = (page: Page) => page.locator('[data-index]')

/** The indexes of the files that are whole on the screen. */
const onScreen = (page: Page) =>
  cells(page).evaluateAll(all =>
    all
      .filter(cell => {
        const { top, bottom } = cell.getBoundingClientRect()
        return top >= 0 && bottom <= window.innerHeight
      })
      .map(cell => Number(cell.getAttribute('data-index'))),
  )

test('a new device shows true proportions, of which a screen has two dozen; the grid is one button away', async ({
  page,
}) => {
  const proportions = page.getByRole('button', { name: 'True proportions' })
  await expect(proportions).toHaveAttribute('aria-pressed', 'true')
  expect((await onScreen(page)).length).toBeGreaterThanOrEqual(24)
  await page.getByRole('button', { name: 'Grid', exact: true }).click()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Grid', exact: true })).toHaveAttribute('aria-pressed', 'true')
})

test('photos are made smaller down to an overview of years, from which one leads to its place', async ({ page }) => {
  let transferred = 0
  const network = await page.context().newCDPSession(page)
  await network.send('Network.enable')
  const smaller = page.getByRole('button', { name: 'Smaller photos' })
  while (await smaller.isEnabled()) await smaller.click()

  // As somebody sees it who opens the overview.
  network.on('Network.loadingFinished', ({ encodedDataLength }) => {
    transferred += encodedDataLength
  })
  await page.reload()
  await expect(page.getByRole('columnheader', { name: '2024', exact: true })).toBeVisible()
  await expect.poll(async () => (await onScreen(page)).length).toBeGreaterThan(FILES - 100)
  await expect(page.locator('.overview-tile [data-blurred]').first()).toBeVisible()
  expect(transferred).toBeLessThan(1_000_000)

  const wanted = page.getByRole('gridcell', { name: /^Photo 250\.jpg/ })
  await wanted.click()
  await expect(wanted).toBeInViewport({ ratio: 1 })
  await expect.poll(async () => (await wanted.boundingBox())?.height).toBeGreaterThan(80)
  await expect(wanted).toBeFocused()
  await expect(page).toHaveURL('/')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Photo 250.jpg' })).toBeVisible()
})

test('with + there is one photo in a row, and the photo in the middle stays in view', async ({ page }) => {
  await page.evaluate(() => window.scrollTo(0, 1_500))
  const middle = async () => {
    const shown = await onScreen(page)
    return shown[Math.floor(shown.length / 2)] ?? -1
  }
  const before = await middle()
  const larger = page.getByRole('button', { name: 'Larger photos' })
  while (await larger.isEnabled()) await page.keyboard.press('+')
  const rows = await page
    .getByRole('grid')
    .getByRole('row')
    .filter({ has: page.getByRole('gridcell') })
    .all()
  for (const row of rows) await expect(row.getByRole('gridcell')).toHaveCount(1)
  const visible = await cells(page).evaluateAll(all =>
    all
      .filter(cell => cell.getBoundingClientRect().bottom > 0 && cell.getBoundingClientRect().top < window.innerHeight)
      .map(cell => Number(cell.getAttribute('data-index'))),
  )
  expect(Math.min(...visible.map(index => Math.abs(index - before)))).toBeLessThanOrEqual(6)
})
