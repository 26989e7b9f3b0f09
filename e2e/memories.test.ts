import { closeMemories, setNewSince } from '#contract/memories.ts'
import { violations } from './support/axe.ts'
import { callerOn } from './support/caller.ts'
import { expect, test, toast } from './support/family.ts'
import { today, tokenOf } from './support/session.ts'

const desktop = { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce', locale: 'en-GB' } as const
const phone = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  reducedMotion: 'reduce',
  locale: 'en-GB',
} as const

test('photos of this day in other years and new ones are above the gallery, and can be hidden', async ({
  library,
  serverHost,
  deviceOf,
}) => {
  await tokenOf(library.url, 'ada')
  // Leap years, for those who run it on the 29th of February.
  const taken = (year: number, hour: number) => `${year}-${today().slice(5)}T${hour}:00:00`
  const size = { width: 64, height: 48, folderId: null }
  await serverHost.insertPhotos(library, [
    { name: 'one.jpg', dateTimeOriginal: taken(2020, 10), ...size },
    { name: 'two.jpg', dateTimeOriginal: taken(2020, 11), ...size },
    { name: 'old.jpg', dateTimeOriginal: taken(2016, 12), ...size },
  ])
  const page = await deviceOf('Ada Okafor', desktop)
  await (await callerOn(page)).call(closeMemories, { body: { day: null } })
  await page.reload()
  const ago = (year: number) => `${new Date().getFullYear() - year} years ago`
  const group = page.getByRole('link', { name: new RegExp(`^${ago(2020)} `) })
  await expect(group).toHaveAccessibleName(`${ago(2020)} 2 photos`)
  expect((await page.getByRole('gridcell').first().boundingBox())?.y).toBeLessThanOrEqual(320)
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Close “On this day” until tomorrow' }).press('Enter')
  await expect(group).toHaveCount(0)
  // The keyboard goes on where the row was.
  await page.keyboard.press('Tab')
  await expect(page.getByPlaceholder('Search files...')).toBeFocused()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(group).toBeVisible()

  await group.click()
  await expect(page.getByText('1 of 2', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Don’t show this photo in “On this day”' }).click()
  await expect(page.getByText('1 of 1', { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('gridcell')).toHaveCount(1)
  await page.getByRole('button', { name: 'Clear filters' }).click()

  await expect(group).toHaveAccessibleName(`${ago(2020)} 1 photo`)
  await page.getByRole('button', { name: 'More about “On this day”' }).click()
  await page.getByRole('menuitem', { name: /^Don’t show .*2016 again$/ }).click()
  await expect(page.getByRole('link', { name: ago(2016) })).toHaveCount(0)

  await page.getByRole('link', { name: 'Other days' }).click()
  await expect(page.getByRole('heading', { name: ago(2020) })).toBeVisible()
  await expect(page.getByRole('heading', { name: ago(2016) })).toHaveCount(0)
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Don’t show two.jpg again' }).click()
  await expect(page.getByRole('link', { name: 'two.jpg' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Next day' }).click()
  await expect(page.getByRole('heading', { name: 'Nothing on this day' })).toBeVisible()

  await page.goto('/settings')
  await page.getByRole('button', { name: /^Show again: .*2016$/ }).click()
  await page.getByRole('button', { name: 'Show again: one.jpg' }).click()
  await page.getByRole('button', { name: 'Show again: two.jpg' }).click()
  // The section stays, with the focus that the last button had.
  await expect(page.getByText('Nothing is hidden any more.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Hidden from “On this day”' }).getByRole('list')).toBeFocused()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Name and picture' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Hidden from “On this day”' })).toHaveCount(0)

  const bens = await deviceOf('Ben Okafor', phone)
  const since = new Date(Date.now() - 3_600_000).toISOString()
  const ben = await callerOn(bens)
  await ben.call(closeMemories, { body: { day: null } })
  await ben.call(setNewSince, { body: { since } })
  await bens.reload()
  const added = bens.getByRole('link', { name: /^3 photos added since / })
  await expect(added).toBeVisible()
  expect((await bens.getByRole('gridcell').first().boundingBox())?.y).toBeLessThanOrEqual(320)
  const seen = bens.waitForResponse(response => response.url().endsWith(setNewSince.path))
  await added.tap()
  await seen
  await expect(bens.getByRole('gridcell')).toHaveCount(3)
  await bens.goto('/')
  await expect(bens.getByRole('link', { name: `${ago(2016)} 1 photo` })).toBeVisible()
  await expect(added).toHaveCount(0)
  await expect(toast(bens, 'This could not be closed')).toHaveCount(0)
})
