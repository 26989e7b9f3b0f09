import { getMedia } from '#contract/media.ts'
import { callerOn, sendPhoto } from './support/caller.ts'
import { expect, test, toast, waitWithPointerOn, withoutLiveEvents } from './support/family.ts'
import { line, makeFolders, openMenu } from './support/folders.ts'

const desktop = { width: 1440, height: 900 }

test('the move dialog moves files into a folder, can create one, and Undo moves them back', async ({ deviceOf }) => {
  const page = await deviceOf('Ben Okafor', { viewport: desktop })
  await makeFolders(page, 'Summer')
  const caller = await callerOn(page)
  for (const name of ['one.jpg', 'two.jpg']) await sendPhoto(caller, name)
  await page.reload()
  await expect(line(page, 'All Files (Root)')).toHaveAccessibleName('All Files (Root), 2 files')
  await page.getByRole('button', { name: 'Select one.jpg' }).click()
  await page.getByRole('button', { name: 'Select two.jpg' }).click()
  await page.getByRole('button', { name: 'Move to folder' }).click()

  const dialog = page.getByRole('dialog', { name: 'Move 2 files' })
  await expect(dialog.getByRole('button', { name: 'Move', exact: true })).toBeDisabled()
  await dialog.getByRole('radio', { name: 'Summer' }).check()
  await dialog.getByRole('button', { name: 'New Folder' }).click()
  await expect(page.getByLabel('Parent Folder').locator('option:checked')).toHaveText('Summer')
  await page.getByLabel('Folder Name').fill('Lake')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('radio', { name: 'Lake' })).toBeChecked()
  await dialog.getByRole('radio', { name: 'Lake' }).focus()
  await page.keyboard.press('Enter')
  await waitWithPointerOn(page, 'Successfully moved 2 files to Lake')
  await expect(dialog).toBeHidden()
  await expect(line(page, 'Lake')).toHaveAccessibleName('Lake, 2 files')
  await expect(page.getByText('2 selected')).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(line(page, 'Lake')).toHaveAccessibleName('Lake, 0 files')
})

test('files can be dragged onto a folder and out of all folders', async ({ deviceOf }) => {
  const page = await deviceOf('Ben Okafor', { viewport: desktop })
  const [summer] = await makeFolders(page, 'Summer')
  const photo = await sendPhoto(await callerOn(page), 'lake.jpg')
  await page.reload()
  const tile = page.getByRole('gridcell', { name: /^lake\.jpg/ })
  await tile.dragTo(line(page, 'Summer'))
  await expect(toast(page, 'Successfully moved 1 file to Summer')).toBeVisible()
  await expect(line(page, 'Summer')).toHaveAccessibleName('Summer, 1 file')

  await line(page, 'Summer').click()
  await expect(page.getByRole('heading', { name: 'Folder: Summer' })).toBeVisible()
  await tile.dragTo(line(page, 'All Files (Root)'))
  await expect(toast(page, 'Successfully moved 1 file to root')).toBeVisible()
  await expect(page.getByText('This folder is empty')).toBeVisible()
  const caller = await callerOn(page)
  expect((await caller.call(getMedia, { params: { id: photo.id } })).folder_id).toBeNull()
  expect(summer?.file_count).toBe(0)
})

test('the open photo shows the folder it was moved to, also without the live stream', async ({ deviceOf }) => {
  const page = await deviceOf('Ben Okafor', { viewport: desktop })
  await makeFolders(page, 'Summer')
  const caller = await callerOn(page)
  const { id } = await sendPhoto(caller, 'lake.jpg')
  // The page polls a file that is still being prepared.
  await expect.poll(async () => (await caller.call(getMedia, { params: { id } })).status).toBe('ready')
  await withoutLiveEvents(page)
  await page.getByRole('gridcell', { name: /^lake\.jpg/ }).click()
  await page.getByRole('button', { name: 'Move to a folder' }).click()
  await page.getByRole('radio', { name: 'Summer' }).check()
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Move to another folder, now in Summer' })).toBeVisible()
})

test('a folder can be moved into another by dragging and by menu, but not into itself', async ({ deviceOf }) => {
  const page = await deviceOf('Ben Okafor', { viewport: desktop })
  await makeFolders(page, 'Lake', 'Summer', 'Winter')
  await line(page, 'Lake').dragTo(line(page, 'Summer'))
  await expect(toast(page, 'Folder updated successfully')).toBeVisible()
  await expect(line(page, 'Lake')).toHaveAttribute('aria-level', '2')

  await line(page, 'Summer').dragTo(line(page, 'Lake'))
  await openMenu(page, 'Summer')
  await page.getByRole('menuitem', { name: 'Move to…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Move “Summer”' })
  await expect(dialog.getByRole('radio')).toHaveCount(2)
  await expect(dialog.getByRole('radio', { name: 'Root Level' })).toBeDisabled()
  await dialog.getByRole('radio', { name: 'Winter' }).check()
  await dialog.getByRole('button', { name: 'Move', exact: true }).click()
  await expect(line(page, 'Summer')).toHaveAttribute('aria-level', '2')
  await expect(line(page, 'Lake')).toHaveAttribute('aria-level', '3')

  await line(page, 'Lake').dragTo(line(page, 'All Files (Root)'))
  await expect(line(page, 'Lake')).toHaveAttribute('aria-level', '1')
})
