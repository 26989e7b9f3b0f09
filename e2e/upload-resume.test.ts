import { open, stat } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { expect, test, toast } from './support/family.ts'
import {
  choose,
  drop,
  emulateNetwork,
  expectSameBytes,
  filesBelow,
  filesInLibrary,
  largePhoto,
  noisyBitmap,
  openDialog,
  percentOf,
  photo,
  row,
} from './support/upload.ts'

const MB = 1024 ** 2
const desktop = { width: 1440, height: 900 }
/** Slow enough that even a busy machine can observe a large file half uploaded. */
const SLOW = MB
const half = { timeout: 60_000 }

/** Records the offset of every uploaded chunk. */
function offsetsSent(page: Page): number[] {
  const offsets: number[] = []
  page.on('request', request => {
    const offset = request.headers()['upload-offset']
    if (request.method() === 'PATCH' && offset !== undefined) offsets.push(Number(offset))
  })
  return offsets
}

test('an upload resumes after the server was killed, with the same bytes', async ({ deviceOf, library }, info) => {
  const page = await deviceOf('Ben Okafor', { viewport: desktop })
  const large = await largePhoto(info, 'large.jpg', 20)
  const dialog = await openDialog(page)
  await choose(dialog, large)
  await expect(row(dialog, 'large.jpg')).toContainText('Ready')
  const offsets = offsetsSent(page)
  await emulateNetwork(page, { speed: SLOW })
  await dialog.getByRole('button', { name: 'Upload 1 File' }).click()
  await expect.poll(() => percentOf(dialog, 'large.jpg'), half).toBeGreaterThan(45)
  await library.kill()
  await expect(row(dialog, 'large.jpg')).toContainText('Waiting for the connection…')
  await emulateNetwork(page)
  await library.startAgain()
  await expect(toast(page, 'Successfully processed 1 file')).toBeVisible({ timeout: 60_000 })
  expect(offsets.filter(offset => offset === 0)).toHaveLength(1)
  await expectSameBytes(page, 'large.jpg', large)
})

test('an upload waits for a lost network and continues where it stopped', async ({ deviceOf }, info) => {
  const page = await deviceOf('Ben Okafor', { viewport: desktop })
  const large = await largePhoto(info, 'large.jpg', 20)
  const dialog = await openDialog(page)
  await choose(dialog, large)
  await choose(dialog, await photo('small.jpg'))
  await expect(row(dialog, 'large.jpg')).toContainText('Ready')
  const offsets = offsetsSent(page)
  await emulateNetwork(page, { speed: SLOW })
  await dialog.getByRole('button', { name: 'Upload 2 Files' }).click()
  await expect.poll(() => percentOf(dialog, 'large.jpg'), half).toBeGreaterThan(45)
  await emulateNetwork(page, { offline: true })
  await expect(row(dialog, 'large.jpg')).toContainText('Waiting for the connection…')
  await emulateNetwork(page)
  await expect(toast(page, 'Successfully processed 2 files')).toBeVisible({ timeout: 60_000 })
  expect(offsets.filter(offset => offset === 0)).toHaveLength(1)
  await expectSameBytes(page, 'large.jpg', large)
})

test('after a reload an upload continues where it stopped, and finished files are not sent again', async ({
  deviceOf,
}, info) => {
  const page = await deviceOf('Ben Okafor', { viewport: desktop })
  const large = await largePhoto(info, 'large.jpg', 20)
  const small = await largePhoto(info, 'a small one.jpg', 1)
  const dialog = await openDialog(page)
  await choose(dialog, [small, large])
  await expect(row(dialog, 'large.jpg')).toContainText('Ready')
  await emulateNetwork(page, { speed: SLOW })
  await dialog.getByRole('button', { name: 'Upload 2 Files' }).click()
  await expect(row(dialog, 'a small one.jpg')).toContainText('Uploaded')
  await expect.poll(() => percentOf(dialog, 'large.jpg'), half).toBeGreaterThan(45)
  page.on('dialog', question => void question.accept())
  await page.reload()
  await emulateNetwork(page)

  await page.getByRole('button', { name: '1 file not uploaded yet' }).click()
  const offer = dialog.getByRole('region', { name: '1 file not finished last time' })
  await expect(offer).toContainText('large.jpg')
  const chooser = page.waitForEvent('filechooser')
  await offer.getByRole('button', { name: 'Choose the files again' }).click()
  const offsets = offsetsSent(page)
  await (await chooser).setFiles([small, large])
  // The message counts the files of the receipt, also the one that was sent before the reload.
  await expect(toast(page, 'Successfully processed 2 files')).toBeVisible({ timeout: 60_000 })
  await expect(dialog.getByRole('region', { name: 'Receipt' })).toContainText('2 files safe in the library')
  await expect(toast(page, 'Files uploaded successfully!')).toBeVisible()
  await expect(page.locator('[data-sonner-toast]')).toHaveCount(1)
  expect(Math.min(...offsets)).toBeGreaterThan(0)
  await expectSameBytes(page, 'large.jpg', large)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.reload()
  await expect(page.getByRole('region', { name: 'Upload Media Files' })).toBeHidden()
})

