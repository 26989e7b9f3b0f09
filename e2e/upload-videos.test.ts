import { readFile, rm } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { getMedia } from '#contract/media.ts'
import { filmedAt, h264, h264AndAac, openClipFolder, picture, sound } from '../server/test/processing/video-clips.ts'
import { callerOn } from './support/caller.ts'
import { expect, test, toast } from './support/family.ts'
import {
  choose,
  drop,
  emulateNetwork,
  expectSameBytes,
  filesInLibrary,
  largePhoto,
  openDialog,
  percentOf,
  photo,
  recordRows,
  row,
} from './support/upload.ts'

/** When the halves of a Live Photo were taken. */
const TAKEN = '2024-06-01T12:34:56'
const desktop = { width: 1440, height: 900 }

/** Waits until the motion clip of a photo is available. */
async function expectToMove(page: Page, name: string): Promise<void> {
  const caller = await callerOn(page)
  const id = (await filesInLibrary(page)).find(file => file.original_name === name)?.id ?? 0
  const motion = async () => (await caller.call(getMedia, { params: { id } })).motion_url
  await expect.poll(motion, { timeout: 60_000 }).not.toBeNull()
}

test('a video is converted in the browser and uploaded with its original, but not if it is a duplicate', async ({
  deviceOf,
}) => {
  const page = await deviceOf('Ben Okafor', { viewport: desktop })
  await using clipFolder = await openClipFolder()
  const film = await clipFolder.make('Film.mkv', ...picture('96x72', 2), ...sound(2), ...h264AndAac)
  let dialog = await openDialog(page)
  let seen = await recordRows(page)
  await choose(dialog, film)
  await dialog.getByRole('button', { name: 'Upload 1 File' }).click()
  await expect(toast(page, 'Successfully processed 1 file')).toBeVisible()
  const texts = await seen()
  const steps = ['Reading…', 'Checking for duplicates…', 'Converting… 0%', 'Processing…', 'Uploading… 0%']
  for (const step of steps) expect(texts).toContain(step)
  await expectSameBytes(page, 'Film.mkv', film)
  const caller = await callerOn(page)
  const id = (await filesInLibrary(page))[0]?.id ?? 0
  await expect
    .poll(async () => (await caller.call(getMedia, { params: { id } })).url, { timeout: 60_000 })
    .toContain('.mp4')
  await dialog.getByRole('button', { name: 'Done' }).click()

  dialog = await openDialog(page)
  seen = await recordRows(page)
  await choose(dialog, { name: 'Again.mkv', mimeType: 'video/x-matroska', buffer: await readFile(film) })
  await expect(row(dialog, 'Again.mkv')).toContainText('Already in the library as “Film.mkv”')
  expect(await seen()).not.toContain('Converting')
})

test('several videos chosen at once on a new page are all uploaded', async ({ deviceOf }) => {
  const page = await deviceOf('Ben Okafor', { viewport: desktop })
  await using clipFolder = await openClipFolder()
  const videos = [
    await clipFolder.make('One.mp4', ...picture('96x72', 1), ...sound(1), ...h264AndAac),
    await clipFolder.make('Two.mp4', ...picture('96x72', 2), ...sound(2), ...h264AndAac),
    await clipFolder.make('Three.mkv', ...picture('96x72', 3), ...sound(3), ...h264AndAac),
    // Its type, application/mxf, is not one of a video.
    await clipFolder.make('Four.mxf', ...picture('96x72', 1), '-c:v', 'mpeg2video'),
  ]
  const dialog = await openDialog(page)
  await choose(dialog, videos)
  await expect(row(dialog, 'One.mp4').locator('canvas')).toBeVisible()
  await dialog.getByRole('button', { name: 'Upload 4 Files' }).click()
  await expect(toast(page, 'Successfully processed 4 files')).toBeVisible({ timeout: 30_000 })
  const names = (await filesInLibrary(page)).map(file => file.original_name)
  expect(names.sort()).toEqual(['Four.mxf', 'One.mp4', 'Three.mkv', 'Two.mp4'])
})

/** The converted videos that wait to be uploaded. */
function filmsWaiting(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const root = await navigator.storage.getDirectory()
    const folder = await root.getDirectoryHandle('converted-videos', { create: true })
    return Array.fromAsync(folder.keys())
  })
}

