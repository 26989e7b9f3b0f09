import { expect, test } from './support/family.ts'

test('the API page opens for anyone and explains the calls', async ({ newDevice }) => {
  const page = await newDevice()
  await page.goto('/api/docs')
  await expect(page).toHaveTitle('Heirloom API')
  await expect(page.getByRole('heading', { name: 'Heirloom API' })).toBeVisible()
  await expect(page.getByText('The signed-in person').first()).toBeVisible()
})
