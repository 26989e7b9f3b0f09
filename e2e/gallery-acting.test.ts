import type { Page } from '@playwright/test'
import { listAlbums } from '#contract/albums.ts'
import { createFolder } from '#contract/folders.ts'
import { bulkChanges } from '#contract/limits.ts'
import { bulkDelete, type MediaFile } from '#contract/media.ts'
import { listMedia } from '#contract/media-list.ts'
import { callerOn } from './support/caller.ts'
import {
  answer,
  expect,
  type InsertPhotos,
  type PersonName,
  test,
  toast,
  typeInFocusedField,
  waitWithPointerOn,
  withoutLiveEvents,
} from './support/family.ts'
import { addPhoto } from './support/stocked-library.ts'

const tile = (page: Page, name: string) => page.getByRole('gridcell', { name: new RegExp(`^${name}, `) })
const bar = (page: Page) => page.getByRole('region', { name: 'Selected files' })

type DeviceOf = (name: PersonName, options?: object) => Promise<Page>

/** A separate small library, because these tests modify it: A.jpg (the newest) to F.jpg. */
async function openWithSix(
  deviceOf: DeviceOf,
  insertPhotos: InsertPhotos,
): Promise<{ page: Page; files: MediaFile[] }> {
  const files = await insertPhotos('A.jpg', 'B.jpg', 'C.jpg', 'D.jpg', 'E.jpg', 'F.jpg')
  const page = await deviceOf('Ada Okafor', { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  await expect(tile(page, 'A.jpg')).toBeVisible()
  return { page, files }
}

async function chooseAction(page: Page, name: string, action: string): Promise<void> {
  await tile(page, name).hover()
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

async function select(page: Page, ...names: string[]): Promise<void> {
  for (const name of names) await tile(page, name).click({ modifiers: ['Control'] })
}

/** The controls under toasts, except those of tiles, which scroll out from under them. */
function coveredByToasts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const toasts = [...document.querySelectorAll('[data-sonner-toast]')].map(toast => toast.getBoundingClientRect())
    return [...document.querySelectorAll('button, a, input, [role=combobox], [role=slider]')]
      .filter(control => control.closest('[data-sonner-toast], [role=gridcell]') === null)
      .filter(control => {
        const { left, right, top, bottom } = control.getBoundingClientRect()
        return toasts.some(at => left < at.right && right > at.left && top < at.bottom && bottom > at.top)
      })
      .map(control => control.outerHTML.slice(0, 120))
  })
}

test('a photo is renamed in place, and a rename that fails says why', async ({ deviceOf, insertPhotos }) => {
  const { page, files } = await openWithSix(deviceOf, insertPhotos)
  await test.step('a photo is renamed in place: Enter saves, Escape and an empty name do not, Undo restores it', async () => {
    const field = page.getByRole('textbox', { name: 'File name' })
    await chooseAction(page, 'A.jpg', 'Rename')
    await expect(field).toBeFocused()
    await field.fill('Grandma.jpg')
    await page.keyboard.press('Escape')
    await expect(field).toHaveCount(0)
    await expect(tile(page, 'A.jpg')).toBeFocused()

    await page.keyboard.press('F2')
    await field.fill('   ')
    await page.keyboard.press('Enter')
    await expect(field).toHaveCount(0)
    await expect(tile(page, 'A.jpg')).toBeVisible()
    await expect(toast(page, 'File renamed successfully')).toHaveCount(0)

    await page.keyboard.press('F2')
    // Only the part before the extension is selected, so typing keeps the extension.
    await typeInFocusedField(page, 'Grandma')
    await page.keyboard.press('Enter')
    await waitWithPointerOn(page, 'File renamed successfully')
    await expect(tile(page, 'Grandma.jpg')).toBeFocused()
    expect(await coveredByToasts(page)).toEqual([])

    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(tile(page, 'A.jpg')).toBeVisible()
    await expect(toast(page, 'Undone')).toBeVisible()
  })
  await test.step('a name that the server rejects stays in its field to be corrected', async () => {
    await page.reload()
    const refusal = { error: 'The library cannot save this now.', code: 'unavailable' }
    await page.route('**/api/media/*/rename', route => route.fulfill({ status: 503, json: refusal }))
    await chooseAction(page, 'B.jpg', 'Rename')
    await typeInFocusedField(page, 'Late')
    await page.keyboard.press('Enter')
    await expect(toast(page, 'Failed to rename file')).toBeVisible()
    const field = page.getByRole('textbox', { name: 'File name' })
    await expect(field).toHaveValue('Late.jpg')
    await expect(field).toBeEditable()
    await page.unroute('**/api/media/*/rename')
    await field.press('Enter')
    await expect(toast(page, 'File renamed successfully')).toBeVisible()
    await expect(tile(page, 'Late.jpg')).toBeVisible()
  })
  await test.step('a rename that fails says why and changes nothing', async () => {
    const caller = await callerOn(page)
    await withoutLiveEvents(page)
    await chooseAction(page, 'C.jpg', 'Rename')
    await caller.call(bulkDelete, {
      body: { fileIds: files.filter(file => file.original_name === 'C.jpg').map(f => f.id) },
    })
    await typeInFocusedField(page, 'Late')
    await page.keyboard.press('Enter')
    await expect(toast(page, 'Failed to rename file')).toBeVisible()
    await expect(tile(page, 'C.jpg')).toHaveCount(0)
  })
})

