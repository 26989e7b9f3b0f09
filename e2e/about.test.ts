import { violations } from './support/axe.ts'
import { expect, signIn, test } from './support/family.ts'

test('the about page shows the version and the licences without signing in', async ({ newDevice }) => {
  const page = await newDevice()
  await page.goto('/login')
  await page.getByRole('link', { name: 'About Heirloom' }).click()
  await expect(page).toHaveURL('/about')
  await expect(page).toHaveTitle('About · Heirloom')
  await expect(page.getByText(/^\d+\.\d+\.\d+(-dev)?$/)).toBeVisible()
  await expect(page.getByRole('link', { name: 'GeoNames' })).toHaveAttribute('href', 'https://www.geonames.org/')
  await page.getByText('MPL-2.0', { exact: true }).click()
  await expect(page.getByText(/^exifreader \d/)).toBeVisible()
  expect(await violations(page)).toEqual([])
  await page.getByRole('link', { name: 'Sign in' }).click()
  await expect(page).toHaveURL('/login')
})

test('the menu leads to the about page, inside the usual layout', async ({ newDevice }) => {
  const page = await newDevice()
  await signIn(page, 'Ben Okafor')
  await page.getByRole('banner').getByRole('button', { name: 'Ben Okafor' }).click()
  await page.getByRole('menuitem', { name: 'About' }).click()
  await expect(page.getByRole('heading', { name: 'About Heirloom' })).toBeVisible()
  await expect(page.getByRole('banner').getByRole('link', { name: 'Gallery' })).toBeVisible()
})

test('iPhones get a page on how originals arrive, from the upload dialog and the about page', async ({ deviceOf }) => {
  const userAgent =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1'
  const page = await deviceOf('Ben Okafor', { userAgent, viewport: { width: 390, height: 844 } })
  await page.goto('/?upload=')
  const link = page.getByRole('dialog').getByRole('link', { name: 'What iPhones do to photos' })
  const [opened] = await Promise.all([page.waitForEvent('popup'), link.click()])
  await expect(opened.getByRole('heading', { name: 'Look at the Options' })).toBeVisible()
  expect(await violations(opened)).toEqual([])
  await page.goto('/about')
  await page.getByRole('link', { name: 'Photos from an iPhone or iPad' }).click()
  await expect(page).toHaveURL('/iphone')
})
