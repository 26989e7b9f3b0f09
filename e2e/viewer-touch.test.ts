import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { getMedia } from '#contract/media.ts'
import { makeClientPictures, makePicture } from '../server/test/fixtures/pictures.ts'
import { asFile, photoForm, send, untilPrepared, uploadFile } from '../server/test/fixtures/uploads.ts'
import { filmedAt, h264AndAac, openClipFolder, picture as testPicture } from '../server/test/processing/video-clips.ts'
import { callerOn } from './support/caller.ts'
import { expect, type PersonName, test } from './support/family.ts'
import { doubleTap, picture, swipe, touch, transformOf, viewer } from './support/viewer.ts'

type DeviceOf = (name: PersonName, options?: object) => Promise<Page>

/** Three photos larger than any screen here; the second is open. */
async function openLarge(deviceOf: DeviceOf, options: object, size = { width: 4_000, height: 2_600 }): Promise<Page> {
  const page = await deviceOf('Ada Okafor', { reducedMotion: 'reduce', ...options })
  const caller = await callerOn(page)
  const ids: number[] = []
  for (const [i, name] of ['A.jpg', 'B.jpg', 'C.jpg'].entries()) {
    const bytes = await makePicture(size)
    const details = { metadata: { dateTimeOriginal: `2024-06-1${9 - i}T12:00:00` } }
    const { files } = await send(caller, photoForm(name, bytes, await makeClientPictures(bytes), details))
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
const desktop = { viewport: { width: 1440, height: 900 } }

test('on a phone the viewer is swiped, zoomed and used with one hand', async ({ deviceOf }) => {
  const page = await openLarge(deviceOf, phone)
  const session = await page.context().newCDPSession(page)
  const address = page.url()
  await test.step('swiping shows the next photo and back, swiping down closes; a tap changes nothing', async () => {
    await swipe(session, { x: 320, y: 400 }, { x: 60, y: 410 })
    await expect(viewer(page, 'C.jpg')).toBeVisible()
    await swipe(session, { x: 60, y: 400 }, { x: 320, y: 410 })
    await expect(viewer(page, 'B.jpg')).toBeVisible()
    // A finger that trembles is a tap, which hides the controls.
    const drawer = page.getByRole('button', { name: 'Show Details & Tags' })
    await swipe(session, { x: 200, y: 400 }, { x: 204, y: 404 })
    await expect(drawer).toHaveCount(0)
    await expect(viewer(page, 'B.jpg')).toBeVisible()
    await touch(session, [{ x: 200, y: 400 }], [])
    await expect(drawer).toBeVisible()

    await swipe(session, { x: 200, y: 250 }, { x: 205, y: 520 })
    await expect(viewer(page)).toHaveCount(0)
    // The photo has the focus again, and bears no marks that only a mouse or the keyboard needs.
    const photo = page.getByRole('gridcell', { name: /^B\.jpg/ })
    await expect(photo).toBeFocused()
    // The heart is always visible there, because nothing else shows it.
    for (const mark of await photo.locator('button:not([data-part="heart"])').all()) {
      await expect(mark).toHaveCSS('opacity', '0')
    }
  })
  await test.step('a double tap zooms in and a second one out; a zoomed photo is panned, not swiped', async () => {
    await page.goto(address)
    await expect(page.locator('img[data-shown]')).toBeVisible()
    await doubleTap(session, { x: 200, y: 400 })
    await expect.poll(async () => (await transformOf(page)).scale).toBe(2.5)
    await swipe(session, { x: 320, y: 400 }, { x: 60, y: 410 })
    await expect(viewer(page, 'B.jpg')).toBeVisible()
    await doubleTap(session, { x: 200, y: 400 })
    await expect.poll(() => transformOf(page)).toEqual({ scale: 1, x: 0, y: 0, turn: 0 })
  })
  await test.step('pinching zooms, and then one finger pans instead of swiping', async () => {
    await page.goto(address)
    await expect(page.locator('img[data-shown]')).toBeVisible()
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
  await test.step('on a phone the open drawer leaves room for the photo and does not cover it', async () => {
    await page.goto(address)
    await expect(page.locator('img[data-shown]')).toBeVisible()
    await page.getByRole('button', { name: 'Show Details & Tags' }).tap()
    await expect(page.getByRole('button', { name: 'Hide Details & Tags' })).toBeVisible()
    await expectPhotoUncovered(page)
  })
  await test.step('the details open beside the photo on a phone held sideways', async () => {
    await page.setViewportSize({ width: 844, height: 390 })
    await expectDetailsBeside(page)
    await expect(page.getByRole('button', { name: 'Zoom in' })).toHaveCount(0)
    await page.getByRole('button', { name: 'Hide Details & Tags' }).tap()
    await page.setViewportSize(phone.viewport)
  })
  await test.step('on a phone the actions are below the photo with their names, the rest is in the menu', async () => {
    await page.goto(address)
    await expect(page.locator('img[data-shown]')).toBeVisible()
    const bar = page.getByRole('toolbar', { name: 'Tools' })
    await expect(bar.getByRole('button')).toHaveText([
      'Show Details & Tags',
      'Favourites',
      'Send to chat',
      'Share',
      'Download',
      'Delete',
      'More',
    ])
    // With large text, labels that do not fit are hidden, and none is wider than its button.
    const label = bar.getByText('Download', { exact: true })
    await expect(label).toBeVisible()
    const tooWide = () =>
      bar.getByRole('button').evaluateAll(buttons => buttons.filter(it => it.scrollWidth > it.clientWidth).length)
    expect(await tooWide()).toBe(0)
    await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
    await expect(label).toBeHidden()
    await expect(bar.getByText('Show Details & Tags')).toBeVisible()
    expect(await tooWide()).toBe(0)
    await page.evaluate(() => document.documentElement.style.removeProperty('font-size'))
    const [stage, below] = [await page.locator('.viewer-stage').boundingBox(), await bar.boundingBox()]
    expect(stage).toMatchObject({ width: 390, height: 844 })
    expect(Math.round((below?.y ?? 0) + (below?.height ?? 0))).toBe(844)
    for (const name of ['Zoom in', 'Zoom out', 'Full screen'])
      await expect(page.getByRole('button', { name })).toHaveCount(0)

    await page.getByRole('button', { name: 'More actions' }).tap()
    await expect(page.getByText('Slideshow interval: 3 seconds')).toBeVisible()
    await page.getByRole('menuitemradio', { name: '5 seconds', exact: true }).tap()
    await expect(page.getByText('Slideshow interval: 5 seconds')).toBeVisible()
    await expect(page.getByRole('menuitem')).toHaveText([
      'Start slideshow',
      'Rotate',
      'Move to folder',
      'Share with options',
    ])
    await page.getByRole('menuitem', { name: 'Rotate' }).tap()
    await expect.poll(async () => (await transformOf(page)).turn).toBe(90)

    // The menu also fits on a phone held sideways.
    await page.setViewportSize({ width: 844, height: 390 })
    await page.getByRole('button', { name: 'More actions' }).tap()
    const hidden = () => page.getByRole('menu').evaluate(menu => menu.scrollHeight - menu.clientHeight)
    await expect.poll(hidden).toBe(0)
    await page.keyboard.press('Escape')

    // The buttons of a dialog stay in sight while it scrolls.
    await page.getByRole('button', { name: 'Send to chat' }).tap()
    await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeInViewport({ ratio: 1 })
    await page.keyboard.press('Escape')

    // The banner of a lost connection leaves the title free.
    await page.route('**/healthz', route => route.abort())
    await page.evaluate(() => window.dispatchEvent(new Event('offline')))
    const banner = await page.getByText('The library can’t be reached. Trying again…').boundingBox()
    const title = await viewer(page).getByRole('heading').first().boundingBox()
    expect(title?.y).toBeGreaterThanOrEqual((banner?.y ?? 0) + (banner?.height ?? 0))
  })
})

const track = (page: Page) => page.locator('.viewer-track')
const place = async (page: Page, slide: 'previous' | 'next') =>
  Math.round((await page.locator(`.viewer-slide-${slide}`).boundingBox())?.x ?? Number.NaN)

test('the next photo follows the finger, in any proportion, and is shown or moves back when it lifts', async ({
  deviceOf,
}) => {
  const page = await openLarge(deviceOf, { ...phone, reducedMotion: 'no-preference' }, { width: 3_024, height: 4_032 })
  const session = await page.context().newCDPSession(page)
  await touch(session, [{ x: 300, y: 400 }], [{ x: 250, y: 400 }], [{ x: 100, y: 402 }])
  // 200 px to the left: the next photo begins 24 px behind the edge of this one.
  await expect.poll(() => place(page, 'next')).toBe(390 + 24 - 200)
  await expect.poll(() => place(page, 'previous')).toBe(-390 - 24 - 200)
  await expect(page.locator('.viewer-slide-next img').last()).toHaveJSProperty('complete', true)
  // Back to where it began: nothing happens.
  await touch(session, [{ x: 100, y: 402 }], [{ x: 295, y: 400 }], [])
  await expect(viewer(page, 'B.jpg')).toBeVisible()
  await expect.poll(() => place(page, 'next')).toBe(390 + 24)

  await swipe(session, { x: 320, y: 400 }, { x: 60, y: 410 })
  await expect(viewer(page, 'C.jpg')).toBeVisible()
  await expect.poll(() => place(page, 'previous')).toBe(-390 - 24)
  await expect(shownImage(page)).toHaveAttribute('alt', 'C.jpg')

  // There is no next photo: the last one resists and comes back.
  await touch(session, [{ x: 320, y: 400 }], [{ x: 250, y: 400 }], [{ x: 120, y: 400 }])
  await expect.poll(async () => Math.round((await track(page).boundingBox())?.x ?? 0)).toBe(-60)
  await touch(session, [{ x: 120, y: 400 }], [{ x: 118, y: 400 }], [])
  await expect.poll(async () => Math.round((await track(page).boundingBox())?.x ?? 0)).toBe(0)
  await expect(viewer(page, 'C.jpg')).toBeVisible()

  // A tap during the animation of a swipe stops it, and the photo still ends in the centre.
  await page.evaluate(() => {
    const { animate } = Element.prototype
    Element.prototype.animate = function (frames, options) {
      Element.prototype.animate = animate
      return animate.call(this, frames, { ...(options as KeyframeAnimationOptions), duration: 60_000 })
    }
  })
  await swipe(session, { x: 60, y: 400 }, { x: 320, y: 410 })
  await expect(viewer(page, 'B.jpg')).toBeVisible()
  expect((await track(page).boundingBox())?.x).toBeLessThan(-50)
  await touch(session, [{ x: 200, y: 400 }], [])
  await expect.poll(async () => Math.round((await track(page).boundingBox())?.x ?? 0)).toBe(0)
})

const shownImage = (page: Page) => page.locator('img[data-shown]')

test('swiping up opens the details and down closes them; down again returns the photo to its tile', async ({
  deviceOf,
}) => {
  const page = await openLarge(deviceOf, { ...phone, reducedMotion: 'no-preference' })
  const session = await page.context().newCDPSession(page)
  const panel = page.getByRole('complementary', { name: 'Details & Tags' })
  await swipe(session, { x: 200, y: 600 }, { x: 195, y: 300 })
  await expect(panel).toBeVisible()
  await swipe(session, { x: 200, y: 150 }, { x: 205, y: 380 })
  await expect(panel).toHaveCount(0)
  await expect(viewer(page, 'B.jpg')).toBeVisible()

  const opacity = () =>
    viewer(page).evaluate(element => Number(getComputedStyle(element).getPropertyValue('--closing')))
  await touch(session, [{ x: 200, y: 300 }], [{ x: 200, y: 350 }], [{ x: 202, y: 511 }])
  await expect.poll(opacity).toBeCloseTo(0.25, 2)
  await expect.poll(async () => Math.round((await track(page).boundingBox())?.y ?? 0)).toBeGreaterThan(200)
  // The animation halts just before its end.
  await page.evaluate(() => {
    const { animate } = Element.prototype
    Element.prototype.animate = function (frames, options) {
      Element.prototype.animate = animate
      const animation = animate.call(this, frames, options)
      animation.pause()
      animation.currentTime = (options as { duration: number }).duration - 1
      Object.assign(window, { halted: animation })
      return animation
    }
  })
  await touch(session, [{ x: 202, y: 511 }], [{ x: 202, y: 520 }], [])
  const boxOf = (selector: string) =>
    page.locator(selector).evaluate(element => {
      const { x, y, width, height } = element.getBoundingClientRect()
      return { x: x + width / 2, y: y + height / 2, height }
    })
  await page.waitForFunction(() => 'halted' in window)
  const [moved, tile] = [await boxOf('img[data-shown]'), await boxOf('[data-index="1"] .photo')]
  expect(Math.abs(moved.x - tile.x)).toBeLessThan(4)
  expect(Math.abs(moved.y - tile.y)).toBeLessThan(4)
  // The tile is square, and shows the middle of the photo.
  expect(Math.abs(moved.height - tile.height)).toBeLessThan(8)
  await expect(viewer(page, 'B.jpg')).toBeVisible()
  await page.evaluate(() => (window as unknown as { halted: Animation }).halted.finish())
  await expect(viewer(page)).toHaveCount(0)
})

test('a video is swiped like a photo, and the actions do not cover its controls', async ({ deviceOf }) => {
  const page = await deviceOf('Ada Okafor', { ...phone, reducedMotion: 'reduce' })
  const caller = await callerOn(page)
  await using clipFolder = await openClipFolder()
  const clip = await clipFolder.make(
    'Tall.mp4',
    ...testPicture('180x390', 2),
    ...h264AndAac,
    ...filmedAt('2024-06-01T12:00:00'),
  )
  const film = await uploadFile(caller, { name: 'Tall.mp4', bytes: await readFile(clip) })
  await untilPrepared(caller, film.id)
  const bytes = await makePicture({ width: 1_200, height: 800 })
  const details = { metadata: { dateTimeOriginal: '2024-05-01T12:00:00' } }
  const { files } = await send(caller, photoForm('Older.jpg', bytes, await makeClientPictures(bytes), details))
  await untilPrepared(caller, files[0]?.id ?? 0)
  await page.goto(`/?file=${film.id}`)
  await expect(viewer(page, 'Tall.mp4')).toContainText('1 of 2')
  await expect(page.locator('video')).toBeVisible()
  const video = await page.locator('video').boundingBox()
  const bar = await page.getByRole('toolbar').boundingBox()
  expect((video?.y ?? 0) + (video?.height ?? 0)).toBeLessThanOrEqual((bar?.y ?? 0) + 1)
  const session = await page.context().newCDPSession(page)
  await swipe(session, { x: 320, y: 400 }, { x: 60, y: 410 })
  await expect(viewer(page, 'Older.jpg')).toBeVisible()

  // A phone held sideways: it has the whole height, and the actions are beside it.
  await page.goto(`/?file=${film.id}`)
  await page.setViewportSize({ width: 844, height: 390 })
  const box = () => page.locator('video').boundingBox()
  await expect.poll(async () => (await box())?.height).toBe(390)
  const beside = await page.getByRole('toolbar').boundingBox()
  expect(beside?.x).toBeGreaterThan(844 - 100)
})

test('the drawer is below the photo on a screen that is touched, however wide', async ({ deviceOf }) => {
  const page = await openLarge(deviceOf, { viewport: { width: 1024, height: 768 }, hasTouch: true })
  await page.getByRole('button', { name: 'Show Details & Tags' }).tap()
  await expect(page.getByRole('button', { name: 'Hide Details & Tags' })).toBeVisible()
  await expectPhotoUncovered(page)
})

test('the details open beside the photo on a desktop at 200 %', async ({ deviceOf }) => {
  const page = await openLarge(deviceOf, { viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 })
  await page.getByRole('button', { name: 'Show Details & Tags' }).click()
  await expectDetailsBeside(page)
  await expect(page.getByRole('button', { name: 'Zoom in' })).toHaveCount(1)
})

/** The photo keeps half of the screen. */
async function expectDetailsBeside(page: Page): Promise<void> {
  await expect(page.getByRole('button', { name: 'Hide Details & Tags' })).toBeVisible()
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  await expect.poll(async () => (await page.locator('.viewer-stage').boundingBox())?.height).toBe(height)
  const stage = await page.locator('.viewer-stage').boundingBox()
  expect(stage?.width).toBeGreaterThanOrEqual(width / 2)
  const panel = await page.getByRole('complementary', { name: 'Details & Tags' }).boundingBox()
  expect(panel).toMatchObject({ x: stage?.width, y: 0, height })
}

async function expectPhotoUncovered(page: Page) {
  const photo = await picture(page).boundingBox()
  const header = await page.locator('.viewer-header').boundingBox()
  const panel = await page.getByRole('complementary', { name: 'Details & Tags' }).boundingBox()
  if (photo === null || header === null || panel === null)
    throw new Error('The photo and what is around it are not all there')
  expect(photo.height).toBeGreaterThan(100)
  const stage = await page.locator('.viewer-stage').boundingBox()
  expect(stage?.height).toBeGreaterThanOrEqual((page.viewportSize()?.height ?? 0) / 2 - 1)
  expect(photo.y).toBeGreaterThanOrEqual(header.y + header.height - 1)
  expect(panel.y).toBeGreaterThanOrEqual(photo.y + photo.height - 1)
}

test('the wheel and the keys zoom, which loads the full-size file, and dragging pans', async ({ deviceOf }) => {
  const page = await openLarge(deviceOf, desktop)
  const address = page.url()
  await test.step('the picture fits the screen, and zooming loads the full-size file', async () => {
    const source = () => page.locator('img[data-shown]').getAttribute('src')
    expect(await source()).toContain('website')
    for (let step = 0; step < 6; step++) await page.keyboard.press('+')
    await expect.poll(source).toContain('/originals/')
  })
  await test.step('the wheel zooms around the pointer, and dragging pans to the edges of the photo', async () => {
    await page.goto(address)
    await expect(page.locator('img[data-shown]')).toBeVisible()
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
})

test('a Live Photo plays while its badge is hovered and while it is pressed', async ({ deviceOf }) => {
  const page = await deviceOf('Ada Okafor', { reducedMotion: 'reduce', ...desktop })
  const caller = await callerOn(page)
  const taken = '2024-06-01T12:34:56'
  await using clipFolder = await openClipFolder()
  const clip = await readFile(
    await clipFolder.make('clip.mp4', ...testPicture('160x120', 2), ...h264AndAac, ...filmedAt(taken)),
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
