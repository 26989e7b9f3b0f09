import type { Page } from '@playwright/test'
import { expect } from './support/family.ts'
import { photoName, test } from './support/stocked-library.ts'

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/**
 * A phone's Back is a close request, which a page cannot make. Chromium makes one for Escape, too, unless a listener
 * handles the key first; so that only the close request counts here, no listener gets it.
 */
async function letOnlyCloseRequestsThrough(page: Page): Promise<void> {
  await page.evaluate(() => window.addEventListener('keydown', event => event.stopImmediatePropagation(), true))
}
const goBack = (page: Page) => page.keyboard.press('Escape')

const photo = (page: Page, number: number) =>
  page.getByRole('gridcell', { name: new RegExp(`^${photoName(number)}, `) })

test('on a phone Back closes what is open, the last opened first, and only then leaves the page', async ({ open }) => {
  const page = await open('/albums', phone)
  await letOnlyCloseRequestsThrough(page)
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Photos' }).tap()
  await expect(photo(page, 1)).toBeVisible()

  await test.step('a panel', async () => {
    await page.getByRole('button', { name: 'Filters' }).tap()
    const close = page.getByRole('button', { name: 'Close filters' })
    await expect(close).toBeVisible()
    await goBack(page)
    await expect(close).toHaveCount(0)
  })
  await test.step('a panel in which something was chosen from a list', async () => {
    await page.getByRole('button', { name: 'Filters' }).tap()
    await page.getByRole('combobox', { name: 'Sort by' }).tap()
    await page.getByRole('option', { name: 'Date', exact: true }).tap()
    await expect(page.getByRole('listbox')).toBeHidden()
    await goBack(page)
    await expect(page.getByRole('button', { name: 'Close filters' })).toHaveCount(0)
  })
  await test.step('a menu', async () => {
    await page.getByRole('button', { name: 'More', exact: true }).tap()
    await expect(page.getByRole('menu')).toBeVisible()
    await goBack(page)
    await expect(page.getByRole('menu')).toHaveCount(0)
  })
  await test.step('the upload dialog', async () => {
    await page.getByRole('button', { name: 'Upload Files' }).tap()
    const dialog = page.getByRole('dialog', { name: 'Upload' })
    await expect(dialog).toBeVisible()
    await goBack(page)
    await expect(dialog).toHaveCount(0)
  })
  await test.step('a question, and then the selection that it is about', async () => {
    const touch = { pointerType: 'touch', bubbles: true, isPrimary: true }
    await photo(page, 1).dispatchEvent('pointerdown', touch)
    const bar = page.getByRole('region', { name: 'Selected files' })
    await expect(bar).toContainText('1 selected')
    await photo(page, 1).dispatchEvent('pointerup', touch)
    await bar.getByRole('button', { name: 'Delete' }).tap()
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await goBack(page)
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    await expect(bar).toContainText('1 selected')
    await goBack(page)
    await expect(bar).toHaveCount(0)
  })
  await test.step('a dialog over the viewer, which stays', async () => {
    await photo(page, 1).tap()
    const viewer = page.getByRole('dialog', { name: photoName(1) })
    await viewer.getByRole('button', { name: 'Send to chat' }).tap()
    const dialog = page.getByRole('dialog', { name: 'Send to chat' })
    await expect(dialog).toBeVisible()
    await goBack(page)
    await expect(dialog).toHaveCount(0)
    await expect(viewer).toBeVisible()
    await page.goBack()
    await expect(viewer).toHaveCount(0)
  })
  // None of it is in the history, and a link in a menu is not undone.
  await expect(page).toHaveURL('/')
  await page.getByRole('button', { name: 'More', exact: true }).tap()
  await page.getByRole('menuitem', { name: 'Map' }).tap()
  await expect(page).toHaveURL(/\/map/)
  await page.goBack()
  await expect(page).toHaveURL('/')
  await page.goBack()
  await expect(page).toHaveURL('/albums')
})
