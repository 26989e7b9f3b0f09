import type { Page } from '@playwright/test'
import { expect, test } from './support/family.ts'
import { signedIn, tokenOf } from './support/session.ts'
import { openUpdateProxy } from './support/update-proxy.ts'

const offer = 'A new version is ready.'

const programsOf = (page: Page) =>
  page.evaluate(async () => (await caches.keys()).filter(name => name.startsWith('program-')))

test('an update is offered, is loaded where the person wants it, and leaves another tab its program', async ({
  library,
  newDevice,
}) => {
  const token = await tokenOf(library.url, 'ada')
  const proxy = await openUpdateProxy(library.url)
  try {
    const device = { baseURL: proxy.url, ...signedIn(proxy.url, token), serviceWorkers: 'allow' } as const
    const here = await newDevice({ ...device, viewport: { width: 1440, height: 900 } })
    await here.goto('/')
    await here.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    await here.reload()
    await expect.poll(() => here.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated')
    const [first = ''] = await programsOf(here)
    const there = await here.context().newPage()
    await there.goto('/')
    await expect(there.getByRole('link', { name: 'Photos', exact: true })).toBeVisible()

    proxy.update('/assets/MapPage-')
    await here.reload()
    await expect(here.getByText(offer)).toBeVisible({ timeout: 30_000 })
    await expect(there.getByText(offer)).toBeVisible()
    // Another one, before anybody has loaded the first.
    proxy.update('/assets/MapPage-')
    await here.reload()
    await expect.poll(() => programsOf(here), { timeout: 30_000 }).toContain('program-of-update-2')
    await expect(here.getByText(offer)).toBeVisible({ timeout: 30_000 })
    const reloaded = here.waitForEvent('load')
    await here.getByRole('button', { name: 'Load it now' }).click()
    await reloaded
    await expect(here.getByText(offer)).toHaveCount(0)
    await expect.poll(() => programsOf(here)).toEqual([first, 'program-of-update-2'])

    // Not loaded again: it has not asked for this part of its program before.
    await there.getByRole('link', { name: 'Map', exact: true }).click()
    await expect(there.getByRole('heading', { name: 'Map', exact: true })).toBeVisible()
  } finally {
    proxy.close()
  }
})
