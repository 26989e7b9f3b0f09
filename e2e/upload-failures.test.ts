import { rm, stat, utimes, writeFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { makePicture } from '../server/test/fixtures/pictures.ts'
import { expect, test, toast } from './support/family.ts'
import { choose, counter, expectSameBytes, filesInLibrary, openDialog, photo, row } from './support/upload.ts'

const desktop = { width: 1440, height: 900 }
const checks = '**/api/media/check-duplicate'
const uploads = '**/api/media/upload'

/** Answers all requests to this address like a failing server, until it is called again. */
async function answerWith(page: Page, address: string, answer: { status: number; body: string }): Promise<void> {
  await page.unroute(address)
  await page.route(address, route => route.fulfill({ ...answer, contentType: 'application/json' }))
}

test('a failed check says why and can be retried', async ({ deviceOf }) => {
  const page = await deviceOf('Ben Okafor', { viewport: desktop })
  const dialog = await openDialog(page)
  const problems = [
    { body: JSON.stringify({ error: 'Too tired to look.', code: 'tired' }), says: 'Too tired to look.' },
    { body: JSON.stringify({}), says: 'Failed to check for duplicates' },
    { body: '<html>', says: 'Server error' },
  ]
  for (const [i, { body, says }] of problems.entries()) {
    await answerWith(page, checks, { status: 500, body })
    await choose(dialog, await photo(`${i}.jpg`))
    await expect(row(dialog, `${i}.jpg`)).toContainText(says)
  }
  await page.unroute(checks)
  await row(dialog, '0.jpg').getByRole('button', { name: 'Retry 0.jpg' }).click()
  await expect(row(dialog, '0.jpg')).toContainText('Ready')
  await dialog.getByRole('button', { name: 'Retry all' }).click()
  await expect(counter(dialog, 'Ready to Process')).toHaveText('3')
  await dialog.getByRole('button', { name: 'Upload 3 Files' }).click()
  await expect(toast(page, 'Successfully processed 3 files')).toBeVisible()
})

test('failed files are listed separately and uploaded on retry', async ({ deviceOf }) => {
  const page = await deviceOf('Ben Okafor', { viewport: desktop })
  const dialog = await openDialog(page)
  const full = { status: 507, body: JSON.stringify({ error: 'The library has no room left.', code: 'storage_full' }) }
  await answerWith(page, uploads, full)
  await choose(dialog, [await photo('a.jpg'), await photo('b.jpg')])
  await dialog.getByRole('button', { name: 'Upload 2 Files' }).click()
  await expect(toast(page, 'Failed to process 2 files')).toBeVisible()
  await expect(row(dialog, 'a.jpg')).toContainText('Upload failed · The library has no room left.')
  await expect(dialog.getByRole('region', { name: 'Receipt' })).toContainText('2 files not uploaded')

  // The two files are uploaded in parallel: whichever sends the first request is rejected.
  await page.unroute(uploads)
  let calls = 0
  await page.route(uploads, route =>
    calls++ === 0 ? route.fulfill({ ...full, contentType: 'application/json' }) : route.continue(),
  )
  await dialog.getByRole('button', { name: 'Retry all' }).click()
  await expect(toast(page, 'Processed 1 file, 1 failed')).toBeVisible()
  const safe = (await filesInLibrary(page)).map(file => file.original_name)
  expect(safe).toHaveLength(1)
  const [worked, failed] = safe[0] === 'a.jpg' ? ['a.jpg', 'b.jpg'] : ['b.jpg', 'a.jpg']
  await expect(row(dialog, worked)).toContainText('Uploaded')
  await expect(row(dialog, failed)).toContainText('Upload failed · The library has no room left.')

  await page.unroute(uploads)
  await row(dialog, failed)
    .getByRole('button', { name: `Retry ${failed}` })
    .click()
  await expect(toast(page, 'Successfully processed 2 files')).toBeVisible()
  await expect(counter(dialog, 'Uploaded')).toHaveText('2')
  expect(await filesInLibrary(page)).toHaveLength(2)
})

test('a file that is no photo is named, and the others are uploaded', async ({ deviceOf }) => {
  const page = await deviceOf('Ben Okafor', { viewport: desktop })
  const dialog = await openDialog(page)
  const liar = { name: 'liar.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('not a photo at all') }
  await choose(dialog, [liar, await photo('true.jpg')])
  await dialog.getByRole('button', { name: 'Upload 2 Files' }).click()
  await expect(toast(page, 'Processed 1 file, 1 failed')).toBeVisible()
  await expect(row(dialog, 'liar.jpg')).toContainText(/Failed to process file|Upload failed/)
  // No retry is offered, because the server would reject the same bytes again.
  await expect(row(dialog, 'liar.jpg').getByRole('button', { name: 'Retry liar.jpg' })).toHaveCount(0)
  await expect(dialog.getByRole('button', { name: 'Retry all' })).toHaveCount(0)
  await row(dialog, 'liar.jpg').getByRole('button', { name: 'Remove liar.jpg' }).click()
  await expect(counter(dialog, 'Total')).toHaveText('1')
})

test('a rejected file is not offered again at the next visit', async ({ deviceOf }) => {
  const page = await deviceOf('Ben Okafor', { viewport: desktop })
  let dialog = await openDialog(page)
  await choose(dialog, { name: 'liar.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('not a photo at all') })
  await dialog.getByRole('button', { name: 'Upload 1 File' }).click()
  await expect(toast(page, 'Failed to process 1 file')).toBeVisible()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('unfinished_uploads'))).toBeNull()
  await page.reload()
  dialog = await openDialog(page)
  await choose(dialog, await photo('true.jpg'))
  // Unfinished uploads are read before a file can be chosen, so they would be visible by now.
  await expect(row(dialog, 'true.jpg')).toContainText('Ready')
  await expect(dialog.getByText('not finished last time')).toHaveCount(0)
})

test('a lost response creates no second file, and the receipt still says that it is safe', async ({ deviceOf }) => {
  const page = await deviceOf('Ben Okafor', { viewport: desktop })
  const dialog = await openDialog(page)
  let answers = 0
  const session = await page.context().newCDPSession(page)
  session.on('Fetch.requestPaused', ({ requestId }) => {
    answers++
    if (answers > 1) return void session.send('Fetch.continueRequest', { requestId })
    void session.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionReset' })
  })
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*/api/media/upload', requestStage: 'Response' }] })
  await choose(dialog, await photo('a.jpg'))
  await dialog.getByRole('button', { name: 'Upload 1 File' }).click()
  await expect(toast(page, 'Successfully processed 1 file')).toBeVisible()
  await expect(dialog.getByRole('region', { name: 'Receipt' })).toContainText(
    'Each arrived byte for byte as it was sent.',
  )
  expect(answers).toBe(2)
  expect(await filesInLibrary(page)).toHaveLength(1)
})

test('a file that cannot be hashed is uploaded unchecked', async ({ deviceOf }) => {
  const page = await deviceOf('Ben Okafor', { viewport: desktop })
  const dialog = await openDialog(page)
  await page.route('**/hash.worker*', route => route.abort())
  let asked = false
  await page.route(checks, route => {
    asked = true
    return route.continue()
  })
  await choose(dialog, await photo('a.jpg'))
  await expect(row(dialog, 'a.jpg')).toContainText('Ready · Hash generation failed: ')
  await dialog.getByRole('button', { name: 'Upload 1 File' }).click()
  await expect(toast(page, 'Successfully processed 1 file')).toBeVisible()
  await expect(dialog.getByRole('region', { name: 'Receipt' })).toContainText('1 file could not be compared')
  expect(asked).toBe(false)
})

const unreadable = 'The file can no longer be read. Was it moved or changed, or a card taken out?'

test('photos that were deleted or changed since they were chosen are named, and can be chosen again', async ({
  deviceOf,
}, info) => {
  const page = await deviceOf('Ben Okafor', { viewport: desktop })
  const dialog = await openDialog(page)
  const changed = info.outputPath('changed.jpg')
  const gone = info.outputPath('gone.jpg')
  const late = info.outputPath('late.jpg')
  for (const path of [changed, gone, late]) await writeFile(path, await makePicture())
  await choose(dialog, [changed, gone, late])
  for (const name of ['changed.jpg', 'gone.jpg', 'late.jpg']) await expect(row(dialog, name)).toContainText('Ready')
  await rm(gone)
  const newBytes = await makePicture({ width: 100 })
  await writeFile(changed, newBytes)
  await utimes(changed, new Date(), new Date(Date.now() - 60_000))
  // This file is deleted during its upload.
  await page.route(uploads, async route => {
    await rm(late, { force: true })
    await route.abort()
  })
  await dialog.getByRole('button', { name: 'Upload 3 Files' }).click()
  await expect(toast(page, 'Failed to process 3 files')).toBeVisible()
  for (const name of ['changed.jpg', 'gone.jpg']) {
    await expect(row(dialog, name)).toContainText(`Failed to process file · ${unreadable}`)
  }
  await expect(row(dialog, 'late.jpg')).toContainText(`Upload failed · ${unreadable}`)

  await page.unroute(uploads)
  await row(dialog, 'changed.jpg').getByRole('button', { name: 'Remove changed.jpg' }).click()
  await choose(dialog, changed)
  await dialog.getByRole('button', { name: 'Upload 1 File' }).click()
  await expect(row(dialog, 'changed.jpg')).toContainText('Uploaded')
  expect(await filesInLibrary(page)).toHaveLength(1)
  await expectSameBytes(page, 'changed.jpg', newBytes)
})

test('changed bytes are rejected and read again on retry', async ({ deviceOf }, info) => {
  const page = await deviceOf('Ben Okafor', { viewport: desktop })
  const dialog = await openDialog(page)
  const path = info.outputPath('a.jpg')
  const before = await makePicture()
  await writeFile(path, Buffer.concat([before, Buffer.from('before')]))
  const { atime, mtime } = await stat(path)
  const date = new Date(Math.floor(mtime.getTime() / 1000) * 1000)
  await utimes(path, atime, date)
  await choose(dialog, path)
  await expect(row(dialog, 'a.jpg')).toContainText('Ready')
  const after = Buffer.concat([before, Buffer.from('after!')])
  await writeFile(path, after)
  await utimes(path, atime, date)
  await dialog.getByRole('button', { name: 'Upload 1 File' }).click()
  await expect(row(dialog, 'a.jpg')).toContainText('Upload failed · a.jpg did not arrive as it was sent.')
  expect(await filesInLibrary(page)).toEqual([])
  await row(dialog, 'a.jpg').getByRole('button', { name: 'Retry a.jpg' }).click()
  await expect(toast(page, 'Successfully processed 1 file')).toBeVisible()
  await expectSameBytes(page, 'a.jpg', after)
})

test('when the browser is out of memory, one message says so, and the files can be uploaded again', async ({
  deviceOf,
}) => {
  const page = await deviceOf('Ben Okafor', { viewport: desktop })
  const dialog = await openDialog(page)
  await choose(dialog, [await photo('a.jpg'), await photo('b.jpg')])
  for (const name of ['a.jpg', 'b.jpg']) await expect(row(dialog, name)).toContainText('Ready')
  await dialog.getByRole('button', { name: 'Upload 2 Files' }).evaluate((button: HTMLElement) => {
    const { AbortController } = window
    window.AbortController = class {
      constructor() {
        throw new RangeError('Out of memory')
      }
    } as unknown as typeof AbortController
    button.click()
    window.AbortController = AbortController
  })
  await expect(toast(page, 'Failed to process files for upload')).toBeVisible()
  await expect(counter(dialog, 'Ready to Process')).toHaveText('2')
  await dialog.getByRole('button', { name: 'Upload 2 Files' }).click()
  await expect(toast(page, 'Successfully processed 2 files')).toBeVisible()
  expect(await filesInLibrary(page)).toHaveLength(2)
})
