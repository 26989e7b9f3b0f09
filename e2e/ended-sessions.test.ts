import { writeFile } from 'node:fs/promises'
import type { Page, TestInfo } from '@playwright/test'
import { createAlbum } from '#contract/albums.ts'
import { logOut } from '#contract/auth.ts'
import { listGuestUploads } from '#contract/guest-uploads.ts'
import { createUploadLink } from '#contract/links.ts'
import { makePicture } from '../server/test/fixtures/pictures.ts'
import { callerOn } from './support/caller.ts'
import { expect, signIn, test } from './support/family.ts'
import { choose, filesInLibrary, openDialog } from './support/upload.ts'

const COUNT = process.env.LONG ? 200 : 100
const PASSWORD = 'three old boats'
const soon = { timeout: 240_000 }

test.describe.configure({ timeout: 600_000 })

/** On disk, so that a file has the same date when it is chosen again. */
async function photosOnDisk(info: TestInfo, count: number): Promise<{ names: string[]; paths: string[] }> {
  const names = Array.from({ length: count }, (_, i) => `IMG_${String(i + 1).padStart(4, '0')}.jpg`)
  const paths = names.map(name => info.outputPath(name))
  for (const path of paths) await writeFile(path, await makePicture({ width: 16, height: 12 }))
  return { names, paths }
}

async function makeUploadLink(member: Page, password?: string): Promise<string> {
  const caller = await callerOn(member)
  const { id } = await caller.call(createAlbum, { body: { title: 'Wedding' } })
  const options = password === undefined ? {} : { password }
  return (await caller.call(createUploadLink, { params: { id }, body: options })).url
}

async function openAsTom(page: Page, address: string): Promise<void> {
  await page.goto(address)
  await page.getByLabel('What is your name?').fill('Tom')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('You are sending as Tom.')).toBeVisible()
}

/** Waits until some, but not all, of the files are sent, and ends the session as its expiry does. */
async function endLinkSessionHalfway(page: Page): Promise<void> {
  await expect(page.getByText(new RegExp(`^([4-9]\\d|1[0-7]\\d) of ${COUNT} sent$`))).toBeVisible(soon)
  await page.context().clearCookies({ name: /heirloom_link$/ })
}

async function expectSentOnce(member: Page, names: readonly string[]): Promise<void> {
  const sent = await (await callerOn(member)).call(listGuestUploads, { query: {} })
  expect(sent.map(({ name }) => name).sort()).toEqual(names)
}

test('when the session of a guest ends, the link is opened again by itself and each file arrives once', async ({
  deviceOf,
  newDevice,
}, info) => {
  const bens = await deviceOf('Ben Okafor')
  const toms = await newDevice()
  await openAsTom(toms, await makeUploadLink(bens))
  const { names, paths } = await photosOnDisk(info, COUNT)
  await toms.locator('input[type=file]').setInputFiles(paths)
  await endLinkSessionHalfway(toms)
  await expect(toms.getByText(`Thank you! ${COUNT} photos sent.`)).toBeVisible(soon)
  await expectSentOnce(bens, names)
})

test('a link with a password asks for it above the list, and sending goes on without choosing again', async ({
  deviceOf,
  newDevice,
}, info) => {
  const bens = await deviceOf('Ben Okafor')
  const toms = await newDevice()
  const address = await makeUploadLink(bens, PASSWORD)
  const password = toms.getByLabel('Password')
  await toms.goto(address)
  await password.fill(PASSWORD)
  await toms.getByRole('button', { name: 'Open the link' }).click()
  await openAsTom(toms, address)
  const { names, paths } = await photosOnDisk(info, COUNT)
  await toms.locator('input[type=file]').setInputFiles(paths)
  await endLinkSessionHalfway(toms)
  await expect(password).toBeVisible()
  await expect(toms.getByRole('list', { name: 'Files to upload' })).toContainText('Ready')
  await password.fill('not the password')
  await toms.getByRole('button', { name: 'Open the link' }).click()
  await expect(toms.getByText('That is not the password.')).toBeVisible()
  await password.fill(PASSWORD)
  await toms.getByRole('button', { name: 'Open the link' }).click()
  await expect(toms.getByText(`Thank you! ${COUNT} photos sent.`)).toBeVisible(soon)
  await expect(password).toBeHidden()
  await expectSentOnce(bens, names)
})

test('a guest who reloads the page chooses the same files again, and each arrives once', async ({
  deviceOf,
  newDevice,
}, info) => {
  const bens = await deviceOf('Ben Okafor')
  const toms = await newDevice()
  await openAsTom(toms, await makeUploadLink(bens))
  const { names, paths } = await photosOnDisk(info, 40)
  await toms.locator('input[type=file]').setInputFiles(paths)
  await expect(toms.getByText(/^([5-9]|[12]\d) of 40 sent$/)).toBeVisible(soon)
  toms.on('dialog', question => void question.accept())
  await toms.reload()
  await expect(toms.getByText('Sending was interrupted last time.')).toBeVisible()
  await toms.locator('input[type=file]').setInputFiles(paths)
  await expect(toms.getByText(/had already arrived, so they were skipped/)).toBeVisible()
  await expect(toms.getByText(/^Thank you! \d+ photos sent\.$/)).toBeVisible(soon)
  await expectSentOnce(bens, names)
})

test('when the session of a member ends, the files are offered after signing in again', async ({ deviceOf }, info) => {
  const page = await deviceOf('Ben Okafor', { viewport: { width: 1440, height: 900 } })
  const { names, paths } = await photosOnDisk(info, 12)
  const dialog = await openDialog(page)
  await choose(dialog, paths)
  // The others are held back until the session has ended.
  const ended = Promise.withResolvers<void>()
  let sent = 0
  await page.route('**/api/media/upload', async route => {
    if (++sent > 3) await ended.promise
    await route.continue().catch(() => undefined)
  })
  await dialog.getByRole('button', { name: 'Upload 12 Files' }).click()
  await expect(dialog.getByText('3 of 12 files processed')).toBeVisible(soon)
  await (await callerOn(page)).call(logOut, {})
  await expect(page).toHaveURL(/\/login/)
  ended.resolve()
  page.on('dialog', question => void question.accept())
  await signIn(page, 'Ben Okafor')
  await page.getByRole('button', { name: /^\d+ files not uploaded yet$/ }).click()
  await choose(dialog, paths)
  await expect(dialog.getByRole('region', { name: 'Receipt' })).toContainText('12 files safe in the library', soon)
  expect((await filesInLibrary(page)).map(file => file.original_name).sort()).toEqual(names)
})
