import type { Page } from '@playwright/test'

/** Holds calls back until they are let go. */
export async function holdBack(page: Page, method: string, address: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(address, async route => {
    if (route.request().method() === method) await promise
    await route.continue()
  })
  return resolve
}
