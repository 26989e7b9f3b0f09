import type { Route } from '@playwright/test'
import { bulkDelete, deleteMedia, renameMedia } from '#contract/media.ts'
import { listMedia } from '#contract/media-list.ts'
import { restoreFiles } from '#contract/trash.ts'
import { violations } from './support/axe.ts'
import { callerOn } from './support/caller.ts'
import { answer, expect, test, toast, waitWithPointerOn } from './support/family.ts'

const desktop = { width: 1440, height: 900 }

test('a member restores what they deleted, an admin what anybody deleted', async ({ deviceOf, insertPhotos }) => {
  const files = await insertPhotos('A.jpg', 'B.jpg', 'C.jpg', 'D.jpg')
  const [a = 0, b = 0, c = 0, d = 0] = files.map(file => file.id)
  const bens = await deviceOf('Ben Okafor', { viewport: desktop, reducedMotion: 'reduce' })
  const adas = await deviceOf('Ada Okafor', { viewport: desktop, reducedMotion: 'reduce' })
  const ben = await callerOn(bens)
  await ben.call(bulkDelete, { body: { fileIds: [a, b, c] } })
  await (await callerOn(adas)).call(deleteMedia, { params: { id: d } })

  await bens.getByRole('button', { name: /Ben Okafor/ }).click()
  await bens.getByRole('menuitem', { name: 'Recently deleted' }).click()
  await expect(bens.getByRole('heading', { name: 'Recently deleted', level: 1 })).toBeVisible()
  const tiles = bens.getByRole('list', { name: 'Deleted files' }).locator('[aria-pressed]')
  await expect(tiles).toHaveCount(3)
  await expect(bens.getByText('Select what you want to restore.')).toBeVisible()
  await expect(tiles.first()).toHaveAccessibleName(/^[ABC]\.jpg, 30 days left$/)
  expect(await violations(bens)).toEqual([])

  await bens.getByRole('button', { name: 'Enlarge A.jpg' }).click()
  await expect(bens.getByRole('dialog', { name: 'A.jpg' }).locator('img')).toBeVisible()
  await bens.keyboard.press('Escape')
  await expect(bens.getByRole('dialog')).toHaveCount(0)

  await bens.getByRole('button', { name: /^A\.jpg/ }).click()
  const bar = bens.getByRole('region', { name: 'Selected files' })
  await expect(bar).toContainText('1 selected')
  await bens.route('**/api/media/deleted/ids**', route => route.abort(), { times: 1 })
  await bens.getByRole('button', { name: 'Select all' }).click()
  await expect(toast(bens, 'Failed to select files')).toBeVisible()
  await expect(bar).toContainText('1 selected')
  const selectMeanwhile = async (route: Route) => {
    await bens.getByRole('button', { name: /^B\.jpg/ }).click()
    await route.continue()
  }
  await bens.route('**/api/media/restore', selectMeanwhile, { times: 1 })
  await bar.getByRole('button', { name: 'Restore' }).click()
  await expect(toast(bens, '1 file restored')).toBeVisible()
  await expect(tiles).toHaveCount(2)
  await expect(bar).toContainText('1 selected')

  // An admin has restored one of them since; the page has not heard of it.
  await bens.getByRole('button', { name: 'Select all' }).click()
  await expect(bar).toContainText('2 selected')
  await expect(bens.getByRole('button', { name: 'Select none' })).toBeVisible()
  await bens.route('**/api/media/deleted**', route => route.abort())
  await (await callerOn(adas)).call(restoreFiles, { body: { fileIds: [b] } })
  await bar.getByRole('button', { name: 'Restore' }).click()
  await expect(toast(bens, '1 file restored. 1 was not here any more.')).toBeVisible()
  await bens.unroute('**/api/media/deleted**')
  await bens.reload()
  await expect(bens.getByRole('heading', { name: 'Nothing was deleted' })).toBeVisible()
  expect((await ben.call(listMedia, { query: {} })).count).toBe(3)

  await ben.call(deleteMedia, { params: { id: c } })
  await adas.goto('/recently-deleted')
  await expect(adas.getByRole('button', { name: /^C\.jpg, .* deleted by Ben Okafor$/ })).toBeVisible()
  await adas.getByRole('button', { name: 'Select all' }).click()
  await adas.getByRole('button', { name: 'Restore' }).click()
  await expect(toast(adas, '2 files restored')).toBeVisible()
  await adas.getByRole('link', { name: 'Back to the photos' }).click()
  await expect(adas.getByRole('heading', { name: 'All Files 4 files' })).toBeVisible()
})

test('on a phone a toast goes after it was tapped', async ({ deviceOf, insertPhotos }) => {
  const files = await insertPhotos('A.jpg')
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
  const page = await deviceOf('Ben Okafor', { ...phone, reducedMotion: 'reduce' })
  await (await callerOn(page)).call(bulkDelete, { body: { fileIds: files.map(({ id }) => id) } })
  await page.goto('/recently-deleted')
  await page.getByRole('button', { name: /^A\.jpg/ }).tap()
  await page.getByRole('button', { name: 'Restore' }).tap()
  await toast(page, '1 file restored').tap()
  await expect(toast(page, '1 file restored')).toHaveCount(0)
})

test('Undo restores a deleted batch and says what others have changed since', async ({ deviceOf, insertPhotos }) => {
  const files = await insertPhotos('A.jpg', 'B.jpg', 'C.jpg')
  const page = await deviceOf('Ben Okafor', { viewport: desktop, reducedMotion: 'reduce' })
  const tile = (name: string) => page.getByRole('gridcell', { name: new RegExp(`^${name}, `) })
  await tile('A.jpg').click({ modifiers: ['Control'] })
  await tile('B.jpg').click({ modifiers: ['Control'] })
  await page.getByRole('region', { name: 'Selected files' }).getByRole('button', { name: 'Delete' }).click()
  await answer(page, true)
  await waitWithPointerOn(page, 'Successfully deleted 2 files')
  await expect(page.getByRole('gridcell')).toHaveCount(1)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(toast(page, 'Undone')).toBeVisible()
  await expect(tile('B.jpg')).toBeVisible()
  await expect(page.getByRole('gridcell')).toHaveCount(3)

  await tile('C.jpg').focus()
  await page.keyboard.press('F2')
  await page.keyboard.type('Grandma')
  await page.keyboard.press('Enter')
  await waitWithPointerOn(page, 'File renamed successfully')
  const rose = await callerOn(await deviceOf('Grandma Rose'))
  const params = { id: files[2]?.id ?? 0 }
  await rose.call(renameMedia, { params, body: { newName: 'Rose and Grandma' } })
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(toast(page, 'This could not be undone')).toBeVisible()
  await expect(toast(page, 'It has been renamed to “Rose and Grandma.jpg” since.')).toBeVisible()
})
