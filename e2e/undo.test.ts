import type { Page } from '@playwright/test'
import { toast as times } from '#contract/limits.ts'
import { listLinks } from '#contract/links.ts'
import { bulkDelete, deleteMedia, renameMedia } from '#contract/media.ts'
import { addTag, removeTag, tagsOfFile } from '#contract/tags.ts'
import { callerOn } from './support/caller.ts'
import { answer, expect, test, toast } from './support/family.ts'
import { viewer } from './support/viewer.ts'

const desktop = { width: 1440, height: 900 }
const tile = (page: Page, name: string) => page.getByRole('gridcell', { name: new RegExp(`^${name}, `) })
const messages = (page: Page) => page.locator('[data-sonner-toast]')

async function rename(page: Page, name: string, newName: string): Promise<void> {
  await tile(page, name).focus()
  await page.keyboard.press('F2')
  await page.keyboard.type(newName)
  await page.keyboard.press('Enter')
  await expect(toast(page, 'File renamed successfully')).toBeVisible()
}

async function deleteSelected(page: Page, name: string): Promise<void> {
  await tile(page, name).click({ modifiers: ['Control'] })
  await page.getByRole('region', { name: 'Selected files' }).getByRole('button', { name: 'Delete' }).click()
  await answer(page, true)
  await expect(tile(page, name)).toHaveCount(0)
}

test('Ctrl+Z undoes the last act, once, and says what it was', async ({ deviceOf, insertPhotos }) => {
  await insertPhotos('A.jpg', 'B.jpg')
  const page = await deviceOf('Ben Okafor', { viewport: desktop, reducedMotion: 'reduce' })
  await rename(page, 'A.jpg', 'Grandma')
  await deleteSelected(page, 'B.jpg')
  for (const close of await page.getByRole('button', { name: 'Close message' }).all()) await close.click()
  await expect(messages(page)).toHaveCount(0)

  // A field has its own undo.
  const search = page.getByPlaceholder('Search files...')
  await search.fill('B')
  await search.press('Control+z')
  await search.fill('')
  await expect(page.getByRole('gridcell')).toHaveCount(1)
  await search.blur()

  const requests: string[] = []
  page.on('request', request => request.method() !== 'GET' && requests.push(new URL(request.url()).pathname))
  await page.keyboard.press('Control+z')
  await expect(toast(page, 'Undone')).toBeVisible()
  await expect(toast(page, 'Successfully deleted 1 file')).toBeVisible()
  await expect(tile(page, 'B.jpg')).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect(toast(page, 'File renamed successfully')).toBeVisible()
  await expect(tile(page, 'A.jpg')).toBeVisible()
  await page.keyboard.press('Control+z')
  await expect(page.getByRole('gridcell')).toHaveCount(2)
  const undone = requests.filter(path => /restore|rename/.test(path))
  expect(undone).toEqual(['/api/media/restore', expect.stringMatching(/rename$/)])
})

