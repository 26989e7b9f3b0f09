import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { getMedia } from '#contract/media.ts'
import {
  filmedAt,
  h264AndAac,
  openClipFolder,
  picture as testPicture,
} from '../server/src/processing/video/test-clips.ts'
import { makeClientPictures, makePicture } from '../server/test/fixtures/pictures.ts'
import { asFile, photoForm, send, untilPrepared } from '../server/test/fixtures/uploads.ts'
import { callerOn } from './support/caller.ts'
import { expect, type PersonName, test } from './support/family.ts'
import { picture, swipe, touch, transformOf, viewer } from './support/viewer.ts'

type DeviceOf = (name: PersonName, options?: object) => Promise<Page>

/** Three photos larger than any screen here; the second is open. */
async function openLarge(deviceOf: DeviceOf, options: object): Promise<Page> {
  const page = await deviceOf('Ada Okafor', { reducedMotion: 'reduce', ...options })
  const caller = await callerOn(page)
  const ids: number[] = []
  for (const [i, name] of ['A.jpg', 'B.jpg', 'C.jpg'].entries()) {
    const bytes = await makePicture({ width: 4_000, height: 2_600 })
    const told = { metadata: { dateTimeOriginal: `2024-06-1${9 - i}T12:00:00` } }
    const { files } = await send(caller, photoForm(name, bytes, await makeClientPictures(bytes), told))
    for (const { id } of files) {
      await untilPrepared(caller, id)
      ids.push(id)
    }
  }
  await page.goto(`/?file=${ids[1]}`)
  await expect(viewer(page, 'B.jpg')).toContainText('2 of 3')
  await expect(page.locator('img[data-shown]')).toBeVisible()
  return page
}

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 }
const desk = { viewport: { width: 1440, height: 900 } }

test('a finger swipes to the next photo and back, and down to the gallery; a tap leaves the photo alone', async ({
  deviceOf,
}) => {
  const page = await openLarge(deviceOf, phone)
  const session = await page.context().newCDPSession(page)
  await swipe(session, { x: 320, y: 400 }, { x: 60, y: 410 })
  await expect(viewer(page, 'C.jpg')).toBeVisible()
  await swipe(session, { x: 60, y: 400 }, { x: 320, y: 410 })
  await expect(viewer(page, 'B.jpg')).toBeVisible()
  await swipe(session, { x: 200, y: 400 }, { x: 205, y: 405 })
  await expect(viewer(page, 'B.jpg')).toBeVisible()

  const drawer = page.getByRole('button', { name: 'Show Details & Tags' })
  const shownAgain = (await drawer.count()) > 0
  await touch(session, [{ x: 200, y: 400 }], [])
  await expect(drawer).toHaveCount(shownAgain ? 0 : 1)
  await touch(session, [{ x: 200, y: 400 }], [])
  await expect(drawer).toHaveCount(shownAgain ? 1 : 0)

  await swipe(session, { x: 200, y: 250 }, { x: 205, y: 520 })
  await expect(viewer(page)).toHaveCount(0)
})

test('two fingers zoom, one then moves the photo about instead of turning it', async ({ deviceOf }) => {
  const page = await openLarge(deviceOf, phone)
  const session = await page.context().newCDPSession(page)
  await touch(
    session,
    [
      { x: 175, y: 400 },
      { x: 215, y: 400 },
    ],
    [
      { x: 155, y: 400 },
      { x: 235, y: 400 },
    ],
    [
      { x: 135, y: 400 },
      { x: 255, y: 400 },
    ],
    [],
  )
  await expect.poll(async () => (await transformOf(page)).scale).toBeCloseTo(3, 1)
  const before = await transformOf(page)
  await swipe(session, { x: 200, y: 400 }, { x: 100, y: 400 })
  await expect.poll(async () => Math.round((await transformOf(page)).x - before.x)).toBeLessThan(-60)
  await expect(viewer(page, 'B.jpg')).toBeVisible()
})

test('the drawer is below the photo on a screen that is touched, however wide', async ({ deviceOf }) => {
  const page = await openLarge(deviceOf, { viewport: { width: 1024, height: 768 }, hasTouch: true })
  await page.getByRole('button', { name: 'Show Details & Tags' }).tap()
  await expect(page.getByRole('button', { name: 'Hide Details & Tags' })).toBeVisible()
  await expectPhotoUncovered(page)
})

