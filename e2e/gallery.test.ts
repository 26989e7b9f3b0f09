import type { Page } from '@playwright/test'
import { expect } from './support/family.ts'
import { photos, test } from './support/stocked-library.ts'

const tile = (page: Page, name: string) => page.getByRole('gridcell', { name: new RegExp(`^${name}, `) })
const firstTile = (page: Page) => page.locator('[data-index="0"]')
const card = (page: Page, name: string) =>
  page.getByRole('list', { name: 'The library in figures' }).getByRole('button', { name: new RegExp(`^${name}`) })

test('the figures show and filter the library, and so does the type filter', async ({ open }) => {
  const page = await open()
  await test.step('the page shows the library’s figures, and three of them filter the list', async () => {
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Gallery')
    await expect(page.getByText('Shared family photos and videos', { exact: true })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Upload Files' })).toBeVisible()
    await expect(card(page, 'Total Files')).toHaveText(/Total Files\s*Showing all\s*303/)
    await expect(card(page, 'Images')).toHaveText(/Images\s*300/)
    await expect(card(page, 'Videos')).toHaveText(/Videos\s*3/)
    await expect(page.getByText(/Storage Used\s*[\d.]+ KB/)).toBeVisible()
    await expect(page.getByRole('heading', { name: 'All Files 303 files' })).toBeVisible()

    await card(page, 'Videos').click()
    await expect(page).toHaveURL('/?type=video')
    await expect(card(page, 'Videos')).toHaveAttribute('aria-pressed', 'true')
    await expect(card(page, 'Videos')).toContainText('Active filter')
    await expect(card(page, 'Total Files')).not.toContainText('Showing all')
    await expect(page.getByText('Showing 3 videos', { exact: true })).toBeVisible()
    await expect(page.getByRole('combobox', { name: 'Type' })).toHaveText('Videos Only')
    await expect(page.getByRole('gridcell')).toHaveCount(3)

    await page.getByRole('button', { name: 'Show All' }).click()
    await expect(page).toHaveURL('/')
    await expect(page.getByRole('heading', { name: 'All Files 303 files' })).toBeVisible()
  })
  await test.step('the type filter has three choices', async () => {
    await page.goto('/')
    await page.getByRole('combobox', { name: 'Type' }).click()
    await expect(page.getByRole('option')).toHaveText(['All Files', 'Images Only', 'Videos Only'])
    await page.getByRole('option', { name: 'Images Only' }).click()
    await expect(page).toHaveURL('/?type=image')
    await expect(page.getByText('Showing 300 images', { exact: true })).toBeVisible()
  })
  await test.step('Total Files is highlighted only while all files are shown, and shows all files', async () => {
    await page.goto('/?search=photo')
    await expect(page.getByRole('heading', { name: 'All Files 300 files' })).toBeVisible()
    await expect(card(page, 'Total Files')).not.toContainText('Showing all')
    await card(page, 'Images').click()
    await expect(page).toHaveURL('/?search=photo&type=image')
    await card(page, 'Images').click()
    await expect(page).toHaveURL('/?search=photo')
    await card(page, 'Total Files').click()
    await expect(page).toHaveURL('/')
    await expect(card(page, 'Total Files')).toContainText('Showing all')
  })
  await test.step('choosing the current filter adds no history entry', async () => {
    await page.goto('/')
    await page.getByRole('button', { name: 'Names', exact: true }).click()
    await expect(page).toHaveURL('/?names=on')
    await card(page, 'Total Files').click()
    await page.getByRole('treeitem', { name: /^All Files/ }).click()
    await page.goBack()
    await expect(page).toHaveURL('/')
  })
})

test('a search runs while typing and loses no letter', async ({ open }) => {
  const page = await open()
  await test.step('a search runs while typing, keeps the focus and adds no history entry', async () => {
    const search = page.getByRole('searchbox', { name: 'Search' })
    await expect(search).toHaveAttribute('placeholder', 'Search files...')
    const entries = await page.evaluate(() => history.length)
    await search.pressSequentially('photo 30', { delay: 30 })
    await expect(page).toHaveURL('/?search=photo+30')
    await expect(page.getByText('Showing 4 files for “photo 30”', { exact: true })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'All Files 4 files' })).toBeVisible()
    await expect(search).toBeFocused()
    expect(await page.evaluate(() => history.length)).toBe(entries)

    await search.fill('no such thing')
    await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible()
    await page.getByRole('main').getByRole('button', { name: 'Clear filters' }).last().click()
    await expect(page).toHaveURL('/')
    await expect(search).toHaveValue('')
    await expect(tile(page, 'Photo 001.jpg')).toBeVisible()
  })
  await test.step('letters typed while an earlier search is running are kept', async () => {
    await page.goto('/')
    const search = page.getByRole('searchbox', { name: 'Search' })
    await expect(tile(page, 'Photo 001.jpg')).toBeVisible()
    const cdp = await page.context().newCDPSession(page)
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: 6 })
    // About as long as the search debounce, so that letters are typed at every stage of a request.
    await search.pressSequentially('photo number three hundred', { delay: 260 })
    await expect(search).toHaveValue('photo number three hundred')
    await expect(page).toHaveURL('/?search=photo+number+three+hundred')
  })
})

