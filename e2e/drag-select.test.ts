import type { CDPSession, Page } from '@playwright/test'
import { expect } from './support/family.ts'
import { photoName, test } from './support/stocked-library.ts'

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

const photo = (page: Page, number: number) =>
  page.getByRole('gridcell', { name: new RegExp(`^${photoName(number)}, `) })
const bar = (page: Page) => page.getByRole('region', { name: 'Selected files' })

async function middleOf(page: Page, number: number): Promise<{ x: number; y: number }> {
  const box = await photo(page, number).boundingBox()
  if (box === null) throw new Error(`${photoName(number)} is not on the page`)
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 }
}

function fingerOf(session: CDPSession) {
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints })
  return {
    press: (at: { x: number; y: number }) => send('touchStart', [at]),
    move: (to: { x: number; y: number }) => send('touchMove', [to]),
    lift: () => send('touchEnd', []),
  }
}

test('on a phone a finger goes on selecting after a long press, and scrolls at the edge', async ({ open }) => {
  const page = await open('/', phone)
  const finger = fingerOf(await page.context().newCDPSession(page))
  const selectedNumbers = async () => {
    const names = await page
      .locator('[data-index][aria-selected=true]')
      .evaluateAll(all => all.map(cell => cell.getAttribute('aria-label')?.split(',')[0] ?? ''))
    return names.map(name => Number(/\d+/.exec(name)?.[0])).toSorted((a, b) => a - b)
  }
  await expect(photo(page, 8)).toBeVisible()

  await test.step('the files up to the one under the finger are selected, and no longer those that it leaves', async () => {
    await finger.press(await middleOf(page, 2))
    await expect(bar(page)).toContainText('1 selected')
    await finger.move(await middleOf(page, 3))
    await finger.move(await middleOf(page, 6))
    await expect.poll(selectedNumbers).toEqual([2, 3, 4, 5, 6])
    await finger.move(await middleOf(page, 4))
    await expect.poll(selectedNumbers).toEqual([2, 3, 4])
    await finger.move(await middleOf(page, 1))
    await expect.poll(selectedNumbers).toEqual([1, 2])
    await finger.lift()
    await expect(bar(page)).toContainText('2 selected')
    expect(await page.evaluate(() => window.scrollY)).toBe(0)
  })
  await test.step('from a selected file they are deselected', async () => {
    await finger.press(await middleOf(page, 1))
    await expect.poll(selectedNumbers).toEqual([2])
    await finger.move(await middleOf(page, 2))
    await expect(bar(page)).toHaveCount(0)
    await finger.lift()
  })
  await test.step('a finger that rests at the edge scrolls and selects; lifting ends it', async () => {
    await finger.press(await middleOf(page, 3))
    await expect(bar(page)).toContainText('1 selected')
    await finger.move(await middleOf(page, 4))
    await finger.move({ x: 200, y: 835 })
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(2_000)
    await finger.lift()
    const scrolled = await page.evaluate(() => window.scrollY)
    const count = Number(/\d+/.exec((await bar(page).getByRole('status').textContent()) ?? '')?.[0])
    expect(count).toBeGreaterThan(20)
    await expect(page).toHaveURL('/')
    const shown = await selectedNumbers()
    expect(Math.max(...shown)).toBe(count + 2)
    await page.waitForTimeout(300)
    expect(await page.evaluate(() => window.scrollY)).toBe(scrolled)
    // Without a long press a finger scrolls, and selects nothing.
    await finger.press({ x: 200, y: 300 })
    for (const y of [340, 380, 420, 460]) await finger.move({ x: 200, y })
    await finger.lift()
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBeLessThan(scrolled)
    await expect(bar(page)).toContainText(`${count} selected`)
  })
})
