import type { Page } from '@playwright/test'
import { createFolder } from '#contract/folders.ts'
import { startPostgres } from '../server/test/postgres.ts'
import { callerOn } from './support/caller.ts'
import { answer, expect, test as family, toast } from './support/family.ts'
import { addPhoto } from './support/stocked-library.ts'

/** The same tests with PostgreSQL: only one setting differs. */
const test = family.extend({
  library: async ({ environment, serverHost }, use) => {
    const postgres = await startPostgres()
    const library = await serverHost.startServer({ ...environment, DATABASE_URL: postgres.url })
    await use(library)
    await library.stop()
    await postgres.stop()
  },
})

const tile = (page: Page, name: string) => page.getByRole('gridcell', { name: new RegExp(`^${name}, `) })
const names = (page: Page) =>
  page.getByRole('gridcell').evaluateAll(cells => cells.map(cell => cell.getAttribute('aria-label')?.split(',')[0]))

test('on Postgres the gallery lists, searches, sorts, renames, moves and deletes as on SQLite', async ({
  deviceOf,
}) => {
  const page = await deviceOf('Ada Okafor', { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  const caller = await callerOn(page)
  await caller.call(createFolder, { body: { name: 'Älps' } })
  for (const [i, name] of ['éclair.jpg', 'Zebra.jpg', 'apple.jpg', '東京.jpg', 'image10.jpg', 'image9.jpg'].entries()) {
    await addPhoto(caller, name, { metadata: { dateTimeOriginal: `2024-06-1${9 - i}T12:00:00` } })
  }
  await page.reload()
  await expect(page.getByRole('heading', { name: 'All Files 6 files' })).toBeVisible()
  // Tiles are rendered as placeholders and have no names until their files are loaded.
  await expect
    .poll(() => names(page))
    .toEqual(['éclair.jpg', 'Zebra.jpg', 'apple.jpg', '東京.jpg', 'image10.jpg', 'image9.jpg'])

  await page.goto('/?sort=name')
  await expect(tile(page, 'apple.jpg')).toBeVisible()
  await expect
    .poll(() => names(page))
    .toEqual(['apple.jpg', 'éclair.jpg', 'image9.jpg', 'image10.jpg', 'Zebra.jpg', '東京.jpg'])

  const search = page.getByRole('searchbox', { name: 'Search' })
  await search.fill('ECLAIR')
  await expect(page.getByRole('heading', { name: 'All Files 1 file' })).toBeVisible()
  await search.fill('東')
  await expect(tile(page, '東京.jpg')).toBeVisible()
  await search.fill('%')
  await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible()
  await search.fill('')

  await tile(page, 'Zebra.jpg').click({ modifiers: ['Control'] })
  await tile(page, 'apple.jpg').click({ modifiers: ['Control'] })
  await page.getByRole('button', { name: 'Move to folder' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Älps').click()
  await dialog.getByRole('button', { name: /^Move/ }).last().click()
  await expect(toast(page, 'Successfully moved 2 files to Älps')).toBeVisible()

  await tile(page, '東京.jpg').click({ modifiers: ['Control'] })
  await page.getByRole('region', { name: 'Selected files' }).getByRole('button', { name: 'Delete' }).click()
  await answer(page, true)
  await expect(toast(page, 'Successfully deleted 1 file')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'All Files 5 files' })).toBeVisible()
})
