import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { getMedia } from '#contract/media.ts'
import { untilPrepared, uploadFile } from '../server/test/fixtures/uploads.ts'
import { drawQuadrants } from '../server/test/processing/pictures.ts'
import { callerOn } from './support/caller.ts'
import { expect, test } from './support/family.ts'
import { picture, transformOf, viewer } from './support/viewer.ts'

/** What the quarters of the picture on the screen are, below messages: red, green, blue or white, row by row. */
async function corners(page: Page, clip?: { x: number; y: number; width: number; height: number }): Promise<string> {
  const shot = await (clip === undefined ? picture(page).screenshot() : page.screenshot({ clip }))
  const { data, info } = await sharp(shot).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const colourAt = (across: number, down: number) => {
    const at = (Math.floor(info.height * down) * info.width + Math.floor(info.width * across)) * 3
    const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3)
    if (Math.min(red, green, blue) > 180) return 'white'
    return red > Math.max(green, blue) ? 'red' : green > blue ? 'green' : 'blue'
  }
  return [colourAt(0.35, 0.35), colourAt(0.65, 0.35), colourAt(0.35, 0.65), colourAt(0.65, 0.65)].join(' ')
}

/** The colours around the centre of a picture that is larger than the screen. */
async function coloursAround(page: Page): Promise<string> {
  const stage = await page.locator('.viewer-stage').boundingBox()
  if (stage === null) throw new Error('There is no stage')
  const [x, y] = [stage.x + stage.width / 2, stage.y + stage.height / 2]
  return corners(page, { x: x - 50, y: y - 50, width: 100, height: 100 })
}

const shape = async (page: Page) => {
  const box = await picture(page).boundingBox()
  return box === null ? undefined : box.width > box.height ? 'wide' : 'tall'
}

test('a saved rotation is shown at once and to everyone, at full size too, and can be undone', async ({ deviceOf }) => {
  const page = await deviceOf('Ada Okafor', { viewport: { width: 1280, height: 800 }, reducedMotion: 'reduce' })
  const caller = await callerOn(page)
  const bytes = await drawQuadrants(3_600, 2_400).jpeg().toBuffer()
  const { id } = await uploadFile(caller, { name: 'Lying.jpg', bytes })
  await untilPrepared(caller, id)
  const rotation = async () => (await caller.call(getMedia, { params: { id } })).rotation
  await page.goto(`/?file=${id}`)
  await expect(page.locator('img[data-shown]')).toBeVisible()
  expect(await corners(page)).toBe('red green blue white')
  const save = page.getByRole('button', { name: 'Save rotation' })
  await expect(save).toHaveCount(0)

  await page.keyboard.press('r')
  await save.click()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect.poll(() => shape(page)).toBe('wide')
  expect((await rotation())?.saved ?? 0).toBe(0)

  await page.keyboard.press('r')
  await expect.poll(async () => (await transformOf(page)).turn).toBe(90)
  await save.click()
  await expect(save).toHaveCount(0)
  expect((await transformOf(page)).turn).toBe(0)
  expect(await corners(page)).toBe('blue red white green')
  expect(await shape(page)).toBe('tall')
  await expect.poll(rotation, { timeout: 55_000 }).toEqual({ saved: 90, variants: 90, url: 0 })
  await expect.poll(() => corners(page)).toBe('blue red white green')

  // Another person, and the original when somebody looks closer.
  const other = await deviceOf('Ben Okafor', { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 2 })
  await other.goto(`/?file=${id}`)
  await expect(other.locator('img[data-shown]')).toBeVisible()
  await expect.poll(() => corners(other)).toBe('blue red white green')
  for (let step = 0; step < 6; step++) await other.keyboard.press('+')
  await expect(other.locator('img[data-shown]')).toHaveAttribute('src', /\/originals\//)
  expect(await coloursAround(other)).toBe('blue red white green')
  await picture(other).dblclick()
  await expect.poll(async () => (await transformOf(other)).scale).toBe(1)
  await expect.poll(() => corners(other)).toBe('blue red white green')

  // A tile whose thumbnail fails shows the original, turned too.
  await other.route(/\/files\/variants\//, route => route.abort())
  await other.goto('/')
  const tile = other.getByRole('gridcell', { name: /^Lying\.jpg/ })
  await expect(tile.locator('img[data-loaded]')).toHaveAttribute('src', /\/originals\//)
  await expect.poll(async () => corners(other, (await tile.boundingBox()) ?? undefined)).toBe('blue red white green')
  await other.unrouteAll()
  await other.goto(`/?file=${id}`)

  for (const turn of [90, 180, 270]) {
    await page.keyboard.press('r')
    await expect.poll(async () => (await transformOf(page)).turn).toBe(turn)
  }
  await save.click()
  await expect.poll(rotation, { timeout: 55_000 }).toBeNull()
  await expect.poll(() => corners(page)).toBe('red green blue white')
  await expect.poll(() => shape(other)).toBe('wide')
  await expect(viewer(page, 'Lying.jpg')).toBeVisible()
})
