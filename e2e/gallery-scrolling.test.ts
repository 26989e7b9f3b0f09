import type { Locator, Page } from '@playwright/test'
import { expect } from './support/family.ts'
import { FILES, photoName, test } from './support/stocked-library.ts'

const tile = (page: Page, name: string) => page.getByRole('gridcell', { name: new RegExp(`^${name}, `) })
const firstTile = (page: Page) => page.locator('[data-index="0"]')

test('the scroll position is restored after a reload, Back and another page', async ({ open }) => {
  const page = await open()
  const seen = await scrollDown(page)
  await page.reload()
  await expect(seen).toBeInViewport()
  await page.getByRole('link', { name: 'Admin' }).click()
  await expect(page).toHaveURL('/admin')
  await page.goBack()
  await expect(seen).toBeInViewport()
  await page.getByRole('combobox', { name: 'Sort by' }).click()
  await page.getByRole('option', { name: 'Name' }).click()
  await expect(firstTile(page)).toBeInViewport()
  await page.goBack()
  await expect(seen).toBeInViewport()
})

test('a typed address opens at the top, and Back restores the scroll position', async ({ open }) => {
  const page = await open()
  const seen = await scrollDown(page)
  for (const address of ['/?sort=name', '/']) {
    await page.goto(address)
    await expect(firstTile(page)).toBeInViewport()
    expect(await page.evaluate(() => window.scrollY)).toBe(0)
  }
  await page.goBack()
  await expect(firstTile(page)).toBeInViewport()
  await page.goBack()
  await expect(seen).toBeInViewport()
})

test('a photo opens by a click, the arrows show others, and closing returns to the scroll position', async ({
  open,
}) => {
  const page = await open()
  await expect(tile(page, 'Photo 001.jpg')).toBeVisible()
  await page.evaluate(() => window.scrollTo(0, 3_000))
  const name = await nameInSight(page)
  const scrolled = await page.evaluate(() => window.scrollY)
  await tile(page, name).click()
  await expect(page).toHaveURL(/\?file=\d+$/)
  const viewer = page.getByRole('dialog', { name })
  await expect(viewer.getByRole('img', { name })).toBeVisible()
  const next = photoName(Number(name.slice(6, 9)) + 1)
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('dialog', { name: next })).toBeVisible()
  await page.getByRole('button', { name: 'Previous file' }).click()
  await expect(viewer).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page).toHaveURL('/')
  await expect(tile(page, next)).toBeFocused()
  expect(Math.abs((await page.evaluate(() => window.scrollY)) - scrolled)).toBeLessThan(300)

  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: next })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('the scrubber scrolls to any month, by keyboard and by pointer', async ({ open }) => {
  const page = await open()
  const scrubber = page.getByRole('slider', { name: 'Jump to a month' })
  await expect(scrubber).toHaveAttribute('aria-valuetext', 'June 2024')
  await scrubber.focus()
  await page.keyboard.press('ArrowDown')
  await expect(scrubber).toHaveAttribute('aria-valuetext', 'May 2024')
  // The first photos of May are beside those of June.
  await expect(page.getByRole('columnheader', { name: '18 May', exact: true })).toBeInViewport()
  await page.keyboard.press('PageDown')
  await expect(scrubber).toHaveAttribute('aria-valuetext', 'December 2023')
  await page.keyboard.press('End')
  await expect(tile(page, 'Film 1.mp4')).toBeInViewport()
  await page.keyboard.press('Home')
  await expect(tile(page, 'Photo 001.jpg')).toBeInViewport()

  const box = await scrubber.boundingBox()
  if (box === null) throw new Error('The scrubber is not on the page')
  await page.mouse.move(box.x + 20, box.y + 10)
  await page.mouse.down()
  await page.mouse.move(box.x + 20, box.y + box.height / 2, { steps: 5 })
  await page.mouse.up()
  await expect(tile(page, 'Photo 001.jpg')).toHaveCount(0)
  const loadedInSight = () =>
    page.locator('[data-index] img[data-loaded]').evaluateAll(images => {
      const boxes = images.map(image => image.getBoundingClientRect())
      return boxes.filter(({ top, bottom }) => bottom > 0 && top < window.innerHeight).length
    })
  await expect.poll(loadedInSight).toBeGreaterThan(0)
})

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 768, height: 1024 },
  { width: 390, height: 844 },
]) {
  const at = `at ${viewport.width} px`
  test(`${at} only visible tiles are rendered, and only their thumbnails are fetched`, async ({ open }) => {
    const page = await open('/admin', { viewport })
    const fetched: string[] = []
    page.on('request', request => {
      if (request.url().includes('/files/')) fetched.push(request.url())
    })
    await page.goto('/')
    await expect(tile(page, 'Photo 001.jpg').locator('img[data-loaded]')).toBeVisible()
    const unloadedInSight = () =>
      page.locator('[data-index]').evaluateAll(tiles => {
        const inSight = tiles.filter(one => one.getBoundingClientRect().top < window.innerHeight)
        return inSight.filter(one => one.querySelector('img[data-loaded]') === null).length
      })
    await expect.poll(unloadedInSight).toBe(0)
    // Wait for the idle callback, in which off-screen thumbnails would be prefetched.
    await page.evaluate(() => new Promise(resolve => requestIdleCallback(resolve)))
    expect(await page.locator('[data-index]').count()).toBeLessThan(80)
    const inSight = await page
      .locator('[data-index]')
      .evaluateAll(tiles => tiles.filter(one => one.getBoundingClientRect().top < window.innerHeight + 50).length)
    expect(fetched.length).toBeGreaterThan(0)
    expect(fetched.length).toBeLessThanOrEqual(inSight)
  })
}

test('every file is listed once, from the first to the last', async ({ open }) => {
  const page = await open()
  await expect(tile(page, 'Photo 001.jpg')).toBeVisible()
  const seen = new Set<string>()
  await expect
    .poll(
      async () => {
        const labels = await page
          .locator('[data-index]')
          .evaluateAll(tiles => tiles.map(one => one.getAttribute('aria-label')))
        for (const label of labels) if (label !== null) seen.add(label.split(',')[0] ?? '')
        // Scroll on only when all rendered tiles are loaded; otherwise unloaded ones would be skipped.
        if (!labels.includes(null)) await page.mouse.wheel(0, 350)
        return seen.size
      },
      { intervals: [50], timeout: 60_000 },
    )
    .toBe(FILES)
})
/** The name of a loaded photo in the middle of the screen. */
async function nameInSight(page: Page): Promise<string> {
  await expect.poll(() => middleOf(page)).toMatch(/^Photo \d+\.jpg, /)
  return (await middleOf(page)).split(',')[0] ?? ''
}

async function middleOf(page: Page): Promise<string> {
  return page.evaluate(() => {
    const inSight = (cell: Element) => {
      const { top, bottom } = cell.getBoundingClientRect()
      return top > 250 && bottom < window.innerHeight - 100
    }
    return [...document.querySelectorAll('[data-index]')].find(inSight)?.getAttribute('aria-label') ?? ''
  })
}

/** Scrolls down, waits until the scroll position is stored and returns a photo that is visible there. */
async function scrollDown(page: Page): Promise<Locator> {
  await expect(tile(page, 'Photo 001.jpg')).toBeVisible()
  await page.evaluate(() => window.scrollTo(0, 4_000))
  const seen = tile(page, await nameInSight(page))
  await expect(seen).toBeInViewport()
  // The scroll position is stored once scrolling has stopped.
  await page.waitForFunction(() => Object.keys(sessionStorage).some(key => key.startsWith('gallery-scroll:')))
  return seen
}
