import type { Page } from '@playwright/test'
import { test as empty, expect } from './support/family.ts'
import { tokenOf } from './support/session.ts'
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

  await page.goto('/')
  await search(page).fill('May 2024')
  await suggestions(page).getByRole('button', { name: 'May 2024' }).click()
  await expect(page).toHaveURL('/?date=2024-05')
  await expect(page.getByText('Showing 12 files', { exact: true })).toBeVisible()
  await expect(search(page)).toHaveValue('')
  await search(page).fill('2024-06-14')
  await page.getByRole('button', { name: 'Show 14 Jun 2024' }).click()
  await expect(page).toHaveURL('/?date=2024-06-14')
  await expect(page.getByText('Showing 1 file', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Remove date 14 Jun 2024' })).toBeVisible()
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
  await expect(page.getByRole('button', { name: /^Remove / })).toBeVisible()
  await page.keyboard.press('Backspace')
  await expect(page).toHaveURL('/')
})

empty(
  'a long group shows its first suggestions, and all of them by a button',
  async ({ deviceOf, library, serverHost }) => {
    // The first person who signs in owns the photos.
    await tokenOf(library.url, 'ada')
    const years = Array.from({ length: 12 }, (_, i) => 1990 + i)
    const size = { width: 40, height: 30, folderId: null }
    const photos = years.map(year => ({ ...size, name: `${year}.jpg`, dateTimeOriginal: `${year}-06-01T12:00:00` }))
    await serverHost.insertPhotos(library, photos)
    const page = await deviceOf('Ada Okafor')
    await search(page).focus()
    const group = suggestions(page).getByRole('group', { name: 'Years' })
    await expect(group.getByRole('button')).toHaveCount(11)
    await group.getByRole('button', { name: 'Show all 12' }).press('Enter')
    await expect(group.getByRole('button')).toHaveCount(12)
    await group.getByRole('button', { name: /^1990/ }).click()
    await expect(page).toHaveURL('/?year=1990')
  },
)
