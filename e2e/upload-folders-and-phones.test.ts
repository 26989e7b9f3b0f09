import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createFolder, listFolders } from '#contract/folders.ts'
import { makePicture } from '../server/test/fixtures/pictures.ts'
import { violations } from './support/axe.ts'
import { callerOn } from './support/caller.ts'
import { expect, test, toast } from './support/family.ts'
import { choose, counter, drag, drop, filesInLibrary, openDialog, photo, row } from './support/upload.ts'

const desktop = { width: 1440, height: 900 }
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

test('a dropped folder keeps its subfolders, existing or new, unless switched off', async ({ deviceOf }, info) => {
  const page = await deviceOf('Ben Okafor', { viewport: desktop })
  const caller = await callerOn(page)
  const summer = await caller.call(createFolder, { body: { name: 'summer' } })
  for (const path of ['Summer/day.jpg', 'Summer/Beach/sea.jpg', 'Summer/Beach/.hidden.jpg', 'Winter/snow.jpg']) {
    await mkdir(dirname(info.outputPath(path)), { recursive: true })
    await writeFile(info.outputPath(path), await makePicture())
  }
  // Dragged over the gallery, which opens the dialog.
  let dialog = page.getByRole('dialog')
  await drag(page, [info.outputPath('Summer')])
  await expect(dialog.getByRole('heading').first()).toBeVisible()
  await drop(page, [info.outputPath('Summer')])
  await expect(counter(dialog, 'Ready to Process')).toHaveText('2')
  await expect(dialog.getByRole('checkbox', { name: 'Keep the folder structure' })).toBeChecked()
  await dialog.getByRole('button', { name: 'Upload 2 Files' }).click()
  await expect(toast(page, 'Successfully processed 2 files')).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()

  dialog = await openDialog(page)
  await drop(page, [info.outputPath('Winter')])
  await dialog.getByRole('checkbox', { name: 'Keep the folder structure' }).uncheck()
  await dialog.getByRole('button', { name: 'Upload 1 File' }).click()
  await expect(toast(page, 'Successfully processed 1 file')).toBeVisible()

  const folders = await caller.call(listFolders, {})
  const beach = folders.find(folder => folder.name === 'Beach')
  expect(folders.map(folder => folder.path)).toEqual(['summer', 'summer / Beach'])
  expect((await filesInLibrary(page)).map(file => [file.original_name, file.folder_id])).toEqual([
    ['day.jpg', summer.id],
    ['sea.jpg', beach?.id],
    ['snow.jpg', null],
  ])
})

test('the dialog preselects the open folder', async ({ deviceOf }) => {
  const page = await deviceOf('Ben Okafor', { viewport: desktop })
  const folder = await (await callerOn(page)).call(createFolder, { body: { name: 'Beach' } })
  await page.goto(`/?folder=${folder.id}`)
  await page.getByRole('banner').getByRole('button', { name: 'Upload' }).click()
  const dialog = page.getByRole('dialog', { name: 'Upload Media Files' })
  await choose(dialog, await photo('a.jpg'))
  await expect(dialog.getByLabel('Destination folder').locator('option:checked')).toHaveText('Beach')
})

test('on a phone the dialog fits, has large targets and no accessibility violations', async ({ deviceOf }) => {
  const page = await deviceOf('Grandma Rose', { ...phone, reducedMotion: 'reduce' })
  const sideways = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  await page.getByRole('button', { name: 'Upload Files' }).first().tap()
  const dialog = page.getByRole('dialog', { name: 'Upload Media Files' })
  await expect(dialog.getByText('Choose photos and videos')).toBeVisible()
  const chooser = page.waitForEvent('filechooser')
  await dialog.getByText('Choose photos and videos').tap()
  await (await chooser).setFiles([
    await photo('A photo with a name that is far too long for the screen of any telephone.jpg'),
    await photo('b.jpg', { takenAt: '2019-08-07T10:11:12' }),
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') },
  ])
  await expect(dialog.getByText('2 new files ready')).toBeVisible()
  // The counts, and size and date of each file, need no opening; the rest is folded away, and stays open once it is opened.
  const counts = { Total: '3', 'Ready to Process': '2', Duplicates: '0', Uploaded: '0' }
  for (const [label, count] of Object.entries(counts)) {
    await expect(counter(dialog, label)).toHaveText(count)
    await expect(counter(dialog, label)).toBeInViewport({ ratio: 1 })
  }
  await expect(row(dialog, 'b.jpg')).toContainText(/(Bytes|KB) · .*2019/)
  await expect(dialog.getByRole('radio')).toHaveCount(0)
  await dialog.getByText('Details', { exact: true }).tap()
  await expect(dialog.getByRole('radio', { name: 'Client-side' })).toBeVisible()
  expect(await violations(page)).toEqual([])
  expect(await sideways()).toBe(0)
  await dialog.getByRole('button', { name: 'Upload 2 Files' }).tap()
  await expect(dialog.getByRole('button', { name: 'Done' })).toBeVisible()
  await expect(dialog.getByText('2 files safe in the library')).toBeVisible()
  expect(await violations(page)).toEqual([])
  expect(await sideways()).toBe(0)
  await dialog.getByRole('button', { name: 'Done' }).tap()
  await expect(dialog).toBeHidden()
})
