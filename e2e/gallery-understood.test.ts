import type { Page } from '@playwright/test'
import { expect } from './support/family.ts'
import { test } from './support/stocked-library.ts'

const search = (page: Page) => page.getByRole('searchbox', { name: 'Search' })
const found = (page: Page) => page.getByRole('status').filter({ hasText: /Showing \d+ files? for/ })

test('what a search names are chips, which can be removed or mean the words', async ({ open }) => {
  const page = await open('/')
  await search(page).fill('photos by ada 2024')
  await search(page).press('Enter')
  await expect(page).toHaveURL('/?search=photos+by+ada+2024')
  await expect(found(page)).toContainText(/Showing [1-9]\d* files for “photos by ada 2024”/)
  await page.getByRole('button', { name: 'Remove “2024” from the search' }).click()
  await expect(page).toHaveURL('/?search=photos+by+ada')
  await expect(search(page)).toHaveValue('photos by ada')
  await expect(found(page)).toContainText('Showing 303 files')
  await page.getByRole('button', { name: /^“photos by ada” is understood as: Ada/ }).click()
  await page.getByRole('menuitem', { name: /^The word “photos by ada”/ }).click()
  await expect(search(page)).toHaveValue('"photos by ada"')
  await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible()
})

test('a search for several things that finds nothing says without which of them there are files', async ({ open }) => {
  const page = await open('/?search=by+ada+1990')
  await page.getByRole('button', { name: 'Without “1990”: 303 files' }).click()
  await expect(page).toHaveURL('/?search=by+ada')
  await expect(found(page)).toContainText('Showing 303 files')
})
