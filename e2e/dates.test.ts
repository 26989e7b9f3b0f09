import { violations } from './support/axe.ts'
import { expect, test, toast } from './support/family.ts'

const desktop = { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce', locale: 'en-GB' } as const
const phone = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  reducedMotion: 'reduce',
} as const

test('dates are corrected as people say them, for many files at once, and one by one', async ({
  insertPhotos,
  deviceOf,
}) => {
  await insertPhotos('c.jpg', 'b.jpg', 'a.jpg')
  const page = await deviceOf('Ben Okafor', desktop)
  const cell = (name: string) => page.getByRole('gridcell', { name })
  for (const name of ['a.jpg', 'b.jpg']) {
    await cell(name)
      .getByRole('button', { name: /^Select/ })
      .click()
  }
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Change date…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change date of 2 files' })
  const field = dialog.getByRole('textbox', { name: 'When was it taken?' })
  await field.fill('the day of the')
  await expect(dialog.getByText(/Not understood yet/)).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
  await field.fill('summer 1974')
  await expect(dialog.getByText('Summer 1974 — between June and August 1974')).toBeVisible()
  expect(await violations(page)).toEqual([])

  // What the other ways would do is shown before it is done.
  await dialog.getByRole('tab', { name: 'Shift' }).click()
  await dialog.getByRole('textbox', { name: 'Hours' }).fill('-1.5')
  await expect(dialog.getByRole('combobox', { name: 'The right time is' })).toHaveValue('-1')
  await expect(dialog.getByText('2 files will change.')).toBeVisible()
  await dialog.getByRole('tab', { name: 'Time zone' }).click()
  await dialog.getByRole('combobox', { name: 'Where it was taken' }).fill('kolkata')
  await expect(page.getByRole('option', { name: /^Kolkata, India/ }).first()).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(dialog.getByText(/→ .*UTC\+5:30/)).toBeVisible()

  await dialog.getByRole('tab', { name: 'Date', exact: true }).click()
  await field.press('Enter')
  // A toast stays while the pointer is over it.
  await toast(page, 'Dates of 2 files changed.').hover()
  const summer = page.getByRole('columnheader', { name: 'Summer 1974', exact: true })
  await expect(summer).toBeVisible()
  const size = page.viewportSize()
  await page.setViewportSize({ width: 320, height: 700 })
  // Above photos of a third of a phone it is smaller, not cut.
  const isCut = () => summer.getByRole('button').evaluate(text => text.scrollWidth > text.clientWidth)
  await expect.poll(isCut).toBe(false)
  await page.setViewportSize(size ?? { width: 1280, height: 720 })
  await page.getByRole('listitem').filter({ hasText: 'Dates of 2 files' }).getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('columnheader', { name: 'Summer 1974', exact: true })).toBeHidden()

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Change date…' }).click()
  await field.fill('unknown')
  await field.press('Enter')
  await page.getByRole('link', { name: 'Undated 2 files' }).click()
  await page.getByRole('link', { name: 'Date one by one' }).click()
  await expect(page.getByRole('heading', { name: 'Undated photos 2 files left' })).toBeVisible()
  await expect(page.getByText(/^[ab]\.jpg$/)).toBeVisible()
  await page.keyboard.type('about 1950')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Undated photos 1 file left' })).toBeVisible()
  // Pressed once more, it does not date a photo that nobody has typed a date for.
  await page.keyboard.press('Enter')
  await expect(page.getByText('Date of the photo before this one: About 1950.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Undated photos 1 file left' })).toBeVisible()

  // Read again after a lost connection, the list keeps its positions.
  await page.context().setOffline(true)
  // An answer on its way at that moment says that the server can be reached.
  await expect(async () => {
    await page.evaluate(() => window.dispatchEvent(new Event('offline')))
    await expect(page.getByText(/You’re offline/)).toBeVisible({ timeout: 2_000 })
  }).toPass()
  const readAgain = page.waitForResponse(/\/api\/media\/ids/)
  await page.context().setOffline(false)
  await (await readAgain).finished()
  await expect(page.getByText(/You’re offline/)).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Undated photos 1 file left' })).toBeVisible()

  const small = await deviceOf('Ben Okafor', phone)
  await small.goto('/undated')
  await expect(small.getByText(/^[ab]\.jpg$/)).toBeVisible()
  await small.getByRole('textbox', { name: 'When was it taken?' }).fill('before 1939')
  await expect(small.getByText('Before 1939')).toBeVisible()
  await small.getByRole('button', { name: 'Save and next' }).click()
  await expect(small.getByRole('heading', { name: 'Every file has a date' })).toBeVisible()
  await small.goto('/')
  await small.getByRole('searchbox').fill('before 1940')
  await small.keyboard.press('Enter')
  await expect(small.getByRole('gridcell')).toHaveCount(1)
  await expect(small.getByRole('button', { name: /Before 1940/ })).toBeVisible()
})
