import { readFile } from 'node:fs/promises'
import { getMedia } from '#contract/media.ts'
import { h264AndAac, openWorkshop, picture, sound } from '../server/src/processing/video/test-clips.ts'
import { callerOn } from './support/caller.ts'
import { expect, test, toast } from './support/family.ts'
import { choose, expectSameBytes, filesInLibrary, openDialog, photo, recordRows, row } from './support/upload.ts'

const desk = { width: 1440, height: 900 }

test('a film is converted here, travels with its original, and is not converted when the library has it', async ({
  deviceOf,
}) => {
  const page = await deviceOf('Ben Okafor', { viewport: desk })
  await using workshop = await openWorkshop()
  const film = await workshop.make('Film.mkv', ...picture('96x72', 2), ...sound(2), ...h264AndAac)
  let dialog = await openDialog(page)
  let seen = await recordRows(page)
  await choose(dialog, film)
  await dialog.getByRole('button', { name: 'Upload 1 File' }).click()
  await expect(toast(page, 'Successfully processed 1 file')).toBeVisible()
  const texts = await seen()
  const steps = ['Generating hash…', 'Checking for duplicates…', 'Transcoding… 0%', 'Processing…', 'Uploading… 0%']
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
  expect(await seen()).not.toContain('Transcoding')
})

test('a Live Photo’s still and clip, chosen together, become one photo that moves', async ({ deviceOf }) => {
  const page = await deviceOf('Ben Okafor', { viewport: desk })
  await using workshop = await openWorkshop()
  const clip = await workshop.make('IMG_1.MOV', ...picture('96x72', 1), ...sound(1), ...h264AndAac)
  const dialog = await openDialog(page)
  await choose(dialog, [
    { name: 'IMG_1.MOV', mimeType: 'video/quicktime', buffer: await readFile(clip) },
    await photo('IMG_1.jpg'),
    await photo('IMG_2.jpg'),
  ])
  await expect(row(dialog, 'IMG_1.jpg')).toContainText('Live Photo')
  await dialog.getByRole('button', { name: 'Upload 2 Files' }).click()
  await expect(toast(page, 'Successfully processed 2 files')).toBeVisible()
  const caller = await callerOn(page)
  const [moving, still] = await filesInLibrary(page)
  const motionOf = async (id = 0) => (await caller.call(getMedia, { params: { id } })).motion_url
  await expect.poll(() => motionOf(moving?.id), { timeout: 60_000 }).not.toBeNull()
  expect(await motionOf(still?.id)).toBeNull()
})