test('Ctrl+Z presses no other button of a message', async ({ deviceOf, insertPhotos }) => {
  await insertPhotos('A.jpg', 'B.jpg')
  const page = await deviceOf('Ben Okafor', {
    viewport: desktop,
    reducedMotion: 'reduce',
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const ben = await callerOn(page)
  await rename(page, 'A.jpg', 'Grandma')
  await tile(page, 'B.jpg').click()
  await viewer(page, 'B.jpg').getByRole('button', { name: 'Share', exact: true }).click()
  const shared = messages(page).filter({ hasText: 'Link copied' })
  await expect(shared.getByRole('button', { name: 'End link' })).toBeVisible()
  await shared.hover()

  await page.keyboard.press('Control+z')
  await expect(messages(page).filter({ hasText: 'Undone' })).toContainText('File renamed successfully')
  await page.keyboard.press('Control+z')
  await expect(shared).toBeVisible()
  // The list has no ended ones.
  expect(await ben.call(listLinks, { query: {} })).toHaveLength(1)
})

test('Ctrl+Z in the viewer, and what others have changed since is refused', async ({ deviceOf, insertPhotos }) => {
  const [a] = await insertPhotos('A.jpg')
  if (a === undefined) throw new Error('There are no files')
  const page = await deviceOf('Ben Okafor', { viewport: desktop, reducedMotion: 'reduce' })
  const ben = await callerOn(page)
  const tags = () => ben.call(tagsOfFile, { params: { id: a.id } })
  await page.goto(`/?file=${a.id}`)
  await expect(viewer(page, 'A.jpg')).toBeVisible()
  const field = page.getByLabel('Add a tag')
  const addSea = async () => {
    await field.fill('Sea')
    await field.press('Enter')
    await expect(toast(page, 'Tag added successfully')).toBeVisible()
    await field.blur()
  }
  await addSea()
  await page.keyboard.press('Control+z')
  await expect(toast(page, 'Undone')).toBeVisible()
  expect(await tags()).toEqual([])
  await page.getByRole('button', { name: 'Close message' }).first().click()
  await addSea()
  const rose = await callerOn(await deviceOf('Grandma Rose'))
  const [sea] = await tags()
  await rose.call(removeTag, { params: { id: a.id, tagId: sea?.id ?? 0 } })
  await page.keyboard.press('Control+z')
  await expect(toast(page, 'This could not be undone')).toBeVisible()
})

test('the last changes are in the menu, also after a reload', async ({ deviceOf, insertPhotos }) => {
  const [a, b] = await insertPhotos('A.jpg', 'B.jpg')
  if (a === undefined || b === undefined) throw new Error('There are no files')
  const page = await deviceOf('Ben Okafor', { viewport: desktop, reducedMotion: 'reduce' })
  const ben = await callerOn(page)
  await ben.call(addTag, { params: { id: a.id }, body: { tagName: 'Sea' } })
  await page.reload()
  await rename(page, 'B.jpg', 'Grandma')
  const open = async () => {
    await page.getByRole('button', { name: /Ben Okafor/ }).click()
    await page.getByRole('menuitem', { name: 'Last changes' }).click()
  }
  await open()
  const dialog = page.getByRole('dialog', { name: 'Last changes' })
  const rows = dialog.getByRole('listitem')
  await expect(rows).toHaveCount(2)
  await expect(rows.nth(0)).toContainText('File renamed successfully')
  await expect(rows.nth(1)).toContainText('Tagged A.jpg with “Sea”')
  await dialog.getByRole('button', { name: 'Undo: Tagged A.jpg with “Sea”' }).click()
  await expect(toast(page, 'Undone').first()).toBeVisible()
  await expect(rows).toHaveCount(1)
  expect(await ben.call(tagsOfFile, { params: { id: a.id } })).toEqual([])
  // Somebody has renamed it again since.
  const rose = await callerOn(await deviceOf('Grandma Rose'))
  await rose.call(renameMedia, { params: { id: b.id }, body: { newName: 'Rose.jpg' } })
  await dialog.getByRole('button', { name: 'Undo: File renamed successfully' }).click()
  await expect(toast(page, 'This could not be undone')).toBeVisible()
  await expect(dialog.getByText('There is nothing that you can undo.')).toBeVisible()
})

test('a message with Undo stays for ten seconds, and while it has the pointer or the focus', async ({
  deviceOf,
  insertPhotos,
}) => {
  await insertPhotos('A.jpg')
  const page = await deviceOf('Ben Okafor', { viewport: desktop, reducedMotion: 'reduce' })
  await page.clock.install()
  await page.reload()
  await expect(tile(page, 'A.jpg')).toBeVisible()
  await rename(page, 'A.jpg', 'Grandma')
  await page.clock.fastForward(times.durationWithUndo - 2_000)
  await expect(messages(page)).toHaveCount(1)
  await messages(page).getByRole('button', { name: 'Undo' }).focus()
  await page.clock.fastForward(10 * times.durationWithUndo)
  await expect(messages(page)).toHaveCount(1)
  await messages(page).hover()
  await tile(page, 'Grandma.jpg').focus()
  await page.clock.fastForward(10 * times.durationWithUndo)
  await expect(messages(page)).toHaveCount(1)
  await page.mouse.move(300, 700)
  await page.clock.fastForward(times.durationWithUndo)
  await expect(messages(page)).toHaveCount(0)
})

test('an uploader gets a notification of what others have deleted, and restores it', async ({
  deviceOf,
  insertPhotos,
}) => {
  const page = await deviceOf('Ada Okafor', { viewport: desktop, reducedMotion: 'reduce' })
  // The first person has uploaded them.
  const [a, b] = await insertPhotos('A.jpg', 'B.jpg')
  if (a === undefined || b === undefined) throw new Error('There are no files')
  const ada = await callerOn(page)
  const ben = await callerOn(await deviceOf('Ben Okafor'))
  await ben.call(bulkDelete, { body: { fileIds: [a.id] } })
  await ada.call(deleteMedia, { params: { id: b.id } })
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await page.getByRole('button', { name: /Ben Okafor deleted a photo of yours/ }).click()
  await expect(page.getByRole('heading', { name: 'Recently deleted', level: 1 })).toBeVisible()
  const tiles = page.getByRole('list', { name: 'Deleted files' }).locator('[aria-pressed]')
  await expect(tiles).toHaveCount(1)
  await expect(tiles.first()).toHaveAccessibleName(/^A\.jpg, .* deleted by Ben Okafor$/)
  await tiles.first().click()
  await page.getByRole('button', { name: 'Restore' }).click()
  await expect(toast(page, '1 file restored')).toBeVisible()
  await page.getByRole('link', { name: 'Show everything that you can restore' }).click()
  await expect(tiles.first()).toHaveAccessibleName(/^B\.jpg/)
})
