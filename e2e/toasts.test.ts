import type { Page } from '@playwright/test'
import { createAlbum } from '#contract/albums.ts'
import { callerOn } from './support/caller.ts'
import { expect, test, toast } from './support/family.ts'
import { viewer } from './support/viewer.ts'

const sizes = [
  { width: 1440, height: 900 },
  { width: 820, height: 1180 },
  { width: 390, height: 844 },
  { width: 844, height: 390 },
]
const paths = [
  '/',
  '/albums',
  '/memories',
  '/map',
  '/places',
  '/dates',
  '/links',
  '/settings',
  '/recently-deleted',
  '/about',
]

/** What can be used and lies below the message, except photos, lists and text, which scroll from under it. */
function coveredControls(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const toaster = document.querySelector<HTMLElement>('[data-sonner-toaster]')
    const message = document.querySelector('[data-sonner-toast]')?.getBoundingClientRect()
    if (toaster === null || message === undefined) return ['there is no message']
    toaster.style.visibility = 'hidden'
    const covered = new Set<string>()
    for (let x = message.left + 4; x < message.right; x += 8) {
      for (let y = message.top + 4; y < message.bottom; y += 8) {
        const control = document.elementFromPoint(x, y)?.closest('button, a[href], input, select, textarea, summary')
        if (
          !control ||
          control.closest('[role=grid], main li, main p, main dd, main [role=list], .viewer-stage, canvas')
        )
          continue
        covered.add(control.getAttribute('aria-label') ?? control.textContent ?? '')
      }
    }
    toaster.style.visibility = ''
    return [...covered]
  })
}

async function visit(page: Page, path: string): Promise<void> {
  await page.evaluate(to => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate', { state: null }))
  }, path)
  await expect(page.getByRole('heading').first()).toBeVisible()
  await expect(page.locator('main .spin-calmly')).toHaveCount(0)
}

for (const size of sizes) {
  test(`a message covers no control and stays at its height, at ${size.width} × ${size.height}`, async ({
    deviceOf,
    insertPhotos,
  }) => {
    const files = await insertPhotos('A.jpg', 'B.jpg', 'C.jpg', 'D.jpg', 'E.jpg', 'F.jpg', 'G.jpg', 'H.jpg')
    const page = await deviceOf('Ada Okafor', { viewport: size, reducedMotion: 'reduce' })
    const ada = await callerOn(page)
    await ada.call(createAlbum, { body: { title: 'Summer' } })
    const tile = page.getByRole('gridcell', { name: /^A\.jpg, / })
    await tile.focus()
    await page.keyboard.press('F2')
    await page.keyboard.type('Grandma')
    await page.keyboard.press('Enter')
    const message = toast(page, 'File renamed successfully')
    await message.hover()
    const top = () => page.locator('[data-sonner-toast]').evaluate(element => element.getBoundingClientRect().top)
    const height = await top()
    for (const path of paths) {
      await visit(page, path)
      expect.soft(await top(), path).toBe(height)
      expect.soft(await coveredControls(page), path).toEqual([])
    }
    await visit(page, `/?file=${files[1]?.id}`)
    await expect(viewer(page, 'B.jpg')).toBeVisible()
    expect.soft(await top(), 'the viewer').toBe(height)
    expect.soft(await coveredControls(page), 'the viewer').toEqual([])
    await visit(page, '/albums')
    await page.getByRole('button', { name: 'Chat', exact: true }).click()
    await expect(page.getByText('No conversations yet')).toBeVisible()
    expect.soft(await coveredControls(page), 'the chat').toEqual([])
  })
}