test('a cancelled conversion and a removed converted video leave no files behind', async ({ deviceOf }) => {
  const page = await deviceOf('Ben Okafor', { viewport: desktop })
  await using clipFolder = await openClipFolder()
  const vp8 = ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8']
  const long = await clipFolder.make('Long.mkv', ...picture('640x480', 30), ...vp8)
  const short = await clipFolder.make('Short.mkv', ...picture('96x72', 1), ...h264)
  await page.route('**/api/media/upload', () => undefined)
  const dialog = await openDialog(page)
  await choose(dialog, long)
  await dialog.getByRole('button', { name: 'Upload 1 File' }).click()
  await expect(row(dialog, 'Long.mkv')).toContainText(/Converting… [1-9]/)
  expect(await filmsWaiting(page)).toHaveLength(1)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(row(dialog, 'Long.mkv')).toContainText('Ready')
  await expect.poll(() => filmsWaiting(page)).toEqual([])
  await row(dialog, 'Long.mkv').getByRole('button', { name: 'Remove Long.mkv' }).click()

  await choose(dialog, [
    await photo('a.jpg'),
    { name: 'b.mkv', mimeType: 'video/x-matroska', buffer: await readFile(short) },
  ])
  await dialog.getByRole('button', { name: 'Upload 2 Files' }).click()
  await expect(row(dialog, 'a.jpg')).toContainText('Uploading…')
  await expect.poll(() => filmsWaiting(page)).toHaveLength(1)
  await row(dialog, 'b.mkv').getByRole('button', { name: 'Remove b.mkv' }).click()
  await expect.poll(() => filmsWaiting(page)).toEqual([])
})

test('a video that can no longer be read shows an error on its row and in a toast', async ({ deviceOf }) => {
  const page = await deviceOf('Ben Okafor', { viewport: desktop })
  await using clipFolder = await openClipFolder()
  const film = await clipFolder.make('Gone.mkv', ...picture('96x72', 1), ...h264)
  const dialog = await openDialog(page)
  await choose(dialog, film)
  await expect(row(dialog, 'Gone.mkv')).toContainText('Ready')
  await rm(film)
  await dialog.getByRole('button', { name: 'Upload 1 File' }).click()
  await expect(toast(page, 'Failed to convert Gone.mkv: Failed to load video file')).toBeVisible()
  await expect(row(dialog, 'Gone.mkv')).toContainText('Transcoding failed: Failed to load video file')
  await expect(toast(page, 'Failed to process 1 file')).toBeVisible()
})

test('the still and the clip of a Live Photo, chosen together, become one Live Photo', async ({ deviceOf }) => {
  const page = await deviceOf('Ben Okafor', { viewport: desktop })
  await using clipFolder = await openClipFolder()
  const clip = await clipFolder.make(
    'IMG_1.MOV',
    ...picture('96x72', 1),
    ...sound(1),
    ...h264AndAac,
    ...filmedAt(TAKEN),
  )
  const dialog = await openDialog(page)
  await choose(dialog, [
    { name: 'IMG_1.MOV', mimeType: 'video/quicktime', buffer: await readFile(clip) },
    await photo('IMG_1.jpg', { takenAt: TAKEN }),
    await photo('IMG_2.jpg'),
  ])
  await expect(row(dialog, 'IMG_1.jpg')).toContainText('Live Photo')
  await dialog.getByRole('button', { name: 'Upload 2 Files' }).click()
  await expect(toast(page, 'Successfully processed 2 files')).toBeVisible()
  await expectToMove(page, 'IMG_1.jpg')
  expect((await filesInLibrary(page)).map(file => [file.original_name, file.motion_url !== null])).toEqual([
    ['IMG_1.jpg', true],
    ['IMG_2.jpg', false],
  ])
})

test('a video that only shares its name with a photo is a separate file', async ({ deviceOf }) => {
  const page = await deviceOf('Ben Okafor', { viewport: desktop })
  await using clipFolder = await openClipFolder()
  const film = await clipFolder.make(
    'QuickTime.mov',
    ...picture('96x72', 1),
    ...h264,
    ...filmedAt('2019-03-04T05:06:07'),
  )
  const files = [
    await photo('QuickTime.jpg', { takenAt: TAKEN }),
    { name: 'QuickTime.mov', mimeType: 'video/quicktime', buffer: await readFile(film) },
  ]
  let dialog = await openDialog(page)
  const seen = await recordRows(page)
  await choose(dialog, files)
  await dialog.getByRole('button', { name: 'Upload 1 File' }).click()
  await expect(toast(page, 'Successfully processed 1 file')).toBeVisible()
  expect(await seen()).toContain('“QuickTime.mov” is not a part of this photo, and was added as a video')
  const inLibrary = (await filesInLibrary(page)).map(file => [file.original_name, file.file_type])
  expect(inLibrary.sort()).toEqual([
    ['QuickTime.jpg', 'image'],
    ['QuickTime.mov', 'video'],
  ])
  await expectSameBytes(page, 'QuickTime.mov', film)
  await dialog.getByRole('button', { name: 'Done' }).click()

  // Chosen again, both are recognised as duplicates.
  dialog = await openDialog(page)
  const seenAgain = await recordRows(page)
  await choose(dialog, files)
  await dialog.getByRole('button', { name: 'Upload 1 File' }).click()
  await expect.poll(seenAgain).toContain('Already in the library as “QuickTime.jpg”, so it is skipped')
  expect(await filesInLibrary(page)).toHaveLength(2)
})

