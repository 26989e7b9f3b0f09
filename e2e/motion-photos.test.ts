import { readFile } from 'node:fs/promises'
import { getMedia } from '#contract/media.ts'
import { makePicture } from '../server/test/fixtures/pictures.ts'
import { googleMotionPhoto } from '../server/test/processing/motion-photos.ts'
import { h264AndAac, openClipFolder, picture as testPicture } from '../server/test/processing/video-clips.ts'
import { callerOn } from './support/caller.ts'
import { expect, test, toast } from './support/family.ts'
import { choose, expectSameBytes, filesInLibrary, openDialog } from './support/upload.ts'

test('a motion photo of a Google phone is uploaded like any photo, and its clip plays in the viewer', async ({
  deviceOf,
}) => {
  const page = await deviceOf('Ada Okafor', { reducedMotion: 'reduce', viewport: { width: 1440, height: 900 } })
  await using clipFolder = await openClipFolder()
  const clip = await readFile(await clipFolder.make('clip.mp4', ...testPicture('160x120', 2), ...h264AndAac))
  const photo = googleMotionPhoto(await makePicture({ width: 640, height: 480 }), clip)
  const dialog = await openDialog(page)
  await choose(dialog, { name: 'PXL_1.MP.jpg', mimeType: 'image/jpeg', buffer: photo })
  await dialog.getByRole('button', { name: 'Upload 1 File' }).click()
  await expect(toast(page, 'Successfully processed 1 file')).toBeVisible({ timeout: 60_000 })
  await expectSameBytes(page, 'PXL_1.MP.jpg', photo)

  const [file] = await filesInLibrary(page)
  const id = file?.id ?? 0
  const caller = await callerOn(page)
  const moves = async () => (await caller.call(getMedia, { params: { id } })).motion_url !== null
  await expect.poll(moves, { timeout: 60_000 }).toBe(true)

  await page.goto(`/?file=${id}`)
  const playing = page.locator('video[data-playing]')
  await expect(page.getByRole('img', { name: 'PXL_1.MP.jpg' })).toBeVisible()
  await page.getByRole('button', { name: 'Live', exact: true }).hover()
  await expect(playing).toBeVisible()
  // The clip was decoded: width and duration are those of the clip, and its time advances.
  const shown = () => playing.evaluate((video: HTMLVideoElement) => [video.videoWidth, Math.round(video.duration)])
  await expect.poll(shown).toEqual([160, 2])
  await expect.poll(() => playing.evaluate((video: HTMLVideoElement) => video.currentTime)).toBeGreaterThan(0)
})
