import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { createFolder } from '#contract/folders.ts'
import { makePicture } from '../server/test/fixtures/pictures.ts'
import { violations } from './support/axe.ts'
import { callerOn, sendPhoto } from './support/caller.ts'
import { expect, test, toast } from './support/family.ts'
import {
  choose,
  counter,
  expectSameBytes,
  filesInLibrary,
  openDialog,
  photo,
  recordRows,
  row,
} from './support/upload.ts'

const desktop = { width: 1440, height: 900 }

/** Delays uploads until the returned function is called. */
async function holdUploads(page: Page): Promise<() => void> {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/api/media/upload', async route => {
    await released
    await route.continue()
  })
  return release
}

test('photos are chosen, prepared and uploaded, and a receipt lists them', async ({ deviceOf }) => {
  const page = await deviceOf('Ben Okafor', { viewport: desktop, permissions: ['clipboard-read', 'clipboard-write'] })
  const caller = await callerOn(page)
  const folder = await caller.call(createFolder, { body: { name: 'Beach' } })
  const known = await photo('IMG_3.jpg')
  await page.goto('/')
  const dialog = await openDialog(page)
  await expect(dialog.getByText('Images and videos of any size, including MTS and MKV.')).toBeVisible()
  expect(await violations(page)).toEqual([])

  const seen = await recordRows(page)
  const second = await photo('IMG_10.jpg')
  await choose(dialog, [
    await photo('IMG_2.jpg'),
    second,
    { ...second, name: 'Copy of IMG_10.jpg' },
    known,
    { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') },
    { name: 'nothing.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(0) },
  ])
  await expect(counter(dialog, 'Total')).toHaveText('6')
  await expect(counter(dialog, 'Ready to Process')).toHaveText('3')
  await expect(counter(dialog, 'Duplicates')).toHaveText('1')
  await expect(counter(dialog, 'Uploaded')).toHaveText('0')
  await expect(row(dialog, 'Copy of IMG_10.jpg')).toContainText('Ready')
  await expect(dialog.getByText('The same as “Copy of IMG_10.jpg” in this selection')).toBeVisible()
  await expect(row(dialog, 'notes.txt')).toContainText('This file is neither a photo nor a video')
  await expect(row(dialog, 'nothing.jpg')).toContainText('This file is empty')
  await expect(dialog.getByText('0 of 4 files processed')).toBeVisible()
  await expect(dialog.getByText('1 duplicate (will be skipped) · 3 new files ready')).toBeVisible()
  await expect(dialog.getByText('Small (under 1 MB)').locator('xpath=following-sibling::dd')).toHaveText('3')
  await expect(dialog.getByText('Large files use optimized multipart uploads.')).toBeVisible()
  const names = await dialog
    .getByRole('listitem')
    .evaluateAll(rows => rows.map(one => one.querySelector('p')?.textContent))
  expect(names).toEqual(['Copy of IMG_10.jpg', 'IMG_2.jpg', 'IMG_3.jpg', 'notes.txt', 'nothing.jpg', 'IMG_10.jpg'])
  await expect(dialog.getByRole('radio', { name: 'Client-side' })).toBeChecked()
  await dialog.getByLabel('Destination folder').selectOption('Beach')
  expect(await violations(page)).toEqual([])

  await dialog.getByRole('button', { name: 'Upload 3 Files' }).click()
  await expect(dialog.getByText('Uploading to Beach')).toBeVisible()
  await expect(toast(page, 'Successfully processed 3 files')).toBeVisible()
  await expect(counter(dialog, 'Uploaded')).toHaveText('3')
  await expect(dialog.getByText('4 of 4 files processed')).toBeVisible()
  await expect(dialog.getByText('1 duplicate (skipped)')).toBeVisible()
  const receipt = dialog.getByRole('region', { name: 'Receipt' })
  await expect(receipt).toContainText('3 files safe in the library')
  await expect(receipt).toContainText('Each arrived byte for byte as it was sent.')
  await expect(receipt).toContainText('1 file already there')
  await expect(receipt).toContainText('2 files not accepted')
  await expect(receipt).not.toContainText('not uploaded')
  await receipt.getByRole('button', { name: 'Copy as a list' }).click()
  await expect(toast(page, 'Copied')).toBeVisible()
  const copied = await page.evaluate(() => navigator.clipboard.readText())
  expect(copied.split('\n').map(line => line.split('\t').slice(0, 2).join(': '))).toEqual([
    'safe: Copy of IMG_10.jpg',
    'safe: IMG_2.jpg',
    'safe: IMG_3.jpg',
    'already there: IMG_10.jpg',
    'not accepted: notes.txt',
    'not accepted: nothing.jpg',
  ])
  expect(await violations(page)).toEqual([])
  // The gallery is up to date, and nothing cheers beside two files that were not accepted.
  await expect(page.getByRole('treeitem', { name: 'Beach, 3 files', includeHidden: true })).toHaveCount(1)
  await expect(toast(page, 'Files uploaded successfully!')).toHaveCount(0)

  const steps = [
    'Reading date and place…',
    'Reading…',
    'Checking for duplicates…',
    'Processing…',
    'Uploading… 0%',
    'Uploaded',
  ]
  const texts = await seen()
  for (const step of steps) expect(texts).toContain(step)
  const stored = async () => (await filesInLibrary(page)).map(file => [file.original_name, file.folder_id, file.status])
  await expect.poll(stored).toEqual([
    ['Copy of IMG_10.jpg', folder.id, 'ready'],
    ['IMG_2.jpg', folder.id, 'ready'],
    ['IMG_3.jpg', folder.id, 'ready'],
  ])
  await expectSameBytes(page, 'IMG_3.jpg', known.buffer)

  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(dialog).toBeHidden()
  await expect(
    page
      .getByRole('gridcell')
      .or(page.getByRole('img', { name: 'IMG_2.jpg' }))
      .first(),
  ).toBeVisible()
})

test('a TIFF is uploaded with a JPEG of its full size, so that it is visible at once', async ({ deviceOf }) => {
  const page = await deviceOf('Ben Okafor', { viewport: desktop })
  const scan = await makePicture({ width: 400, height: 300, format: 'tiff' })
  const dialog = await openDialog(page)
  await choose(dialog, { name: 'scan.tif', mimeType: 'image/tiff', buffer: scan })
  await expect(row(dialog, 'scan.tif')).toContainText('Ready')
  const answered = page.waitForResponse('**/api/media/upload')
  await dialog.getByRole('button', { name: 'Upload 1 File' }).click()
  // Ready at once: the browser sent all five variants, so the server has nothing to process.
  expect(await (await answered).json()).toMatchObject({ files: [{ status: 'ready', width: 400, height: 300 }] })
  await expect(toast(page, 'Successfully processed 1 file')).toBeVisible()
  // No browser here decodes TIFF; the row shows the thumbnail that was made for the upload.
  await expect(row(dialog, 'scan.tif').locator('canvas')).toBeVisible()
  const [file] = await filesInLibrary(page)
  const shown = await page.request.get(file?.url ?? '')
  expect(await sharp(await shown.body()).metadata()).toMatchObject({ format: 'jpeg', width: 400, height: 300 })
  await expectSameBytes(page, 'scan.tif', scan)
})

test('duplicates are found before they are sent, and nothing is sent twice', async ({ deviceOf }) => {
  const page = await deviceOf('Ben Okafor', { viewport: desktop })
  const held = await photo('held.jpg')
  let dialog = await openDialog(page)
  await choose(dialog, held)
  await dialog.getByRole('button', { name: 'Upload 1 File' }).click()
  await expect(toast(page, 'Successfully processed 1 file')).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()

  const sent: string[] = []
  page.on('request', request => request.method() === 'POST' && sent.push(new URL(request.url()).pathname))
  dialog = await openDialog(page)
  await choose(dialog, { ...held, name: 'again.jpg' })
  await expect(row(dialog, 'again.jpg')).toContainText('Already in the library as “held.jpg”, so it is skipped')
  await expect(dialog.getByRole('button', { name: 'Done' })).toBeVisible()
  expect(sent).toEqual(['/api/media/check-duplicate'])
})

test('logging out during an upload asks first', async ({ deviceOf }) => {
  const page = await deviceOf('Ben Okafor', { viewport: desktop })
  await page.route('**/api/media/upload', () => undefined)
  const dialog = await openDialog(page)
  await choose(dialog, await photo('a.jpg'))
  await dialog.getByRole('button', { name: 'Upload 1 File' }).click()
  await expect(row(dialog, 'a.jpg')).toContainText('Uploading…')
  await dialog.getByRole('button', { name: 'Close; the upload goes on' }).click()
  await expect(dialog).toBeHidden()
  const logOut = page.getByRole('banner').getByRole('button', { name: 'Log out' })
  const question = page.getByRole('alertdialog', { name: 'Log out while files are uploading?' })
  await logOut.click()
  await question.getByRole('button', { name: 'Stay signed in' }).click()
  await expect(question).toBeHidden()
  await expect(page.getByRole('button', { name: 'Uploading 1 of 1' })).toBeVisible()
  await logOut.click()
  await question.getByRole('button', { name: 'Log out' }).click()
  await expect(page).toHaveURL('/login')
})

test('rows can be removed, all files can be cleared, and closing the dialog keeps them', async ({ deviceOf }) => {
  const page = await deviceOf('Ben Okafor', { viewport: desktop })
  const dialog = await openDialog(page)
  await choose(dialog, [await photo('a.jpg'), await photo('b.jpg')])
  await choose(dialog, [await photo('b.jpg')])
  await expect(dialog.getByRole('button', { name: 'Upload 3 Files' })).toBeVisible()
  await row(dialog, 'a.jpg').getByRole('button', { name: 'Remove a.jpg' }).click()
  await expect(counter(dialog, 'Total')).toHaveText('2')
  const twice = await photo('twice.jpg')
  await choose(dialog, [twice, { ...twice, name: 'twice again.jpg' }])
  await expect(row(dialog, 'twice.jpg')).toContainText(
    'The same as “twice again.jpg” in this selection, so it is skipped',
  )
  await row(dialog, 'twice again.jpg').getByRole('button', { name: 'Remove twice again.jpg' }).click()
  await expect(row(dialog, 'twice.jpg')).toContainText('Ready')
  await row(dialog, 'twice.jpg').getByRole('button', { name: 'Remove twice.jpg' }).click()
  await expect(counter(dialog, 'Total')).toHaveText('2')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await page.getByRole('button', { name: '2 files chosen' }).click()
  await expect(counter(dialog, 'Total')).toHaveText('2')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('region', { name: 'Upload Media Files' })).toBeHidden()
  expect(await filesInLibrary(page)).toEqual([])
})

test('files can be prepared by the server, and files added during an upload are uploaded too', async ({ deviceOf }) => {
  const page = await deviceOf('Ben Okafor', { viewport: desktop })
  const dialog = await openDialog(page)
  const seen = await recordRows(page)
  await choose(dialog, [await photo('a.jpg'), await photo('b.jpg')])
  await dialog.getByRole('radio', { name: 'Server-side' }).check()
  const release = await holdUploads(page)
  await dialog.getByRole('button', { name: 'Upload 2 Files' }).click()
  await expect(dialog.getByRole('button', { name: 'Uploading...' })).toBeVisible()
  await choose(dialog, [await photo('c.jpg')])
  await expect(counter(dialog, 'Total')).toHaveText('3')
  release()
  await expect(toast(page, 'Successfully processed 3 files')).toBeVisible()
  expect(await seen()).not.toContain('Processing…')
  expect(await filesInLibrary(page)).toHaveLength(3)
})

test('pasted and dropped files are added, also two with the same name', async ({ deviceOf }) => {
  const page = await deviceOf('Ben Okafor', { viewport: desktop })
  const dialog = await openDialog(page)
  for (const event of ['paste', 'drop'] as const) {
    const { buffer } = await photo('image.jpg')
    await dialog
      .getByRole('button')
      .first()
      .evaluate(
        (target, [event, bytes]) => {
          const transfer = new DataTransfer()
          transfer.items.add(new File([Uint8Array.from(bytes)], 'image.jpg', { type: 'image/jpeg' }))
          const options = { bubbles: true, cancelable: true }
          target.dispatchEvent(
            event === 'paste'
              ? new ClipboardEvent('paste', { ...options, clipboardData: transfer })
              : new DragEvent('drop', { ...options, dataTransfer: transfer }),
          )
        },
        [event, [...buffer]] as const,
      )
  }
  await dialog.getByRole('button', { name: 'Upload 2 Files' }).click()
  await expect(toast(page, 'Successfully processed 2 files')).toBeVisible()
  expect((await filesInLibrary(page)).map(file => file.original_name)).toEqual(['image.jpg', 'image.jpg'])
})

test('the upload continues while browsing, with a small progress, and leaving the page asks first', async ({
  deviceOf,
}) => {
  const page = await deviceOf('Ada Okafor', { viewport: desktop })
  await sendPhoto(await callerOn(page), 'there already.jpg')
  const dialog = await openDialog(page)
  const release = await holdUploads(page)
  await choose(dialog, [await photo('a.jpg'), await photo('b.jpg')])
  await dialog.getByRole('button', { name: 'Upload 2 Files' }).click()
  await expect(dialog.getByText('Uploading to the library, not in a folder')).toBeVisible()
  await dialog.getByRole('button', { name: 'Close; the upload goes on' }).click()
  const pill = page.getByRole('region', { name: 'Upload Media Files' })
  await expect(pill).toContainText('Uploading 1 of 2')
  await page.getByRole('link', { name: 'Admin' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Admin' })).toBeVisible()
  await expect(pill).toContainText('Uploading 1 of 2')
  expect(await violations(page)).toEqual([])

  const asked = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  const question = await asked
  expect(question.type()).toBe('beforeunload')
  await question.dismiss()

  release()
  await expect(pill).toContainText('2 files safe in the library')
  await pill.getByRole('button', { name: 'Dismiss' }).click()
  await expect(pill).toBeHidden()
})
