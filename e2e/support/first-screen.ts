import type { Page } from '@playwright/test'
import { delayRequests } from './delay-requests.ts'
import { expect } from './family.ts'

/** Until what is given back is called. */
export async function holdProgramBack(page: Page): Promise<() => void> {
  return delayRequests(page, 'GET', '**/assets/index-*.js')
}

/** Whether the photos that are shown before the program is there stand where the page then has them. */
export async function expectShownInTheirPlaces(page: Page): Promise<void> {
  const release = await holdProgramBack(page)
  await page.goto('/', { waitUntil: 'commit' })
  const ahead = await picturesIn(page, '.shown-ahead img')
  expect(ahead.size).toBeGreaterThan(2)

  release()
  await expect(page.getByRole('gridcell').first()).toBeVisible()
  await expect(page.locator('.shown-ahead')).toHaveCount(0)
  const misplaced = async () => {
    const drawn = await picturesIn(page, '[data-index] img[data-loaded]')
    return [...ahead].filter(([address, place]) => drawn.get(address) !== place)
  }
  // Each is drawn once its own picture has come.
  await expect.poll(misplaced).toEqual([])
}

/** Where each picture stands, by its address, once all have come. */
export async function picturesIn(page: Page, selector: string): Promise<Map<string, string>> {
  const pictures = page.locator(selector)
  await expect(async () => {
    const come = await pictures.evaluateAll(images =>
      (images as HTMLImageElement[]).map(image => image.naturalWidth > 0),
    )
    expect(come.length).toBeGreaterThan(0)
    expect(come).not.toContain(false)
  }).toPass({ timeout: 15_000 })
  const places = await pictures.evaluateAll(images =>
    (images as HTMLImageElement[]).map(image => {
      const { left, top, width, height } = image.getBoundingClientRect()
      return [image.src, [left, top, width, height].map(Math.round).join(' ')] as const
    }),
  )
  return new Map(places)
}