test('the clip of an existing photo is added to it, and offered only once', async ({ deviceOf }) => {
  const page = await deviceOf('Ben Okafor', { viewport: desktop })
  await using clipFolder = await openClipFolder()
  const film = await clipFolder.make(
    'IMG_1.MOV',
    ...picture('96x72', 1),
    ...sound(1),
    ...h264AndAac,
    ...filmedAt(TAKEN),
  )
  const clip = { name: 'IMG_1.MOV', mimeType: 'video/quicktime', buffer: await readFile(film) }
  const [still, other] = [await photo('IMG_1.jpg', { takenAt: TAKEN }), await photo('IMG_7.jpg', { takenAt: TAKEN })]
  let dialog = await openDialog(page)
  await choose(dialog, still)
  await dialog.getByRole('button', { name: 'Upload 1 File' }).click()
  await expect(toast(page, 'Successfully processed 1 file')).toBeVisible()
  await dialog.getByRole('button', { name: 'Done' }).click()

  dialog = await openDialog(page)
  const seen = await recordRows(page)
  const [together, apart] = [
    { ...other, name: 'IMG_9.jpg' },
    { ...clip, name: 'IMG_9.MOV' },
  ]
  await choose(dialog, [still, clip, other, together, apart])
  await expect(row(dialog, 'IMG_1.jpg')).toContainText('Ready · The library has this photo; its moving part is added')
  // Nor does the same photo, chosen without a clip, prevent a clip from being uploaded.
  await expect(row(dialog, 'IMG_9.jpg')).toContainText('Ready')
  await dialog.getByRole('button', { name: 'Upload 3 Files' }).click()
  await expect(dialog.getByRole('region', { name: 'Receipt' })).toContainText('3 files safe in the library')
  expect(await seen()).toContain('Uploaded · The library has this photo; its moving part is added')
  await expectToMove(page, 'IMG_1.jpg')
  await expectToMove(page, 'IMG_7.jpg')
  expect(await filesInLibrary(page)).toHaveLength(2)
  await dialog.getByRole('button', { name: 'Done' }).click()

  dialog = await openDialog(page)
  await choose(dialog, [still, clip])
  await expect(row(dialog, 'IMG_1.jpg')).toContainText('Already in the library as “IMG_1.jpg”, so it is skipped')
  await dialog.getByRole('button', { name: 'Done' }).click()

  // A different clip of the same photo is no duplicate: it is stored as a separate video.
  const longer = await clipFolder.make('other.MOV', ...picture('96x72', 2), ...h264, ...filmedAt(TAKEN))
  dialog = await openDialog(page)
  await choose(dialog, [still, { ...clip, buffer: await readFile(longer) }])
  await dialog.getByRole('button', { name: 'Upload 1 File' }).click()
  await expect.poll(async () => (await filesInLibrary(page)).length, { timeout: 30_000 }).toBe(3)
  await expectSameBytes(page, 'IMG_1.MOV', longer)
})

test('a dropped Live Photo that resumes after a reload still has its clip', async ({ deviceOf }, info) => {
  const page = await deviceOf('Ben Okafor', { viewport: desktop })
  await using clipFolder = await openClipFolder()
  const clip = await clipFolder.make(
    'IMG_1.MOV',
    ...picture('96x72', 1),
    ...sound(1),
    ...h264AndAac,
    ...filmedAt(TAKEN),
  )
  const still = await largePhoto(info, 'IMG_1.jpg', 12, { takenAt: TAKEN })
  const dialog = await openDialog(page)
  await drop(page, [still, clip])
  await expect(row(dialog, 'IMG_1.jpg')).toContainText('Ready')
  await emulateNetwork(page, { speed: 2 * 1024 ** 2 })
  await dialog.getByRole('button', { name: 'Upload 1 File' }).click()
  await expect.poll(() => percentOf(dialog, 'IMG_1.jpg')).toBeGreaterThan(20)
  page.on('dialog', question => void question.accept())
  await page.reload()
  await emulateNetwork(page)
  await page.getByRole('button', { name: '1 file not uploaded yet' }).click()
  await expect(dialog.getByText('IMG_1.jpg + IMG_1.MOV')).toBeVisible()
  await dialog.getByRole('button', { name: 'Go on' }).click()
  await expect(toast(page, 'Successfully processed 1 file')).toBeVisible({ timeout: 60_000 })
  await expectSameBytes(page, 'IMG_1.jpg', still)
  await expectToMove(page, 'IMG_1.jpg')
})
