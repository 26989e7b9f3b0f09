import { delayRequests } from './support/delay-requests.ts'
import { expect } from './support/family.ts'
import { expectShownInTheirPlaces, holdProgramBack, picturesIn } from './support/first-screen.ts'
import { test } from './support/stocked-library.ts'

const sizes = {
  'a desk': { width: 1440, height: 900 },
  'a tablet': { width: 820, height: 1180 },
  'a phone': { width: 390, height: 844 },
}

for (const [what, size] of Object.entries(sizes)) {
  test(`the first photos are there before the program, each where it will stand: ${what}`, async ({ open }) => {
    const page = await open('/admin')
    await page.setViewportSize(size)
    await expectShownInTheirPlaces(page)
  })
}

test('what was shown ahead goes when somebody does something, and when the page shows something else', async ({
  open,
}) => {
  const page = await open('/admin')
  const release = await holdProgramBack(page)
  await page.goto('/', { waitUntil: 'commit' })
  await picturesIn(page, '.shown-ahead img')
  await page.mouse.wheel(0, 10)
  await page.keyboard.press('ArrowDown')
  await expect(page.locator('.shown-ahead')).toHaveCount(0)

  await page.goto('/', { waitUntil: 'commit' })
  await picturesIn(page, '.shown-ahead img')
  await page.evaluate(() => history.replaceState(null, '', '/admin'))
  release()
  await expect(page.getByRole('tab', { name: /^Pending/ })).toBeVisible()
  await expect(page.locator('.shown-ahead')).toHaveCount(0)
})

test('the first photos are shown also where they are known before the document has been read', async ({ open }) => {
  const page = await open('/admin')
  const releaseProgram = await holdProgramBack(page)
  const releaseDocument = await delayRequests(page, 'GET', '**/theme.js')
  const firstPicture = page.waitForResponse(response => response.url().includes('/variants/'))
  await page.goto('/', { waitUntil: 'commit' })
  await firstPicture
  expect(await page.locator('#root').count()).toBe(0)

  releaseDocument()
  const ahead = await picturesIn(page, '.shown-ahead img')
  expect(ahead.size).toBeGreaterThan(2)
  releaseProgram()
  await expect(page.getByRole('gridcell').first()).toBeVisible()
})

test('the first photos stay while what the page itself asked for is late', async ({ open }) => {
  const page = await open('/admin')
  const releaseProgram = await holdProgramBack(page)
  const release = await delayRequests(page, 'GET', '**/api/media/timeline')
  await page.goto('/', { waitUntil: 'commit' })
  const ahead = await picturesIn(page, '.shown-ahead img')
  releaseProgram()
  await expect(page.getByRole('banner')).toBeVisible()
  await page.evaluate(() => new Promise(resolve => requestIdleCallback(resolve)))
  expect(await picturesIn(page, '.shown-ahead img')).toEqual(ahead)

  release()
  await expect(page.getByRole('gridcell').first()).toBeVisible()
  await expect(page.locator('.shown-ahead')).toHaveCount(0)
})
