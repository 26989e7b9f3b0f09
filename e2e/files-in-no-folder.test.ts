import { moveFiles } from '#contract/media.ts'
import { listMedia } from '#contract/media-list.ts'
import { violations } from './support/axe.ts'
import { callerOn, sendPhoto } from './support/caller.ts'
import { expect, test, toast } from './support/family.ts'
import { line, makeFolders } from './support/folders.ts'
import { choose, openDialog, photo } from './support/upload.ts'

const computer = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }
const NAME = 'Not in a folder'

test('files in no folder have their own view, reachable by link, Back and keyboard', async ({ deviceOf }) => {
  const page = await deviceOf('Ben Okafor', { viewport: computer })
  await expect(line(page, 'All Files (Root)')).toBeVisible()
  await expect(line(page, NAME)).toHaveCount(0)
  const [summer] = await makeFolders(page, 'Summer')
  const caller = await callerOn(page)
  await sendPhoto(caller, 'inside.jpg', summer?.id)
  await sendPhoto(caller, 'outside.jpg')
  await page.reload()
  await expect(line(page, NAME)).toHaveAccessibleName(`${NAME}, 1 file`)

  await line(page, 'All Files (Root)').focus()
  await page.keyboard.press('ArrowDown')
  await expect(line(page, NAME)).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/?folder=root')
  await expect(page.getByRole('heading', { name: `${NAME} 1 file` })).toBeVisible()
  await expect(page).toHaveTitle(new RegExp(NAME))
  await expect(line(page, NAME)).toHaveAttribute('aria-current', 'page')
  await expect(page.getByRole('gridcell', { name: /^outside\.jpg/ })).toBeVisible()
  await expect(page.getByRole('gridcell', { name: /^inside\.jpg/ })).toHaveCount(0)

  await page.goBack()
  await expect(page.getByRole('gridcell', { name: /^inside\.jpg/ })).toBeVisible()
  await page.goto('/?folder=root')
  await expect(page.getByRole('gridcell', { name: /^outside\.jpg/ })).toBeVisible()
  expect(await violations(page)).toEqual([])
})

test('files moved into a folder leave the view, files dropped on its row are added', async ({ deviceOf }) => {
  const page = await deviceOf('Ben Okafor', { viewport: computer })
  const [summer] = await makeFolders(page, 'Summer')
  const caller = await callerOn(page)
  await sendPhoto(caller, 'outside.jpg')
  await page.goto('/?folder=root')
  await page.getByRole('button', { name: 'Select outside.jpg' }).click()
  await page.getByRole('button', { name: 'Move to folder' }).click()
  const dialog = page.getByRole('dialog', { name: 'Move 1 file' })
  await dialog.getByRole('radio', { name: 'Summer' }).check()
  await dialog.getByRole('button', { name: 'Move', exact: true }).click()
  await expect(toast(page, 'Successfully moved 1 file to Summer')).toBeVisible()
  await expect(page.getByText('No files outside folders')).toBeVisible()
  await expect(line(page, NAME)).toHaveAccessibleName(`${NAME}, 0 files`)
  await expect(page.getByText('1 selected')).toHaveCount(0)

  await line(page, 'Summer').click()
  await page.getByRole('gridcell', { name: /^outside\.jpg/ }).dragTo(line(page, NAME))
  await expect(toast(page, 'Successfully moved 1 file to root')).toBeVisible()
  await expect(page.getByText('This folder is empty')).toBeVisible()
  await line(page, NAME).click()
  await expect(page.getByRole('gridcell', { name: /^outside\.jpg/ })).toBeVisible()

  // Another member moves the file, and a live event updates this page.
  const { files } = await caller.call(listMedia, { query: {} })
  const body = { fileIds: files.map(file => file.id), folderId: summer?.id ?? null }
  await caller.call(moveFiles, { body })
  await expect(page.getByText('No files outside folders')).toBeVisible()
  await page.getByRole('button', { name: 'Show all files' }).click()
  await expect(page).toHaveURL('/')
})

test('an upload started in this view goes into no folder', async ({ deviceOf }) => {
  const page = await deviceOf('Ben Okafor', { viewport: computer })
  await makeFolders(page, 'Summer')
  await page.goto('/?folder=root')
  await expect(page.getByText('No files outside folders')).toBeVisible()
  const dialog = await openDialog(page)
  await expect(dialog.getByLabel('Destination folder').locator('option:checked')).toHaveText('Not in a folder')
  await choose(dialog, [await photo('beach.jpg')])
  await dialog.getByRole('button', { name: 'Upload 1 File' }).click()
  await expect(toast(page, 'Files uploaded successfully!')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('gridcell', { name: /^beach\.jpg/ })).toBeVisible()
  await expect(line(page, NAME)).toHaveAccessibleName(`${NAME}, 1 file`)
})

test('on a phone the view is in the drawer', async ({ deviceOf }) => {
  const page = await deviceOf('Ben Okafor', { viewport: phone, hasTouch: true, isMobile: true })
  await makeFolders(page, 'Summer')
  await sendPhoto(await callerOn(page), 'outside.jpg')
  await page.reload()
  await page.getByRole('button', { name: 'More', exact: true }).tap()
  await page.getByRole('menuitem', { name: 'Folders' }).tap()
  await expect(line(page, NAME)).toHaveAccessibleName(`${NAME}, 1 file`)
  await line(page, NAME).tap()
  await expect(page.getByRole('heading', { name: `${NAME} 1 file` })).toBeVisible()
  await expect(page.getByRole('gridcell', { name: /^outside\.jpg/ })).toBeVisible()
})
