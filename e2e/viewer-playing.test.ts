import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import sharp from 'sharp'
import { untilPrepared, uploadFile } from '../server/test/fixtures/uploads.ts'
import { openClipFolder, picture, sound } from '../server/test/processing/video-clips.ts'
import { callerOn } from './support/caller.ts'
import { answer, expect, test } from './support/family.ts'
import { addPhoto } from './support/stocked-library.ts'
import { viewer } from './support/viewer.ts'

const screen = { viewport: { width: 1280, height: 800 } }
const shown = (page: Page) => page.locator('[data-testid=picture] img[data-shown]')

/** Waits until the picture has changed since the first screenshot. */
async function expectToMove(page: Page, name: string): Promise<void> {
  const first = await shown(page).screenshot()
  const looksTheSame = async () => (await shown(page).screenshot()).equals(first)
  await expect.poll(looksTheSame, { message: `${name} moves`, timeout: 15_000 }).toBe(false)
}

test('animated WebP, PNG and AVIF play in the viewer, and with reduced motion only when started', async ({
  deviceOf,
}) => {
  const page = await deviceOf('Ada Okafor', { ...screen, reducedMotion: 'no-preference' })
  const caller = await callerOn(page)
  await using clipFolder = await openClipFolder()
  const moving = ['-r', '5', ...picture('320x240', 2)]
  const codecs: Record<string, string[]> = {
    'Moving.webp': ['-c:v', 'libwebp_anim', '-loop', '0'],
    'Moving.png': ['-c:v', 'apng', '-plays', '0', '-f', 'apng'],
    'Moving.avif': ['-c:v', 'libaom-av1', '-cpu-used', '8', '-pix_fmt', 'yuv420p'],
  }
  for (const [name, codec] of Object.entries(codecs)) {
    const bytes = await readFile(await clipFolder.make(name, ...moving, ...codec))
    const { id } = await uploadFile(caller, { name, bytes })
    await untilPrepared(caller, id)
    await page.goto(`/?file=${id}`)
    await expect(viewer(page, name)).toBeVisible()
    await expect(shown(page)).toHaveAttribute('src', /\/originals\//)
    await expectToMove(page, name)
  }
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const { files } = await (await caller.fetch('/api/media?search=moving.webp&limit=1')).json()
  await page.goto(`/?file=${files[0].id}`)
  await expect(shown(page)).toHaveAttribute('src', /\/variants\//)
  await viewer(page).getByRole('button', { name: 'Play', exact: true }).click()
  await expect(shown(page)).toHaveAttribute('src', /\/originals\//)
  await viewer(page).getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(shown(page)).toHaveAttribute('src', /\/variants\//)
})

test('a transparent picture has a light background, in the grid and in the viewer', async ({ deviceOf }) => {
  const page = await deviceOf('Ada Okafor', { ...screen, colorScheme: 'dark' })
  const caller = await callerOn(page)
  const clear = { r: 0, g: 0, b: 0, alpha: 0 }
  const bytes = await sharp({ create: { width: 300, height: 200, channels: 4, background: clear } })
    .png()
    .toBuffer()
  const { id } = await uploadFile(caller, { name: 'Clear.png', bytes })
  await untilPrepared(caller, id)
  const brightness = async (picture: Locator) => {
    const { channels } = await sharp(await picture.screenshot()).stats()
    return Math.min(...channels.slice(0, 3).map(({ mean }) => mean))
  }
  await page.goto('/')
  const tile = page.getByRole('gridcell', { name: /^Clear\.png, / })
  await expect(tile.locator('img[data-loaded]')).toBeVisible()
  await expect.poll(() => brightness(tile)).toBeGreaterThan(200)
  await page.goto(`/?file=${id}`)
  await expect(shown(page)).toBeVisible()
  expect(await brightness(shown(page))).toBeGreaterThan(200)
})

test('a picture that neither the server nor the browser can decode says why and offers its original', async ({
  deviceOf,
}) => {
  const page = await deviceOf('Ada Okafor', { viewport: { width: 390, height: 844 }, hasTouch: true })
  const caller = await callerOn(page)
  // The minimised form of AVIF, which few decoders read.
  const bytes = Buffer.concat([Buffer.of(0, 0, 0, 16), Buffer.from('ftypmif3avif'), Buffer.from('mini'.repeat(200))])
  const { id } = await uploadFile(caller, { name: 'Mini.avif', bytes })
  expect(await untilPrepared(caller, id)).toMatchObject({ status: 'failed' })
  await page.goto(`/?file=${id}`)
  await expect(viewer(page, 'Mini.avif')).toBeVisible()
  const reason = "This kind of file can't be shown yet; the original is safe."
  await expect(viewer(page, 'Mini.avif').getByText(reason)).toBeVisible()
  await expect(page.locator('.light-ground')).toHaveCount(0)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download the original' }).click()
  expect((await download).suggestedFilename()).toBe('Mini.avif')
})

test('a picture that loads but cannot be decoded says so instead of staying blank', async ({ deviceOf }) => {
  const page = await deviceOf('Ada Okafor', screen)
  const caller = await callerOn(page)
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const
  const whole = await sharp({ create: { width: 800, height: 600, channels: 3, background: 'white', noise } })
    .avif()
    .toBuffer()
  const { id } = await uploadFile(caller, { name: 'Cut.avif', bytes: whole.subarray(0, whole.length * 0.4) })
  const prepared = await untilPrepared(caller, id)
  expect(prepared).toMatchObject({ status: 'failed' })
  await page.goto(`/?file=${id}`)
  await expect(viewer(page, 'Cut.avif').getByText(prepared.failure_reason ?? '?')).toBeVisible()
  await expect(viewer(page).getByRole('button', { name: 'Download the original' })).toBeVisible()
})

test('a video that this device cannot play is prepared for it and then plays', async ({ deviceOf }) => {
  const page = await deviceOf('Ada Okafor', screen)
  const caller = await callerOn(page)
  await using clipFolder = await openClipFolder()
  const vp9 = ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-c:a', 'libopus']
  const film = await clipFolder.make('Film.webm', ...picture('160x120', 2), ...sound(2), ...vp9)
  const { id } = await uploadFile(caller, { name: 'Film.webm', bytes: await readFile(film) })
  await untilPrepared(caller, id)

  // A browser that knows VP9 gets the original.
  await page.goto(`/?file=${id}`)
  await expect(page.locator('video')).toHaveAttribute('src', /\/originals\//)

  await page.addInitScript(() => {
    const can = HTMLMediaElement.prototype.canPlayType
    HTMLMediaElement.prototype.canPlayType = function (type: string) {
      return /vp09|vp9|av01/.test(type) ? '' : can.call(this, type)
    }
    // Observed inside the page, because a fast machine shows the text only for a moment.
    const look = () => {
      const isSaid = document.body?.textContent?.includes('Preparing a version for this device…')
      if (isSaid) document.documentElement.dataset.saidPreparing = ''
    }
    new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true })
  })
  await page.reload()
  await expect(page.locator('html')).toHaveAttribute('data-said-preparing')
  await expect(page.locator('video')).toHaveAttribute('src', /\/variants\/.*compatible/, { timeout: 60_000 })
  await expect.poll(() => page.locator('video').evaluate((video: HTMLVideoElement) => video.videoWidth)).toBe(160)

  // After a delete the next video does not start by itself.
  const newer = await addPhoto(caller, 'Newer.jpg')
  await page.goto(`/?file=${newer.id}`)
  await expect(viewer(page, 'Newer.jpg')).toContainText('1 of 2')
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await answer(page, true)
  await expect.poll(() => page.locator('video').evaluate((video: HTMLVideoElement) => video.videoWidth)).toBe(160)
  await expect(page.locator('video')).toHaveJSProperty('paused', true)
})
