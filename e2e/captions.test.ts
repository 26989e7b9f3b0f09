import type { Page } from '@playwright/test'
import { violations } from './support/axe.ts'
import { expect, test, toast } from './support/family.ts'

const field = (page: Page) => page.getByRole('textbox', { name: 'Caption' })
const phone = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  reducedMotion: 'reduce',
} as const

test('words below a photo are written in place, undone, and appear in the browser of somebody else', async ({
  deviceOf,
  insertPhotos,
}) => {
  const [photo] = await insertPhotos('Lake.jpg')
  const path = `/?file=${photo?.id ?? 0}`
  const bens = await deviceOf('Ben Okafor', { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  const roses = await deviceOf('Grandma Rose', phone)
  for (const page of [bens, roses]) await page.goto(path)

  await bens.getByRole('button', { name: 'Add a caption' }).click()
  await expect(field(bens)).toBeFocused()
  await field(bens).fill('Thrown away')
  await bens.keyboard.press('Escape')
  await expect(bens.getByRole('button', { name: 'Add a caption' })).toBeFocused()
  await bens.keyboard.press('Enter')
  // Letters are no commands of the viewer there.
  await field(bens).pressSequentially('Granny rides in front')
  await bens.keyboard.press('Enter')
  await expect(toast(bens, 'Caption saved')).toBeVisible()
  const shown = (page: Page) => page.getByRole('dialog').getByText('Granny rides in front', { exact: true }).last()
  await expect(shown(bens)).toBeVisible()
  await expect(shown(roses)).toBeVisible()
  await expect(roses.getByTestId('picture').getByAltText('Granny rides in front').last()).toBeAttached()
  expect(await violations(bens)).toEqual([])

  // On a phone it is above the lower edge, also with the keyboard open.
  await shown(roses).click()
  await roses.setViewportSize({ width: 390, height: 500 })
  await expect(field(roses)).toBeInViewport({ ratio: 1 })
  await field(roses).fill('Granny rides at the back')
  await field(roses).press('Enter')
  await expect(bens.getByRole('dialog').getByText('Granny rides at the back').last()).toBeVisible()

  await roses.getByRole('listitem').filter({ hasText: 'Caption saved' }).getByRole('button', { name: 'Undo' }).click()
  await expect(shown(bens)).toBeVisible()
  await bens.keyboard.press('Escape')
  await expect(bens.getByRole('gridcell', { name: /^Granny rides in front, Lake\.jpg/ })).toBeVisible()
})

test('guests see them only after the maker of the link has chosen it', async ({
  deviceOf,
  newDevice,
  insertPhotos,
}) => {
  const [photo] = await insertPhotos('A.jpg', 'B.jpg')
  const bens = await deviceOf('Ben Okafor', { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  await bens.goto(`/?file=${photo?.id ?? 0}`)
  await bens.getByRole('button', { name: 'Add a caption' }).click()
  await field(bens).fill('A secret of the family')
  await field(bens).press('Enter')
  await expect(toast(bens, 'Caption saved')).toBeVisible()
  await bens.keyboard.press('Escape')
  for (const name of ['A', 'B']) await bens.getByRole('button', { name: `Select ${name}.jpg` }).click()
  await bens.getByRole('button', { name: 'Share by link' }).click()
  const dialog = bens.getByRole('dialog')
  await dialog.getByLabel('Title (guests see it)').fill('Lake')
  await expect(dialog.getByLabel('Show captions')).not.toBeChecked()
  await dialog.getByRole('button', { name: 'Make the link' }).click()
  const address = await dialog.getByRole('textbox', { name: 'Address of the link' }).inputValue()
  await dialog.getByRole('button', { name: 'Done' }).click()

  const guests = await newDevice(phone)
  await guests.goto(address)
  await expect(guests.getByRole('gridcell')).toHaveCount(2)
  expect(await guests.content()).not.toContain('secret')

  await bens.goto('/links')
  await bens.getByRole('button', { name: 'Change link “Lake”' }).click()
  await bens.getByLabel('Show captions').check()
  await bens.getByRole('button', { name: 'Save' }).click()
  await expect(bens.getByText(/shows captions/)).toBeVisible()
  await guests.reload()
  await expect(guests.getByRole('gridcell', { name: /^A secret of the family/ })).toBeVisible()
  await expect(guests.getByRole('gridcell').getByText('A secret of the family').last()).toBeVisible()
  await guests.getByRole('gridcell', { name: /^A secret/ }).click()
  await expect(guests.getByRole('dialog').getByText('A secret of the family', { exact: true }).last()).toBeVisible()
  await expect(guests.getByRole('button', { name: /caption/i })).toHaveCount(0)
  expect(await violations(guests)).toEqual([])
})