test('by date, files are grouped, by years where months have few, the same in every time zone', async ({ open }) => {
  for (const timezoneId of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
    const page = await open('/', { timezoneId, viewport: { width: 1440, height: 900 } })
    await expect(page.getByRole('columnheader').nth(0)).toHaveText('2024')
    await expect(tile(page, 'Photo 001.jpg')).toHaveAccessibleName(
      /^Photo 001\.jpg, Friday,? 14 June 2024, Photo, 1 of 303$/,
    )
    await page.context().close()
  }
})

test('files are sorted by the toolbar and by the headers of the list, and the view is remembered', async ({ open }) => {
  const page = await open()
  await test.step('the label of a day selects its files, and the heading of a month the month’s', async () => {
    const wednesday = photos.filter(photo => photo.day === photos[3]?.day)
    await page.getByRole('columnheader').filter({ hasText: '27 May' }).getByRole('button').click()
    await expect(page.getByText(`${wednesday.length} selected`)).toBeVisible()
    await page.getByRole('button', { name: 'Clear selection' }).click()
    // The three of June are too few for a heading of their own: it is that of the year.
    const june = photos.filter(photo => photo.day.startsWith('2024-06'))
    await page.getByRole('columnheader', { name: '2024' }).first().getByRole('button').click()
    await expect(page.getByText(`${june.length} selected`)).toBeVisible()
  })
  await test.step('files can be sorted by six fields, each with its own default direction', async () => {
    await page.goto('/')
    await expect(firstTile(page)).toHaveAccessibleName(/^Photo 001\.jpg, /)
    await page.getByRole('combobox', { name: 'Sort by' }).click()
    await expect(page.getByRole('option')).toHaveText(['Name', 'Date', 'Date added', 'Size', 'Type', 'Location'])
    await page.getByRole('option', { name: 'Name' }).click()
    await expect(page).toHaveURL('/?sort=name')
    await expect(firstTile(page)).toHaveAccessibleName(/^Film 1\.mp4, /)
    await page.getByRole('button', { name: 'A to Z. Change to: z to a' }).click()
    await expect(page).toHaveURL('/?sort=name&order=desc')
    await expect(firstTile(page)).toHaveAccessibleName(/^Photo 300\.jpg, /)

    for (const [sort, order] of Object.entries({ size: 'asc', type: 'asc', location: 'asc' })) {
      const asked = page.waitForRequest(request => request.url().includes(`sort=${sort}&order=${order}`))
      await page.goto(`/?sort=${sort}`)
      await asked
    }
    await page.goto('/?order=asc')
    await expect(firstTile(page)).toHaveAccessibleName(/^Film 1\.mp4, /)
  })
  await test.step('the headers of the list sort it and show the field and direction', async () => {
    await page.goto('/')
    await page.getByRole('button', { name: 'List', exact: true }).click()
    const date = page.getByRole('columnheader', { name: 'Date' })
    await expect(date).toHaveAttribute('aria-sort', 'descending')
    await date.getByRole('button').click()
    await expect(page).toHaveURL('/?order=asc')
    await expect(date).toHaveAttribute('aria-sort', 'ascending')
    await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
    await expect(page).toHaveURL('/?sort=name')
    const first = page.getByRole('row', { name: /^Film 1\.mp4, .*Video/ })
    await expect(first).toContainText('Video, 0:01')
    await expect(first).toContainText('1 Jan 2010')
    await expect(first).toContainText(/[\d.]+ KB/)
  })
  await test.step('a device remembers the chosen view', async () => {
    await page.goto('/')
    await page.getByRole('button', { name: 'List', exact: true }).click()
    await expect(page.getByRole('row', { name: /^Photo 001\.jpg, / })).toBeVisible()
    await page.reload()
    await expect(page.getByRole('row', { name: /^Photo 001\.jpg, / })).toBeVisible()
    await page.getByRole('button', { name: 'Grid', exact: true }).click()
    await expect(tile(page, 'Photo 001.jpg')).toBeVisible()
    await page.reload()
    await expect(tile(page, 'Photo 001.jpg')).toBeVisible()
  })
})

