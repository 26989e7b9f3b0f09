import { listMedia } from '#contract/media-list.ts'
import { expect, test } from './support/members.ts'
import { choose, openDialog, photo, row } from './support/upload.ts'

test.use({ expectedLog: /could not be (sent|loaded|told|marked)|Failed to load resource|ERR_/ })

test('photos that are chosen without a connection say that they wait, and are uploaded when it returns', async ({
  openAs,
}) => {
  const { page, line, caller } = await openAs('ben', {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    serviceWorkers: 'allow',
  })
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  await page.reload()
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated')
  line.cut()
  await expect(page.getByText('The library can’t be reached. Trying again…')).toBeVisible({ timeout: 30_000 })
  const dialog = await openDialog(page)
  await choose(dialog, [await photo('a.jpg'), await photo('b.jpg')])
  await expect(row(dialog, 'a.jpg')).toContainText('Waiting for the connection…', { timeout: 30_000 })
  line.restore()
  await expect(row(dialog, 'a.jpg')).toContainText('Ready', { timeout: 30_000 })
  await dialog.getByRole('button', { name: 'Upload 2 Files' }).click()
  await expect.poll(async () => (await caller.call(listMedia, { query: {} })).files.length, { timeout: 60_000 }).toBe(2)
})

test('signing out asks first if files that were chosen are not uploaded', async ({ openAs }) => {
  const { page } = await openAs('ben', { viewport: { width: 1440, height: 900 } })
  const dialog = await openDialog(page)
  await choose(dialog, [await photo('a.jpg'), await photo('b.jpg')])
  await expect(row(dialog, 'b.jpg')).toContainText('Ready')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Log out' }).click()
  const question = page.getByRole('alertdialog', { name: 'Log out before everything is uploaded?' })
  await expect(question).toContainText('2 files that you have chosen are not uploaded yet')
  await question.getByRole('button', { name: 'Stay signed in' }).click()
  await expect(page.getByRole('button', { name: 'Log out' })).toBeVisible()
})