test('a heart adds a photo to Favourites, from its tile, by key and for many at once; Undo takes it back', async ({
  deviceOf,
  insertPhotos,
}) => {
  const { page } = await openWithSix(deviceOf, insertPhotos)
  const favourites = (count: string) => page.getByRole('heading', { name: `Favourites ${count}` })
  await page.getByRole('link', { name: 'Favourites' }).click()
  await expect(page.getByText('No favourites yet')).toBeVisible()
  await page.getByRole('button', { name: 'Show all files' }).click()

  await tile(page, 'A.jpg').hover()
  await page.getByRole('button', { name: 'Add A.jpg to Favourites' }).click()
  await expect(page.getByRole('button', { name: 'Remove A.jpg from Favourites, loved by 1 person' })).toBeVisible()
  await tile(page, 'B.jpg').click()
  const second = page.getByRole('dialog', { name: 'B.jpg' })
  await expect(second.getByText('2 of 6', { exact: true })).toBeVisible()
  await page.keyboard.press('f')
  await expect(second.getByText('Loved by you')).toBeVisible()
  await page.keyboard.press('Escape')
  await select(page, 'B.jpg', 'C.jpg')
  await bar(page).getByRole('button', { name: 'Add to Favourites' }).click()
  await expect(toast(page, 'Added 1 file to Favourites')).toBeVisible()

  await page.getByRole('link', { name: 'Favourites 3 files' }).click()
  await expect(page.getByRole('button', { name: 'Save as album' })).toBeVisible()
  await expect(favourites('3 files')).toBeVisible()
  await tile(page, 'A.jpg').focus()
  await page.keyboard.press('f')
  await expect(favourites('2 files')).toBeVisible()
  const removed = page.locator('[data-sonner-toast]').filter({ hasText: 'Removed from Favourites' })
  await removed.getByRole('button', { name: 'Undo' }).click()
  await expect(favourites('3 files')).toBeVisible()

  await tile(page, 'A.jpg').click()
  const opened = page.getByRole('dialog', { name: 'A.jpg' })
  const position = opened.getByText(/^\d of \d$/)
  await expect(position).toHaveText(/of 3/)
  await expect(opened.getByText('Loved by you')).toBeVisible()
  const refused: string[] = []
  page.on('response', response => void (response.status() >= 400 && refused.push(response.url())))
  await page.keyboard.press('f')
  await expect(toast(page, 'Removed from Favourites')).toBeVisible()
  await expect(position).toHaveCount(0)
  await page.keyboard.press('f')
  await expect(position).toHaveText(/of 3/)
  await expect(toast(page, 'Removed from Favourites')).toHaveCount(0)
  expect(refused).toEqual([])

  // The next one has moved up to its position.
  await page.keyboard.press('f')
  await expect(page.getByRole('heading', { name: 'Favourites 2 files', includeHidden: true })).toBeAttached()
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('dialog', { name: 'B.jpg' }).getByText('1 of 2', { exact: true })).toBeVisible()
})