test('a link opens a view or a photo for somebody else', async ({ open, stocked }) => {
  const page = await open()
  await test.step('a link opens the same view for somebody else, and Back returns', async () => {
    const { id } = stocked.folder
    await page.goto(`/?folder=${id}&search=photo&type=image&sort=name&order=desc&names=off`)
    await expect(page.getByRole('heading', { name: 'Folder: Beach 10 files' })).toBeVisible()
    await expect(page.getByRole('searchbox')).toHaveValue('photo')
    await expect(page.getByRole('combobox', { name: 'Type' })).toHaveText('Images Only')
    await expect(tile(page, 'Photo 300.jpg')).toHaveAttribute('data-index', '0')
    await expect(page).toHaveTitle(/^Beach · /)

    await page.getByRole('button', { name: 'Names', exact: true }).click()
    await card(page, 'Total Files').click()
    await expect(page).not.toHaveURL(/type=/)
    await page.goBack()
    await expect(page).toHaveURL(/type=image/)
    await expect(page).not.toHaveURL(/names=/)
    await page.goBack()
    await expect(page).toHaveURL(/names=off/)
  })
  await test.step('a deleted folder shows a message and a link to all files', async () => {
    await page.goto('/?folder=999999')
    await expect(page.getByRole('heading', { name: 'This folder is no longer here' })).toBeVisible()
    await page.getByRole('button', { name: 'Show all files' }).click()
    await expect(page).toHaveURL('/')
  })
  await test.step('a link to a photo opens it in its list, and closing shows it there', async () => {
    const { files } = await (await stocked.caller.fetch('/api/media?search=photo%20250&limit=1')).json()
    await page.goto(`/?file=${files[0].id}`)
    await expect(page.getByRole('dialog', { name: 'Photo 250.jpg' })).toContainText('250 of 303')
    await expect(page.getByRole('button', { name: 'Previous file' })).toBeVisible()
    await page.keyboard.press('ArrowLeft')
    await expect(page.getByRole('dialog', { name: 'Photo 249.jpg' })).toBeVisible()
    await page.getByRole('button', { name: 'Close' }).click()
    await expect(page).toHaveURL('/')
    await expect(tile(page, 'Photo 249.jpg')).toBeFocused()
    await expect(tile(page, 'Photo 249.jpg')).toBeInViewport()
  })
})