test('a dropped file continues after a reload without being chosen again', async ({ deviceOf }, info) => {
  const page = await deviceOf('Ben Okafor', { viewport: desktop })
  const large = await largePhoto(info, 'large.jpg', 20)
  const dialog = await openDialog(page)
  await drop(page, [large])
  await expect(row(dialog, 'large.jpg')).toContainText('Ready')
  await emulateNetwork(page, { speed: SLOW })
  await dialog.getByRole('button', { name: 'Upload 1 File' }).click()
  await expect.poll(() => percentOf(dialog, 'large.jpg'), half).toBeGreaterThan(45)
  page.on('dialog', question => void question.accept())
  await page.reload()
  await emulateNetwork(page)
  await page.getByRole('button', { name: '1 file not uploaded yet' }).click()
  const offsets = offsetsSent(page)
  await dialog.getByRole('button', { name: 'Go on' }).click()
  await expect(toast(page, 'Successfully processed 1 file')).toBeVisible({ timeout: 60_000 })
  expect(Math.min(...offsets)).toBeGreaterThan(0)
  await expectSameBytes(page, 'large.jpg', large)
})

test('a converted picture is resumable too, and sent again if it was made again', async ({
  deviceOf,
  library,
}, info) => {
  const page = await deviceOf('Ben Okafor', { viewport: desktop })
  const path = await noisyBitmap(info, 'scan.bmp')
  const dialog = await openDialog(page)
  await choose(dialog, path)
  await expect(row(dialog, 'scan.bmp')).toContainText('Ready')
  const began = () =>
    page.waitForRequest(request => request.method() === 'POST' && request.url().endsWith('/api/uploads'))
  await emulateNetwork(page, { speed: 4 * MB })
  const originalBegan = began()
  await dialog.getByRole('button', { name: 'Upload 1 File' }).click()
  await originalBegan
  await began()
  // So slow that even on a busy machine the page is reloaded before this upload is complete.
  await emulateNetwork(page, { speed: MB / 2 })
  await expect.poll(() => percentOf(dialog, 'scan.bmp')).toBeGreaterThan(80)
  page.on('dialog', question => void question.accept())
  await page.reload()

  await emulateNetwork(page)
  await page.getByRole('button', { name: '1 file not uploaded yet' }).click()
  const offsets = offsetsSent(page)
  await choose(dialog, path)
  await expect(toast(page, 'Successfully processed 1 file')).toBeVisible({ timeout: 60_000 })
  // The original was complete, so only the converted version is sent, and from its start; nothing of the first attempt
  // is left.
  expect(offsets).toEqual([0])
  await expect.poll(() => filesBelow(library.dataFolder, 'uploads')).toEqual([])
  await expectSameBytes(page, 'scan.bmp', path)
  // A busy server verifies the variants from the browser in a background job, after the response.
  await expect.poll(async () => (await filesInLibrary(page))[0]?.status, half).toBe('ready')
  const [file] = await filesInLibrary(page)
  const shown = await (await page.request.get(file?.url ?? '')).body()
  expect(await sharp(shown).metadata()).toMatchObject({ format: 'jpeg', width: 2_400, height: 1_800 })
})

test('an unfinished upload can be discarded, in the browser and on the server', async ({ deviceOf, library }, info) => {
  const page = await deviceOf('Ben Okafor', { viewport: desktop })
  const dialog = await openDialog(page)
  await choose(dialog, await largePhoto(info, 'large.jpg', 12))
  await emulateNetwork(page, { speed: SLOW })
  await dialog.getByRole('button', { name: 'Upload 1 File' }).click()
  await expect.poll(() => percentOf(dialog, 'large.jpg')).toBeGreaterThan(5)
  page.on('dialog', question => void question.accept())
  await page.reload()
  await page.getByRole('button', { name: '1 file not uploaded yet' }).click()
  expect(await filesBelow(library.dataFolder, 'uploads')).not.toEqual([])
  await dialog.getByRole('button', { name: 'Forget them' }).click()
  await expect(dialog.getByText('not finished last time')).toBeHidden()
  await expect.poll(() => filesBelow(library.dataFolder, 'uploads')).toEqual([])
})

