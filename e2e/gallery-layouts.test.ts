import type { Page } from '@playwright/test'
import { expect } from './support/family.ts'
import { test } from './support/stocked-library.ts'

const tile = (page: Page, name: string) => page.getByRole('gridcell', { name: new RegExp(`^${name}, `) })

/** The tiles on the screen by rows, from left to right. */
async function rowsOf(page: Page): Promise<{ left: number; right: number; top: number; height: number }[][]> {
  const boxes = await page.locator('[data-index]').evaluateAll(tiles =>
    tiles.map(tile => {
      const { left, right, top, height } = tile.getBoundingClientRect()
      return { left, right, top, height }
    }),
  )
  return [...Map.groupBy(boxes, ({ top }) => top).values()]
}

const columnsOf = async (page: Page) => Math.max(...(await rowsOf(page)).map(row => row.length))

test('the density and the proportions of the grid are chosen, kept and followed by the arrow keys', async ({
  open,
}) => {
  const page = await open()
  await test.step('the keys, the buttons and Ctrl with the wheel change the density', async () => {
    await expect(tile(page, 'Photo 001.jpg')).toBeVisible()
    expect(await columnsOf(page)).toBe(5)
    await expect(page.getByRole('button', { name: 'Smaller photos' })).toBeDisabled()
    await tile(page, 'Photo 001.jpg').focus()
    await page.keyboard.press('+')
    await expect.poll(() => columnsOf(page)).toBe(4)
    await page.getByRole('button', { name: 'Larger photos' }).click()
    await expect.poll(() => columnsOf(page)).toBe(3)
    await page.getByRole('button', { name: 'Smaller photos' }).click()
    await expect.poll(() => columnsOf(page)).toBe(4)
    await expect(page.getByRole('button', { name: 'Smaller photos' })).toBeEnabled()
    await tile(page, 'Photo 001.jpg').hover()
    await page.keyboard.down('Control')
    await page.mouse.wheel(0, 120)
    await page.keyboard.up('Control')
    await expect.poll(() => columnsOf(page)).toBe(5)
    await page.reload()
    await expect.poll(() => columnsOf(page)).toBe(5)
    await page.getByRole('searchbox').pressSequentially('photo+')
    expect(await columnsOf(page)).toBe(5)
  })
  await test.step('true proportions show whole photos in rows that fill the width, and are remembered', async () => {
    await page.goto('/')
    await page.getByRole('button', { name: 'True proportions' }).click()
    const photo = tile(page, 'Photo 001.jpg')
    await expect(photo.locator('img[data-loaded]')).toBeVisible()
    await page.reload()
    await expect(page.getByRole('button', { name: 'True proportions' })).toHaveAttribute('aria-pressed', 'true')
    await expect(photo.locator('img[data-loaded]')).toBeVisible()

    const shapes = await page.locator('[data-index] img[data-loaded]').evaluateAll(images =>
      (images as HTMLImageElement[]).map(image => {
        const { width, height } = image.getBoundingClientRect()
        return { shown: width / height, own: image.naturalWidth / image.naturalHeight }
      }),
    )
    expect(shapes.length).toBeGreaterThan(3)
    for (const { shown, own } of shapes) expect(Math.abs(shown / own - 1)).toBeLessThan(0.04)

    const rows = await rowsOf(page)
    const rights = rows.map(row => Math.max(...row.map(({ right }) => right)))
    // All but the last rows of a month end at the same place.
    expect(rights.filter(right => right === Math.max(...rights)).length).toBeGreaterThan(1)
  })
  await test.step('in true proportions the arrow keys follow the geometry', async () => {
    await page.goto('/')
    await page.getByRole('button', { name: 'True proportions' }).click()
    await tile(page, 'Photo 001.jpg').focus()
    await page.keyboard.press('ArrowRight')
    const before = await page.locator(':focus').boundingBox()
    await page.keyboard.press('ArrowDown')
    const after = await page.locator(':focus').boundingBox()
    expect(after?.y).toBeGreaterThan(before?.y ?? 0)
    const [from, to] = [before, after].map(box => (box?.x ?? 0) + (box?.width ?? 0) / 2)
    expect(Math.abs((to ?? 0) - (from ?? 0))).toBeLessThan(300)
    await page.keyboard.press('ArrowUp')
    expect((await page.locator(':focus').boundingBox())?.y).toBe(before?.y)
  })
  await test.step('the photo under the pointer stays there while the density changes', async () => {
    for (const view of ['Grid', 'True proportions']) {
      // A new entry in the history: the same address again would restore the scroll position.
      await page.goto('about:blank')
      await page.goto('/')
      await page.getByRole('button', { name: view, exact: true }).click()
      await expect(tile(page, 'Photo 001.jpg')).toBeVisible()
      await page.evaluate(() => window.scrollTo(0, 5_000))
      const name = await nameInTheMiddle(page)
      await tile(page, name).hover()
      const before = await tile(page, name).boundingBox()
      await page.keyboard.down('Control')
      await page.mouse.wheel(0, -120)
      await page.keyboard.up('Control')
      await expect(tile(page, name)).toBeInViewport()
      await expect.poll(async () => (await tile(page, name).boundingBox())?.height).not.toBe(before?.height)
      const after = await tile(page, name).boundingBox()
      const [from, to] = [before, after].map(box => (box?.y ?? 0) + (box?.height ?? 0) / 2)
      expect(Math.abs((to ?? 0) - (from ?? 0))).toBeLessThan(10)
    }
  })
})

