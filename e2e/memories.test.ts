import { logOut } from '#contract/auth.ts'
import { showCardAgain } from '#contract/memories.ts'
import { visitor } from '../server/test/visitor.ts'
import { violations } from './support/axe.ts'
import { callerOn } from './support/caller.ts'
import { expect, test, toast } from './support/family.ts'
import { memoriesOfToday, today, tokenOf } from './support/session.ts'

const desktop = { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce', locale: 'en-GB' } as const
const phone = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  reducedMotion: 'reduce',
  locale: 'en-GB',
} as const

test('what is new and this day in other years are cards above the photos, which open as stories', async ({
  library,
  serverHost,
  deviceOf,
}) => {
  await tokenOf(library.url, 'ada')
  const bensToken = await tokenOf(library.url, 'ben')
  await visitor(new URL(library.url), bensToken, 'straight').call(logOut)
  // Leap years, for those who run it on the 29th of February.
  const taken = (year: number, hour: number) => `${year}-${today().slice(5)}T${hour}:00:00`
  const size = { width: 64, height: 48, folderId: null }
  await serverHost.insertPhotos(library, [
    { name: 'one.jpg', dateTimeOriginal: taken(2020, 10), ...size },
    { name: 'two.jpg', dateTimeOriginal: taken(2020, 11), ...size },
    { name: 'old.jpg', dateTimeOriginal: taken(2016, 12), ...size },
  ])
  const page = await deviceOf('Ada Okafor', desktop)
  const ada = await callerOn(page)
  for (const card of memoriesOfToday()) await ada.call(showCardAgain, { params: { card } })
  await page.reload()
  const ago = (year: number) => `${new Date().getFullYear() - year} years ago`
  const card = (year: number) => page.getByRole('button', { name: `${ago(year)}: play as a story` })
  await expect(card(2020)).toBeVisible()
  expect((await card(2020).boundingBox())?.height).toBe(180)
  expect(await violations(page)).toEqual([])

  // Put away, with Undo, and on the server.
  // A page that is left at once may never send it.
  const isKept = page.waitForResponse(response => response.url().endsWith('/put-away'))
  await page.getByRole('button', { name: `Put away: ${ago(2016)}` }).press('Enter')
  await expect(card(2016)).toHaveCount(0)
  await isKept
  await page.reload()
  await expect(card(2020)).toBeVisible()
  await expect(card(2016)).toHaveCount(0)
  await page.getByRole('button', { name: `Put away: ${ago(2020)}` }).press('Enter')
  await expect(card(2020)).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(card(2020)).toBeVisible()

  // A story: by keys, by taps, and back to its card.
  await page.reload()
  await card(2020).press('Enter')
  const story = page.getByRole('dialog', { name: ago(2020) })
  await expect(story.getByText('1 of 2')).toBeVisible()
  await expect(story.getByRole('img', { name: /^Photo, .*2020/ })).toBeVisible()
  expect(await violations(page)).toEqual([])
  await page.keyboard.press(' ')
  await expect(story.getByRole('button', { name: 'Play' })).toBeVisible()
  // A key of the browser, which must not turn the page of the story.
  await page.keyboard.press('Control+ArrowRight')
  await expect(story.getByText('1 of 2')).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(story.getByText('2 of 2')).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await expect(story.getByText('1 of 2')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(story).toHaveCount(0)
  await expect(card(2020)).toBeFocused()
  await card(2020).click()
  await story.getByRole('link', { name: 'Show all' }).click()
  await expect(page.getByRole('gridcell')).toHaveCount(2)

  // Two of the same day are two, also in the viewer.
  await page.getByRole('gridcell').first().click()
  await expect(page.getByText('1 of 2', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Don’t show this photo in “On this day”' }).click()
  await expect(page.getByText('1 of 1', { exact: true })).toBeVisible()
  await page.goto('/memories')
  await expect(page.getByRole('heading', { name: ago(2020) })).toBeVisible()
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: /^Don’t show this day: .*2016$/ }).click()
  await expect(page.getByRole('heading', { name: ago(2016) })).toHaveCount(0)
  await page.getByRole('button', { name: 'Next day' }).click()
  // An empty day leads to the nearest one.
  await expect(page.getByRole('heading', { name: /^No photos from / })).toBeVisible()
  await page.getByRole('button', { name: /^Show / }).click()
  await expect(page.getByRole('heading', { name: /years ago/ }).first()).toBeVisible()

  await page.goto('/settings')
  await page.getByRole('button', { name: /^Show again: .*2016$/ }).click()
  await page.getByRole('button', { name: /^Show again: (one|two).jpg$/ }).click()
  // The section stays, with the focus that the last button had.
  await expect(page.getByText('Nothing is hidden any more.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Hidden from “On this day”' }).getByRole('list')).toBeFocused()

  const bens = await deviceOf('Ben Okafor', phone)
  await bens.reload()
  const added = bens.getByRole('button', { name: 'Ada Okafor added 3 photos: play as a story' })
  await added.tap()
  const bensStory = bens.getByRole('dialog', { name: 'Ada Okafor added 3 photos' })
  await expect(bensStory.getByText('1 of 3')).toBeVisible()
  await expect(bens.getByTestId('story')).toHaveAttribute('data-shown')
  await bens.touchscreen.tap(340, 420)
  await expect(bensStory.getByText('2 of 3')).toBeVisible()
  await bens.touchscreen.tap(30, 420)
  await expect(bensStory.getByText('1 of 3')).toBeVisible()
  // It goes on by itself, and ends with the last photo.
  await expect(bensStory.getByText('2 of 3')).toBeVisible({ timeout: 15_000 })
  await bensStory.getByRole('link', { name: 'Show all' }).tap()
  await expect(bens.getByRole('gridcell')).toHaveCount(3)
  await expect(toast(bens, 'This could not be put away')).toHaveCount(0)
})
