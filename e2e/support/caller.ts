import type { Page } from '@playwright/test'
import { type Visitor, visitor } from '../../server/test/visitor.ts'

/** Calls the library as the person who is signed in on a device: for what a test needs but is not about. */
export async function callerOn(page: Page): Promise<Visitor> {
  const token = await page.evaluate(() => localStorage.getItem('auth_token'))
  return visitor(new URL(page.url()), token ?? undefined)
}
