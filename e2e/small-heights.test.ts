import type { Page } from '@playwright/test'
import { expect, test } from './support/family.ts'
import { viewer } from './support/viewer.ts'

const phone = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  reducedMotion: 'reduce',
} as const

/** Most browsers leave the page as high as it was when the keyboard of a phone opens. */
async function openKeyboard(page: Page, visible: number): Promise<void> {
  await page.evaluate(height => {
    if (window.visualViewport === null) return
    Object.defineProperty(window.visualViewport, 'height', { configurable: true, get: () => height })
    window.visualViewport.dispatchEvent(new Event('resize'))
  }, visible)
}

async function expectAbove(page: Page, name: string, bottom: number): Promise<void> {
  const button = page.getByRole('dialog').last().getByRole('button', { name, exact: true })
  await expect
    .poll(async () => {
      const box = await button.boundingBox()
      return box !== null && box.y >= 0 && box.y + box.height <= bottom
    })
    .toBe(true)
}

test('with the keyboard of a phone open, the main button of each dialog is visible', async ({
  deviceOf,
  insertPhotos,
}) => {
  const [a] = await insertPhotos('A.jpg')
  const page = await deviceOf('Ben Okafor', phone)
  const dialogs: [string, () => Promise<void>][] = [
    [
      'Make album',
      async () => {
        await page.goto('/albums')
        await page.getByRole('button', { name: 'New album' }).first().tap()
      },
    ],
    [
      'Save',
      async () => {
        await page.goto(`/?file=${a?.id}`)
        await expect(viewer(page, 'A.jpg')).toBeVisible()
        await page.getByRole('button', { name: 'Show Details & Tags' }).tap()
        await page.getByRole('button', { name: 'Change date…' }).tap()
      },
    ],
    [
      'Save place',
      async () => {
        await page.goto(`/?file=${a?.id}`)
        await page.getByRole('button', { name: 'Show Details & Tags' }).tap()
        await page.getByRole('button', { name: 'Change place' }).tap()
      },
    ],
  ]
  for (const [button, open] of dialogs) {
    await open()
    await expect(page.getByRole('dialog').last().getByRole('button', { name: button, exact: true })).toBeVisible()
    await openKeyboard(page, 500)
    await expectAbove(page, button, 500)
  }
})

test('a photo that is opened offline is shown as small as the browser has it', async ({ deviceOf, insertPhotos }) => {
  await insertPhotos('A.jpg', 'B.jpg', 'C.jpg', 'D.jpg', 'E.jpg', 'F.jpg', 'G.jpg', 'H.jpg')
  const page = await deviceOf('Ben Okafor', { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  // The viewer is loaded now, with the photo before the last one at most.
  await page.getByRole('gridcell', { name: /^H\.jpg, / }).click()
  await expect(page.locator('.viewer-stage img.picture').first()).toBeVisible()
  await page.keyboard.press('Escape')
  const tile = page.getByRole('gridcell', { name: /^A\.jpg, / })
  await expect(tile.locator('img')).toBeVisible()
  await expect.poll(() => tile.locator('img').evaluate((image: HTMLImageElement) => image.complete)).toBe(true)
  await page.context().setOffline(true)
  await tile.click()
  await expect(page.getByText('You are offline; this is a small copy.')).toBeVisible({ timeout: 30_000 })
  await expect(page.locator('.viewer-stage img.picture').first()).toBeVisible()
  await page.context().setOffline(false)
  await expect(page.getByText('You are offline; this is a small copy.')).toBeHidden({ timeout: 30_000 })
})

test.use({ expectedLog: /ERR_INTERNET_DISCONNECTED|ERR_NETWORK|Failed to load resource/ })