test('on a phone the open drawer leaves the photo some room, and nothing lies on it', async ({ deviceOf }) => {
  const page = await openLarge(deviceOf, phone)
  await page.getByRole('button', { name: 'Show Details & Tags' }).tap()
  await expect(page.getByRole('button', { name: 'Hide Details & Tags' })).toBeVisible()
  await expectPhotoUncovered(page)
})

async function expectPhotoUncovered(page: Page) {
  const photo = await picture(page).boundingBox()
  const header = await page.locator('.viewer-header').boundingBox()
  const panel = await page.getByRole('complementary', { name: 'Details & Tags' }).boundingBox()
  if (photo === null || header === null || panel === null)
    throw new Error('The photo and what is around it are not all there')
  expect(photo.height).toBeGreaterThan(100)
  expect(photo.y).toBeGreaterThanOrEqual(header.y + header.height - 1)
  expect(panel.y).toBeGreaterThanOrEqual(photo.y + photo.height - 1)
}

test('the wheel zooms around the pointer, the mouse moves the photo to its edges', async ({ deviceOf }) => {
  const page = await openLarge(deviceOf, desk)
  const at = await picture(page).boundingBox()
  if (at === null) throw new Error('There is no picture')
  const pointer = { x: at.x + at.width * 0.75, y: at.y + at.height * 0.25 }
  await page.mouse.move(pointer.x, pointer.y)
  for (let notch = 0; notch < 4; notch++) await page.mouse.wheel(0, -120)
  await expect.poll(async () => (await transformOf(page)).scale).toBeGreaterThan(2)
  // Zooming keeps the point under the pointer: still three quarters across.
  await expect
    .poll(async () => {
      const now = await picture(page).boundingBox()
      return now === null ? 0 : (pointer.x - now.x) / now.width
    })
    .toBeCloseTo(0.75, 1)

  await page.mouse.down()
  await page.mouse.move(pointer.x + 4_000, pointer.y, { steps: 4 })
  await page.mouse.up()
  const stage = await page.locator('.viewer-stage').boundingBox()
  await expect.poll(async () => (await picture(page).boundingBox())?.x ?? -1).toBeCloseTo(stage?.x ?? 0, 0)
  await page.mouse.dblclick(pointer.x, pointer.y)
  await expect.poll(() => transformOf(page)).toEqual({ scale: 1, x: 0, y: 0, turn: 0 })
})

test('the picture fits the screen, and the full-size file comes when somebody looks closer', async ({ deviceOf }) => {
  const page = await openLarge(deviceOf, desk)
  const source = () => page.locator('img[data-shown]').getAttribute('src')
  expect(await source()).toContain('website')
  for (let step = 0; step < 6; step++) await page.keyboard.press('+')
  await expect.poll(source).toContain('/originals/')
})

test('a Live Photo moves while the mouse rests on its sign, and while it is held', async ({ deviceOf }) => {
  const page = await deviceOf('Ada Okafor', { reducedMotion: 'reduce', ...desk })
  const caller = await callerOn(page)
  const taken = '2024-06-01T12:34:56'
  await using workshop = await openClipFolder()
  const clip = await readFile(
    await workshop.make('clip.mp4', ...testPicture('160x120', 2), ...h264AndAac, ...filmedAt(taken)),
  )
  const still = await makePicture({ width: 640, height: 480, takenAt: taken })
  const form = photoForm('Live.jpg', still, await makeClientPictures(still))
  form.append('files', asFile(clip), 'motion_Live.jpg')
  const [file] = (await send(caller, form)).files
  if (file === undefined) throw new Error('The photo was not added')
  const moves = async () => (await caller.call(getMedia, { params: { id: file.id } })).motion_url !== null
  await expect.poll(moves, { timeout: 60_000 }).toBe(true)

  await page.goto(`/?file=${file.id}`)
  const playing = page.locator('video[data-playing]')
  await expect(page.getByRole('img', { name: 'Live.jpg' })).toBeVisible()
  await expect(playing).toHaveCount(0)
  await page.getByRole('button', { name: 'Live', exact: true }).hover()
  await expect(playing).toBeVisible()
  await page.getByRole('img', { name: 'Live.jpg' }).hover()
  await expect(playing).toHaveCount(0)
  await page.mouse.down()
  await expect(playing).toBeVisible()
  await page.mouse.up()
  await expect(playing).toHaveCount(0)
})