test('Cancel stops at once and leaves nothing on the server, and the files can be uploaded again', async ({
  deviceOf,
  library,
}, info) => {
  const page = await deviceOf('Ben Okafor', { viewport: desktop })
  const large = await largePhoto(info, 'large.jpg', 12)
  const dialog = await openDialog(page)
  await choose(dialog, large)
  await emulateNetwork(page, { speed: SLOW })
  await dialog.getByRole('button', { name: 'Upload 1 File' }).click()
  await expect.poll(() => percentOf(dialog, 'large.jpg')).toBeGreaterThan(20)
  expect(await filesBelow(library.dataFolder, 'uploads')).not.toEqual([])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(row(dialog, 'large.jpg')).toContainText('Ready', { timeout: 5_000 })
  await expect.poll(() => filesBelow(library.dataFolder, 'uploads')).toEqual([])
  const kept = [
    ...(await filesBelow(library.dataFolder, 'files')),
    ...(await filesBelow(library.dataFolder, 'scratch')),
  ]
  expect(kept.filter(path => !path.includes('.lock'))).toEqual([])
  expect(await filesInLibrary(page)).toEqual([])

  await emulateNetwork(page)
  await dialog.getByRole('button', { name: 'Upload 1 File' }).click()
  await expect(toast(page, 'Successfully processed 1 file')).toBeVisible({ timeout: 60_000 })
  await expectSameBytes(page, 'large.jpg', large)
})

test('on a slow connection the progress bar only grows, and the time left is shown', async ({ deviceOf }, info) => {
  const page = await deviceOf('Ben Okafor', { viewport: desktop })
  const dialog = await openDialog(page)
  await choose(dialog, await largePhoto(info, 'large.jpg', 10))
  await expect(row(dialog, 'large.jpg')).toContainText('Ready')
  await emulateNetwork(page, { speed: MB })
  await page.evaluate(() => {
    const shown: number[] = []
    Object.assign(window, { shown })
    new MutationObserver(() => {
      const bar = document.querySelector('[role=dialog] [role=progressbar][aria-label="Upload progress"]')
      if (bar) shown.push(Number(bar.getAttribute('aria-valuenow')))
    }).observe(document.body, { subtree: true, attributes: true, childList: true })
  })
  await dialog.getByRole('button', { name: 'Upload 1 File' }).click()
  await expect(dialog.getByText('0 of 1 file processed')).toBeVisible()
  await expect(dialog.getByText('Less than a minute left')).toBeVisible()
  await expect(toast(page, 'Successfully processed 1 file')).toBeVisible({ timeout: 60_000 })
  const shown = await page.evaluate(() => (window as unknown as { shown: number[] }).shown)
  expect(shown).toEqual(shown.toSorted((a, b) => a - b))
  expect(new Set(shown).size).toBeGreaterThan(5)
})

test('many small files are uploaded one after the other', async ({ deviceOf }) => {
  test.setTimeout(20 * 60_000)
  const count = process.env.LONG === undefined ? 45 : 300
  const page = await deviceOf('Ben Okafor', { viewport: desktop })
  const dialog = await openDialog(page)
  const files = await Promise.all(Array.from({ length: count }, (_, i) => photo(`IMG_${i + 1}.jpg`)))
  await choose(dialog, files)
  await dialog.getByRole('button', { name: `Upload ${count} Files` }).click()
  // The list is virtualized: only visible rows are rendered.
  expect(await dialog.getByRole('listitem').count()).toBeLessThan(40)
  const receipt = dialog.getByRole('region', { name: 'Receipt' })
  await expect(receipt).toContainText(`${count} files safe in the library`, { timeout: 18 * 60_000 })
  expect(await filesInLibrary(page)).toHaveLength(count)
})

test('a file of three gigabytes is uploaded', async ({ deviceOf }, info) => {
  test.skip(process.env.LONG === undefined, 'takes minutes: npm run test:long')
  test.setTimeout(30 * 60_000)
  const page = await deviceOf('Ben Okafor', { viewport: desktop })
  const path = await largePhoto(info, 'huge.jpg', 1)
  const file = await open(path, 'r+')
  await file.truncate(3 * 1024 ** 3)
  await file.close()
  const dialog = await openDialog(page)
  await choose(dialog, path)
  await dialog.getByRole('radio', { name: 'Server-side' }).check()
  await dialog.getByRole('button', { name: 'Upload 1 File' }).click()
  await expect(toast(page, 'Successfully processed 1 file')).toBeVisible({ timeout: 25 * 60_000 })
  const [stored] = await filesInLibrary(page)
  expect(stored?.file_size).toBe((await stat(path)).size)
  await expect(dialog.getByRole('region', { name: 'Receipt' })).toContainText(
    'Each arrived byte for byte as it was sent.',
  )
})
