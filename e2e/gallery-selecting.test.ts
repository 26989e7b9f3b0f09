import type { Locator, Page } from '@playwright/test'
import { moveFiles } from '#contract/media.ts'
import { listMedia } from '#contract/media-list.ts'
import { delayRequests } from './support/delay-requests.ts'
import { expect } from './support/family.ts'
import { FILES, photoName, test } from './support/stocked-library.ts'

const tile = (page: Page, name: string) => page.getByRole('gridcell', { name: new RegExp(`^${name}, `) })
const photo = (page: Page, number: number) => tile(page, photoName(number))
const bar = (page: Page) => page.getByRole('region', { name: 'Selected files' })

async function expectSelected(page: Page, ...numbers: number[]): Promise<void> {
  await expect(bar(page)).toContainText(`${numbers.length} selected`)
  for (const number of numbers) await expect(photo(page, number)).toHaveAttribute('aria-selected', 'true')
}

async function check(cell: Locator): Promise<void> {
  await cell.hover()
  await cell.getByRole('button', { name: /^Select / }).click()
}

test('files are selected by clicks, ranges and keys, until another list is opened', async ({ open, stocked }) => {
  const page = await open()
  await test.step('selecting the first file starts selection mode, and deselecting the last ends it', async () => {
    await check(photo(page, 2))
    await expectSelected(page, 2)
    await expect(photo(page, 1)).toHaveAttribute('aria-selected', 'false')
    // While files are being selected, a click selects.
    await photo(page, 5).click()
    await expectSelected(page, 2, 5)
    await expect(page).toHaveURL('/')
    await photo(page, 2).click()
    await photo(page, 5).click()
    await expect(bar(page)).toHaveCount(0)
    await photo(page, 5).click()
    await expect(page).toHaveURL(/\?file=/)
  })
  await test.step('Shift selects and deselects a range from the last chosen file', async () => {
    await page.goto('/')
    await check(photo(page, 2))
    await photo(page, 6).click({ modifiers: ['Shift'] })
    await expectSelected(page, 2, 3, 4, 5, 6)
    await photo(page, 4).click({ modifiers: ['Shift'] })
    await expectSelected(page, 2, 3)
    await photo(page, 1).click({ modifiers: ['Shift'] })
    await expectSelected(page, 1, 2, 3, 4)
  })
  await test.step('a range includes files that were never rendered', async () => {
    await page.goto('/')
    await check(photo(page, 3))
    await photo(page, 3).focus()
    await page.keyboard.press('Control+End')
    const last = tile(page, 'Film 1.mp4')
    await expect(last).toBeFocused()
    await last.click({ modifiers: ['Shift'] })
    await expect(bar(page)).toContainText(`${FILES - 2} selected`)
    await last.click({ modifiers: ['Shift'] })
    await expect(bar(page)).toContainText(`${FILES - 3} selected`)
  })
  await test.step('Ctrl+A selects all matching files, and Escape clears the selection', async () => {
    await page.goto('/?search=photo')
    await expect(page.getByRole('heading', { name: /^All Files 30\d files$/ })).toBeVisible()
    await page.keyboard.press('Control+a')
    await expect(bar(page)).toContainText('300 selected')
    await page.keyboard.press('Escape')
    await expect(bar(page)).toHaveCount(0)

    await page.getByRole('searchbox').focus()
    await page.keyboard.press('Control+a')
    await expect(bar(page)).toHaveCount(0)
  })
  await test.step('another folder clears the selection, another search keeps what it lists, and going back restores nothing', async () => {
    await page.goto('/')
    const folder = page.getByRole('treeitem', { name: new RegExp(`^${stocked.folder.name}`) })
    await check(photo(page, 1))
    await expect(bar(page)).toContainText('1 selected')
    await folder.click()
    await expect(page.getByRole('heading', { name: /^Folder: Beach/ })).toBeVisible()
    await expect(bar(page)).toHaveCount(0)
    await page.goBack()
    await expect(photo(page, 1)).toBeVisible()
    await expect(bar(page)).toHaveCount(0)

    await check(photo(page, 1))
    await check(photo(page, 2))
    await expect(bar(page)).toContainText('2 selected')
    await page.getByRole('searchbox').fill('photo 2')
    await expect(page.getByRole('heading', { name: /^All Files 1\d\d files$/ })).toBeVisible()
    await expect(bar(page)).toContainText('1 selected')
    await page.getByRole('searchbox').fill('')
    await expect(page.getByRole('heading', { name: /^All Files 30\d files$/ })).toBeVisible()
    await expect(bar(page)).toContainText('1 selected')
    await page.getByRole('searchbox').fill('no such photo')
    await expect(bar(page)).toHaveCount(0)
  })
  await test.step('the selection bar never covers the last selected photo', async () => {
    await page.goto('/')
    await expect(photo(page, 1)).toBeVisible()
    await page.mouse.wheel(0, 700)
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(700)
    const lowest = page.locator('[data-index]').filter({ visible: true })
    await expect.poll(() => lowest.count()).toBeGreaterThan(10)
    const nameOfCut = () =>
      page.evaluate(() => {
        const cells = [...document.querySelectorAll('[data-index]')]
        const cut = cells.filter(cell => {
          const { top, bottom } = cell.getBoundingClientRect()
          return top < window.innerHeight - 30 && bottom > window.innerHeight - 30
        })
        return cut[0]?.getAttribute('aria-label')?.split(',')[0] ?? ''
      })
    // A tile has no name until its file is loaded.
    await expect.poll(nameOfCut).not.toBe('')
    const name = await nameOfCut()
    const cell = tile(page, name)
    const box = await cell.boundingBox()
    if (box === null) throw new Error(`${name} is not on the page`)
    await page.keyboard.down('Control')
    await page.mouse.click(box.x + 60, Math.min(box.y + 60, 890))
    await page.keyboard.up('Control')
    await expect(cell).toHaveAttribute('aria-selected', 'true')
    await expect
      .poll(async () => {
        const [photoBox, barBox] = [await cell.boundingBox(), await bar(page).boundingBox()]
        return (photoBox?.y ?? 0) + (photoBox?.height ?? 0) <= (barBox?.y ?? 0)
      })
      .toBe(true)
  })
  await test.step('while another folder loads, no photo of the previous one is shown', async () => {
    // To the same address it would be a reload, which restores the scroll position.
    await page.goto('about:blank')
    await page.goto('/')
    await expect(photo(page, 1)).toBeVisible()
    const release = await delayRequests(page, 'GET', '**/api/media/timeline?*')
    await page.getByRole('treeitem', { name: new RegExp(`^${stocked.folder.name}`) }).click()
    await expect(page.getByRole('heading', { name: 'Folder: Beach' })).toBeVisible()
    await expect(page.getByRole('gridcell')).toHaveCount(0)
    release()
    await expect(page.getByRole('gridcell').first()).toBeVisible()
  })
})

