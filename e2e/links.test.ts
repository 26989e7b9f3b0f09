import { violations } from './support/axe.ts'
import { expect, test, toast } from './support/family.ts'

test('a member shows photos to somebody without an account, and ends the link', async ({
  deviceOf,
  newDevice,
  insertPhotos,
}) => {
  await insertPhotos('Secret A.jpg', 'Secret B.jpg', 'Secret C.jpg')
  const bens = await deviceOf('Ben Okafor', { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  for (const name of ['A', 'B']) await bens.getByRole('button', { name: `Select Secret ${name}.jpg` }).click()
  await bens.getByRole('button', { name: 'Share by link' }).click()
  const dialog = bens.getByRole('dialog')
  await dialog.getByLabel('Title (guests see it)').fill('Summer in Lisbon')
  await dialog.getByLabel('Password (optional)').fill('sardines')
  expect(await violations(bens)).toEqual([])
  await dialog.getByRole('button', { name: 'Make link' }).click()
  const address = await dialog.getByRole('textbox', { name: 'Address of the link' }).inputValue()
  await dialog.getByRole('button', { name: 'Done' }).click()

  const phone = {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    reducedMotion: 'reduce',
  } as const
  const guests = await newDevice(phone)
  await guests.goto(address)
  await guests.getByLabel('Password').fill('anchovies')
  await guests.getByRole('button', { name: 'Open the link' }).click()
  await expect(guests.getByText('That is not the password.')).toBeVisible()
  await guests.getByLabel('Password').fill('sardines')
  await guests.getByRole('button', { name: 'Open the link' }).click()
  await expect(guests.getByRole('heading', { name: 'Summer in Lisbon' })).toBeVisible()
  const tiles = guests.getByRole('gridcell')
  await expect(tiles).toHaveCount(2)
  await expect(tiles.first().locator('img')).toHaveJSProperty('complete', true)
  await expect(tiles.getByRole('button')).toHaveCount(0)
  expect(await violations(guests)).toEqual([])

  // Oldest first.
  await tiles.first().click()
  const viewer = guests.getByRole('dialog')
  await expect(viewer.getByTestId('picture').locator('img[data-shown]')).toBeVisible()
  await expect(viewer.getByText('1 of 2', { exact: true })).toBeVisible()
  await guests.keyboard.press('ArrowRight')
  await expect(viewer.getByText('2 of 2', { exact: true })).toBeVisible()
  const buttons = viewer.getByRole('toolbar', { name: 'Tools' }).getByRole('button')
  await expect(buttons).toHaveText(['Download', 'More'])
  await expect(guests.getByText('Secret')).toHaveCount(0)
  await guests.goBack()
  await expect(viewer).toHaveCount(0)

  await bens.goto('/links')
  await expect(bens.getByRole('listitem').filter({ hasText: 'Summer in Lisbon' })).toContainText('opened once')
  expect(await violations(bens)).toEqual([])
  await bens.getByRole('button', { name: 'Change link “Summer in Lisbon”' }).click()
  await bens.getByLabel('Title (guests see it)').fill('Summer in Porto')
  await bens.getByRole('button', { name: 'Save' }).click()
  await guests.reload()
  await expect(guests.getByRole('heading', { name: 'Summer in Porto' })).toBeVisible()
  await bens.getByRole('button', { name: 'End link “Summer in Porto”' }).click()
  await expect(toast(bens, 'The link works no more')).toBeVisible()
  await guests.reload()
  await expect(guests.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
})