test('files are deleted after a question, one or many at once, or kept if that fails', async ({
  deviceOf,
  insertPhotos,
}) => {
  const { page, files } = await openWithSix(deviceOf, insertPhotos)
  await test.step('a delete that fails keeps the selection and says so', async () => {
    await select(page, 'A.jpg', 'B.jpg')
    await page.route('**/api/folders/bulk-delete', route => route.abort())
    await bar(page).getByRole('button', { name: 'Delete' }).click()
    await answer(page, true)
    await expect(toast(page, 'Failed to delete files')).toBeVisible()
    await expect(bar(page)).toContainText('2 selected')
  })
  await test.step('deleting a photo asks first and keeps it on Cancel', async () => {
    await page.unrouteAll()
    await page.reload()
    await chooseAction(page, 'C.jpg', 'Delete')
    expect(await answer(page, false)).toBe(
      'Are you sure you want to delete "C.jpg"? You can undo this, or restore it from Recently deleted for 30 days.',
    )
    await expect(tile(page, 'C.jpg')).toBeVisible()

    await tile(page, 'C.jpg').focus()
    await page.keyboard.press('Delete')
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    await expect(tile(page, 'C.jpg')).toBeFocused()
    await page.keyboard.press('Delete')
    await answer(page, true)
    await expect(toast(page, 'File deleted successfully')).toBeVisible()
    await expect(tile(page, 'C.jpg')).toHaveCount(0)
    await expect(page.getByRole('heading', { name: 'All Files 5 files' })).toBeVisible()
    await expect(tile(page, 'D.jpg')).toBeFocused()
  })
  await test.step('many files are deleted at once; one that is already deleted is not counted', async () => {
    // A live event would remove the file that another member deletes from the selection.
    await withoutLiveEvents(page)
    await select(page, 'A.jpg', 'B.jpg', 'D.jpg')
    const caller = await callerOn(page)
    await caller.call(bulkDelete, { body: { fileIds: files.slice(0, 1).map(file => file.id) } })

    await bar(page).getByRole('button', { name: 'Delete' }).click()
    expect(await answer(page, true)).toBe(
      'Are you sure you want to delete 3 selected files? You can undo this, or restore them from Recently deleted for 30 days.',
    )
    await expect(toast(page, 'Successfully deleted 2 files')).toBeVisible()
    await expect(bar(page)).toHaveCount(0)
    await expect(page.getByRole('heading', { name: 'All Files 2 files' })).toBeVisible()
    await expect(page.getByRole('gridcell')).toHaveCount(2)
  })
})

