import type { Page } from '@playwright/test'
import { expect } from './family.ts'

/** Until what is given back is called. */
export async function holdProgramBack(page: Page): Promise<() => void> {
  return holdBack(page, '**/assets/index-*.js')
}

export async function holdBack(page: Page, address: string): Promise<() => void> {
  const released = Promise.withResolvers<void>()
  await page.route(address, async route => {
    await released.promise
    await route.continue()
  })
  return released.resolve
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
