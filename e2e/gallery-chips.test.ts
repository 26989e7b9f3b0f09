import type { Page } from '@playwright/test'
import { expect } from './support/family.ts'
import { test } from './support/stocked-library.ts'

const search = (page: Page) => page.getByRole('searchbox', { name: 'Search' })
const suggestions = (page: Page) => page.getByRole('region', { name: 'Suggestions' })

test('before typing the search suggests filters; a chosen one is a chip in the address', async ({ open }) => {
  const page = await open('/')
  await search(page).click()
  const year = suggestions(page).getByRole('group', { name: 'Years' }).getByRole('button', { name: /^2023/ })
  await year.click()
  await expect(page).toHaveURL('/?year=2023')
  await expect(suggestions(page)).toHaveCount(0)
  await expect(search(page)).toBeFocused()
  const filtered = page.getByRole('status').filter({ hasText: /Showing \d+ files/ })
  await expect(filtered).not.toContainText('303')

  await search(page).fill('photo 0')
  await expect(page).toHaveURL('/?search=photo+0&year=2023')
  await page.getByRole('button', { name: 'Remove year 2023' }).click()
  await expect(page).toHaveURL('/?search=photo+0')
  await page.goBack()
  await expect(page).toHaveURL(/year=2023/)
  await expect(page.getByRole('button', { name: 'Remove year 2023' })).toBeVisible()
})

test('suggestions are reached, chosen, removed and closed with the keyboard', async ({ open }) => {
  const page = await open('/')
  await search(page).focus()
  await expect(suggestions(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(suggestions(page)).toHaveCount(0)
  await page.keyboard.press('ArrowDown')
  await expect(suggestions(page)).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await expect(suggestions(page).getByRole('button').first()).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/^[^?]*\?(place|tag|camera|year|uploader)=/)
  await page.keyboard.press('Backspace')
  await expect(page).toHaveURL('/')
})
