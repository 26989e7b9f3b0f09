import type { Page } from '@playwright/test'

/** Delays matching requests until the returned function is called. */
export async function delayRequests(page: Page, method: string, address: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(address, async route => {
    if (route.request().method() === method) await promise
    await route.continue()
  })
  return resolve
}