test('toasts that disappear leave the focus in the field where somebody writes', async ({ deviceOf, insertPhotos }) => {
  const { page } = await openWithSix(deviceOf, insertPhotos)
  await select(page, 'A.jpg', 'B.jpg')
  await bar(page).getByRole('button', { name: 'Favourites' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0)
  await expect(bar(page).getByRole('button', { name: 'Favourites' })).toBeFocused()
  await bar(page).getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Change date' }).click()
  const field = page.getByRole('dialog').getByRole('textbox').first()
  await field.click()
  await page.keyboard.type('summer')
  await expect(page.locator('[data-sonner-toast]')).toHaveCount(0, { timeout: 30_000 })
  await expect(field).toBeFocused()
  await page.keyboard.type(' 1974')
  await expect(field).toHaveValue('summer 1974')
})

test('a change of more files than one call takes has one message and one Undo, which includes a lost answer', async ({
  deviceOf,
  insertPhotos,
}) => {
  const { page, files } = await openWithSix(deviceOf, insertPhotos)
  const caller = await callerOn(page)
  // A selection as large as this has files that somebody has deleted by now, too; the calls skip them.
  const ids = files.map(({ id }) => id)
  const gone = Array.from({ length: bulkChanges.files }, (_, i) => 1_000_000 + i)
  await page.route('**/api/media/ids**', route =>
    route.fulfill({ json: { ids: [...ids.slice(0, 3), ...gone, ...ids.slice(3)] } }),
  )
  const messages = page.locator('[data-sonner-toast]')

  await test.step('a new album is one message, which stays for ten seconds, and one Undo', async () => {
    await page.keyboard.press('Control+a')
    await bar(page).getByRole('button', { name: 'Add to album' }).click()
    await page.getByRole('button', { name: 'New album' }).click()
    await page.getByLabel('Title').fill('Everything')
    await page.clock.install()
    await page.getByRole('button', { name: 'Make album' }).click()
    await expect(toast(page, 'Album made')).toBeVisible()
    expect(await caller.call(listAlbums, { query: {} })).toMatchObject([{ title: 'Everything', file_count: 6 }])
    await page.clock.runFor(5_000)
    expect(await messages.count()).toBe(1)
    await page.keyboard.press('Control+z')
    await expect(toast(page, 'Undone')).toBeVisible()
    expect(await caller.call(listAlbums, { query: {} })).toEqual([])
    await page.clock.runFor(5_000)
    await expect(messages).toHaveCount(0)
    await page.clock.resume()
  })
  await test.step('Undo restores files that were deleted although the answer did not arrive', async () => {
    let calls = 0
    await page.route('**/api/folders/bulk-delete', async route => {
      if (++calls === 1) return route.continue()
      await route.fetch()
      await route.abort()
    })
    await page.keyboard.press('Control+a')
    await bar(page).getByRole('button', { name: 'Delete' }).click()
    await answer(page, true)
    await expect(
      toast(page, 'Failed to delete files. 2,000 of 2,006 are done. Whether the next 6 are done is not known.'),
    ).toBeVisible()
    await expect(page.getByRole('gridcell')).toHaveCount(0)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(toast(page, 'Undone')).toBeVisible()
    await expect(page.getByRole('gridcell')).toHaveCount(6)
  })
})

test('the original is downloaded under its own name', async ({ deviceOf, insertPhotos }) => {
  const { page } = await openWithSix(deviceOf, insertPhotos)
  const started = page.waitForEvent('download')
  await chooseAction(page, 'A.jpg', 'Download')
  expect((await started).suggestedFilename()).toBe('A.jpg')
  await expect(toast(page, 'Download started')).toBeVisible()
})

test('files are dragged onto a folder, all that are selected at once', async ({ deviceOf, insertPhotos }) => {
  const { page } = await openWithSix(deviceOf, insertPhotos)
  const caller = await callerOn(page)
  await caller.call(createFolder, { body: { name: 'Beach' } })
  await page.reload()
  const beach = page.getByRole('treeitem', { name: /^Beach/ })
  await tile(page, 'D.jpg').dragTo(beach)
  await expect(toast(page, 'Successfully moved 1 file to Beach')).toBeVisible()
  await select(page, 'A.jpg', 'B.jpg')
  await tile(page, 'B.jpg').dragTo(beach)
  await expect(toast(page, 'Successfully moved 2 files to Beach')).toBeVisible()
  await beach.click()
  await expect(page.getByRole('heading', { name: 'Folder: Beach 3 files' })).toBeVisible()
})

test('files that others add and delete appear without moving the scroll position', async ({ deviceOf }) => {
  const page = await deviceOf('Ada Okafor', { viewport: { width: 390, height: 600 }, reducedMotion: 'reduce' })
  const caller = await callerOn(page)
  for (let i = 1; i <= 12; i++) {
    await addPhoto(caller, `${i}.jpg`, {
      metadata: { dateTimeOriginal: `2024-06-${String(28 - i * 2).padStart(2, '0')}T12:00:00` },
    })
  }
  await page.reload()
  await tile(page, '1.jpg').focus()
  // Three columns, with three single-photo days in every row: two rows down from 1.jpg is 7.jpg.
  for (let row = 0; row < 2; row++) await page.keyboard.press('ArrowDown')
  await expect(tile(page, '7.jpg')).toBeFocused()
  const before = await tile(page, '7.jpg').boundingBox()
  for (const name of ['new 1.jpg', 'new 2.jpg', 'new 3.jpg']) {
    await addPhoto(caller, name, { metadata: { dateTimeOriginal: '2025-01-01T12:00:00' } })
  }
  await expect(page.getByRole('heading', { name: 'All Files 15 files' })).toBeAttached()
  await expect(tile(page, '7.jpg')).toBeFocused()
  await expect(tile(page, '7.jpg')).toBeInViewport()
  const after = await tile(page, '7.jpg').boundingBox()
  expect(Math.abs((after?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(60)

  // On the same day, so the focus has to follow the file's id and not its day.
  await addPhoto(caller, 'later.jpg', { metadata: { dateTimeOriginal: '2024-06-14T18:00:00' } })
  await expect(tile(page, 'later.jpg')).toBeAttached()
  await expect(tile(page, '7.jpg')).toBeFocused()
  await page.keyboard.press('F2')
  await typeInFocusedField(page, 'seven')
  await page.keyboard.press('Enter')
  await expect(tile(page, 'seven.jpg')).toBeFocused()
  await expect(tile(page, 'seven.jpg')).toBeInViewport()
})

test('a name being edited is kept when other people’s photos move its tile', async ({ deviceOf, insertPhotos }) => {
  const { page } = await openWithSix(deviceOf, insertPhotos)
  const caller = await callerOn(page)
  const field = page.getByRole('textbox', { name: 'File name' })
  await tile(page, 'F.jpg').focus()
  await page.keyboard.press('F2')
  await typeInFocusedField(page, 'Grand')
  for (const name of ['new 1.jpg', 'new 2.jpg', 'new 3.jpg']) {
    await addPhoto(caller, name, { metadata: { dateTimeOriginal: '2025-01-01T12:00:00' } })
  }
  await expect(tile(page, 'new 3.jpg')).toBeVisible()
  await expect(field).toBeFocused()
  await expect(field).toHaveValue('Grand.jpg')
  await typeInFocusedField(page, 'pa')
  await page.keyboard.press('Enter')
  await expect(tile(page, 'Grandpa.jpg')).toBeVisible()
  const { files } = await caller.call(listMedia, { query: {} })
  expect(files.map(file => file.original_name)).not.toContain('F.jpg')
})
