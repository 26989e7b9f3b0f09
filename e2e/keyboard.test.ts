import type { Locator, Page } from '@playwright/test'
import { expect, signIn, test, toast } from './support/family.ts'

test('an admin signs in and approves somebody by keyboard alone', async ({ newDevice }) => {
  await signIn(await newDevice(), 'Kofi Mensah')
  const page = await newDevice()
  await page.goto('/login')
  await expect(page.getByRole('button', { name: 'Continue with Google' })).toBeVisible()
  await tabTo(page, page.getByRole('button', { name: 'Continue with Google' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Who are you today?' })).toBeVisible()
  await tabTo(page, page.getByRole('button', { name: 'Ada Okafor' }))
  await page.keyboard.press('Enter')
  await expect(page.getByText('Shared family photos and videos')).toBeVisible()
  // While it is shown, Tab returns from the end of the page to the toast.
  await expect(toast(page, 'Successfully signed in!')).toBeHidden()

  await tabTo(page, page.getByRole('link', { name: 'Admin' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('tab', { name: 'Pending 1' })).toBeVisible()
  await tabTo(page, page.getByRole('tab', { name: 'Pending 1' }))
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('tab', { name: 'Approved 1' })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Approve' })).toBeVisible()
  await tabTo(page, page.getByRole('button', { name: 'Approve' }))
  await page.keyboard.press('Enter')
  await expect(toast(page, 'User approved successfully!')).toBeVisible()
  await expect(page.getByText('No pending users')).toBeVisible()
  // The focused row was removed; the focus must stay in the panel for keyboard users.
  const isInPanel = () => page.evaluate(() => document.activeElement?.closest('[role=tabpanel]') !== null)
  await expect.poll(isInPanel).toBe(true)
})

test('cancelling a confirmation returns the focus to where it was', async ({ deviceOf }) => {
  // The only admin cannot be revoked, so a second person is needed.
  await deviceOf('Ben Okafor')
  const page = await deviceOf('Ada Okafor')
  await page.goto('/admin?tab=approved')
  await expect(page.getByRole('button', { name: 'Revoke' })).toBeVisible()
  await tabTo(page, page.getByRole('button', { name: 'Revoke' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('alertdialog')).toBeHidden()
  await expect(page.getByRole('button', { name: 'Revoke' })).toBeFocused()
})

test('keyboard users can skip to the content and see the focus', async ({ deviceOf }) => {
  const page = await deviceOf('Ben Okafor')
  await page.reload()
  await expect(page.getByText('Shared family photos and videos')).toBeVisible()
  await page.keyboard.press('Tab')
  const skip = page.getByRole('link', { name: 'Skip to content' })
  await expect(skip).toBeFocused()
  await expect(skip).toBeInViewport()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement ?? document.body).outlineStyle)
  expect(outline).not.toBe('none')
})

/** Presses Tab until the control has the focus. */
async function tabTo(page: Page, control: Locator): Promise<void> {
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab')
    if (await control.evaluate(element => element === document.activeElement)) return
  }
  throw new Error(`The keyboard does not reach ${control}`)
}
