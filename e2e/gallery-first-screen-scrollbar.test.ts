import config from '../playwright.config.ts'
import { expect } from './support/family.ts'
import { expectShownInTheirPlaces } from './support/first-screen.ts'
import { test } from './support/stocked-library.ts'

// Playwright hides scrollbars, which take room on many desks.
test.use({ launchOptions: { ...config.use?.launchOptions, ignoreDefaultArgs: ['--hide-scrollbars'] } })

test('the first photos stand where they will stand beside a scrollbar that takes room', async ({ open }) => {
  const page = await open('/admin')
  await expectShownInTheirPlaces(page)
  expect(await page.evaluate(() => innerWidth - document.documentElement.clientWidth)).toBeGreaterThan(5)
})