test('a phone shows three columns, and two fingers change that from one to five', async ({ open }) => {
  const page = await open('/', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  await expect(tile(page, 'Photo 001.jpg')).toBeVisible()
  expect(await columnsOf(page)).toBe(3)
  for (const columns of [2, 1, 1]) {
    await pinch(page, 100, 150)
    await expect.poll(() => columnsOf(page)).toBe(columns)
  }
  for (const columns of [2, 3, 4, 5, 5]) {
    await pinch(page, 150, 100)
    await expect.poll(() => columnsOf(page)).toBe(columns)
  }
  expect(await page.evaluate(() => window.visualViewport?.scale)).toBe(1)
})

test('the grid follows two fingers around their middle until the next density', async ({ open }) => {
  const page = await open('/', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  await expect(tile(page, 'Photo 001.jpg')).toBeVisible()
  await page.evaluate(() => window.scrollTo(0, 900))
  const name = await nameInTheMiddle(page)
  const box = async () => {
    const { x, y, width } = (await tile(page, name).boundingBox()) ?? { x: 0, y: 0, width: 0 }
    return { x: Math.round(x), y: Math.round(y), width: Math.round(width) }
  }
  const before = await box()
  const scrolled = await page.evaluate(() => window.scrollY)
  const session = await page.context().newCDPSession(page)
  const move = (type: 'touchStart' | 'touchMove', distance: number) => {
    // At the upper edge of the photo.
    const points = [-distance / 2, distance / 2].map((by, id) => ({ x: before.x + 20 + by, y: before.y, id }))
    return session.send('Input.dispatchTouchEvent', { type, touchPoints: points })
  }
  const lift = () => session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await move('touchStart', 100)
  await move('touchMove', 110)
  await move('touchMove', 120)
  await expect.poll(async () => (await box()).width).toBe(Math.round(before.width * 1.2))
  expect((await box()).y).toBe(before.y)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await move('touchMove', 90)
  await expect.poll(async () => (await box()).width).toBe(Math.round(before.width * 0.9))
  await lift()
  await expect.poll(box).toEqual(before)
  expect(await page.evaluate(() => window.scrollY)).toBe(scrolled)

  await move('touchStart', 100)
  await move('touchMove', 120)
  await move('touchMove', 135)
  await expect.poll(() => columnsOf(page)).toBe(2)
  await expect(tile(page, name)).toBeInViewport()
  await lift()
})

/** Moves two fingers from one distance to another. */
async function pinch(page: Page, from: number, to: number): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const fingers = (distance: number) => [
    { x: 195 - distance / 2, y: 700, id: 1 },
    { x: 195 + distance / 2, y: 700, id: 2 },
  ]
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: fingers(from) })
  await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: fingers((from + to) / 2) })
  await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: fingers(to) })
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await session.detach()
}

async function nameInTheMiddle(page: Page): Promise<string> {
  const find = () =>
    page.locator('[data-index]').evaluateAll(tiles => {
      const found = tiles.find(tile => {
        const { top, bottom } = tile.getBoundingClientRect()
        return tile.ariaLabel !== null && top > 250 && bottom < window.innerHeight - 100
      })
      return found?.ariaLabel ?? ''
    })
  await expect.poll(find).toMatch(/^Photo \d+\.jpg, /)
  return (await find()).split(',')[0] ?? ''
}