test('what somebody else moves away is deselected, without asking for the whole list', async ({ open, stocked }) => {
  const page = await open('/?folder=root')
  const asked: (string | null)[] = []
  page.on('request', request => {
    const url = new URL(request.url())
    if (url.pathname === '/api/media/ids') asked.push(url.searchParams.get('ids'))
  })
  await check(photo(page, 1))
  await check(photo(page, 2))
  await expectSelected(page, 1, 2)
  const { files } = await stocked.caller.call(listMedia, { query: { search: photoName(2) } })
  const fileIds = files.map(file => file.id)
  await stocked.caller.call(moveFiles, { body: { fileIds, folderId: stocked.folder.id } })
  try {
    await expectSelected(page, 1)
    expect(asked).toContainEqual(expect.stringMatching(/^\d+,\d+$/))
    expect(asked).not.toContain(null)
  } finally {
    await stocked.caller.call(moveFiles, { body: { fileIds, folderId: null } })
  }
})

test('the grid works by keyboard alone: moving, selecting, opening', async ({ open }) => {
  const page = await open()
  await expect(photo(page, 1)).toBeVisible()
  await expect(page.locator('[data-index][tabindex="0"]')).toHaveCount(1)
  await page.getByRole('button', { name: 'Names' }).focus()
  await page.keyboard.press('Tab')
  await expect(photo(page, 1)).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(photo(page, 3)).toBeFocused()
  await page.keyboard.press(' ')
  await expectSelected(page, 3)
  await page.keyboard.press('Shift+ArrowRight')
  await expectSelected(page, 3, 4)
  await page.keyboard.press('Tab')
  await expect(photo(page, 4).getByRole('button', { name: 'Select Photo 004.jpg' })).toBeFocused()
  await page.keyboard.press(' ')
  await expectSelected(page, 3)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Rename' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(photo(page, 4).getByRole('button', { name: 'Actions for Photo 004.jpg' })).toBeFocused()
  await expectSelected(page, 3)

  await photo(page, 4).focus()
  for (let row = 0; row < 12; row++) await page.keyboard.press('ArrowDown')
  const focused = page.locator('[data-index]:focus')
  await expect(focused).toBeInViewport()
  await page.keyboard.press('Control+Home')
  await expect(photo(page, 1)).toBeFocused()
  await expect(photo(page, 1)).toBeInViewport()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Photo 001.jpg' })).toBeVisible()
})

test('on a phone a long press selects a photo, and the actions are above the tabs', async ({ open }) => {
  const page = await open('/', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  const first = photo(page, 1)
  await first.scrollIntoViewIfNeeded()
  const touch = { pointerType: 'touch', bubbles: true, clientX: 60, clientY: 60, isPrimary: true }
  await first.dispatchEvent('pointerdown', touch)
  await expectSelected(page, 1)
  await first.dispatchEvent('pointerup', touch)
  // The browser also fires a click when the finger is lifted, perhaps on a button that has appeared under it.
  await bar(page).getByRole('button', { name: 'Delete' }).dispatchEvent('click')
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await expectSelected(page, 1)
  await photo(page, 2).tap()
  await expectSelected(page, 1, 2)

  for (const viewport of [
    { width: 390, height: 844 },
    { width: 844, height: 390 },
  ]) {
    await page.setViewportSize(viewport)
    await bar(page).getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click()
  }
  await bar(page).getByRole('button', { name: 'Clear selection' }).click()
  await expect(bar(page)).toHaveCount(0)
})
