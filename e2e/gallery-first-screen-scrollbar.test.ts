import config from '../playwright.config.ts'
import { expect } from './support/family.ts'
import { holdProgramBack, picturesIn } from './support/first-screen.ts'
import { test } from './support/stock.ts'

// Playwright hides scrollbars, which take room on many desks.
test.use({ launchOptions: { ...config.use?.launchOptions, ignoreDefaultArgs: ['--hide-scrollbars'] } })

test('the first photos stand where they will stand beside a scrollbar that takes room', async ({ open }) => {
  const page = await open('/admin')
  const release = await holdProgramBack(page)
  await page.goto('/', { waitUntil: 'commit' })
  const ahead = await picturesIn(page, '.shown-ahead img')
  expect(ahead.size).toBeGreaterThan(2)

  release()
  await expect(page.getByRole('gridcell').first()).toBeVisible()
  await expect(page.locator('.shown-ahead')).toHaveCount(0)
  expect(await page.evaluate(() => innerWidth - document.documentElement.clientWidth)).toBeGreaterThan(5)
  const drawn = await picturesIn(page, '[data-index] img[data-loaded]')
  expect([...ahead].filter(([address, place]) => drawn.get(address) !== place)).toEqual([])
})
