import type { Locator } from '@playwright/test'
import decodeQR from 'qr/decode.js'
import sharp from 'sharp'
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
  await dialog.getByRole('button', { name: 'Make the link' }).click()
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
  await expect(toast(bens, 'Link ended. It no longer works.')).toBeVisible()
  await guests.reload()
  await expect(guests.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
})

/** What a reader of QR codes sees: the picture on the screen. */
async function decode(code: Locator): Promise<string> {
  const { data, info } = await sharp(await code.screenshot())
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return decodeQR({ width: info.width, height: info.height, data })
}

const desktop = { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' } as const

test('one tap on Share copies a link, the same one the next time, until it is ended', async ({
  deviceOf,
  newDevice,
  insertPhotos,
}) => {
  const [photo] = await insertPhotos('Boat.jpg')
  const bens = await deviceOf('Ben Okafor', { ...desktop, permissions: ['clipboard-read', 'clipboard-write'] })
  const copied = () => bens.evaluate(() => navigator.clipboard.readText())
  await bens.goto(`/?file=${photo?.id}`)
  const share = bens.getByRole('dialog').getByRole('button', { name: 'Share', exact: true })
  await share.click()
  await expect(toast(bens, 'Link copied')).toBeVisible()
  const messages = bens.getByRole('region', { name: 'Messages' })
  const address = await copied()
  const guests = await newDevice(desktop)
  await guests.goto(address)
  await expect(guests.getByRole('heading', { name: 'A photo for you' })).toBeVisible()

  await bens.evaluate(() => navigator.clipboard.writeText(''))
  await share.click()
  await expect.poll(copied).toBe(address)

  // The options belong to this link; the toast is still there when the viewer is closed.
  await bens.keyboard.press('Escape')
  await messages.getByRole('button', { name: 'Options' }).first().click()
  const options = bens.getByRole('dialog', { name: 'Change link' })
  await expect(options.getByRole('checkbox', { name: /Guests may download the originals/ })).not.toBeChecked()
  expect(await violations(bens)).toEqual([])
  await options.getByLabel('Title (guests see it)').fill('Our boat')
  await options.getByRole('button', { name: 'Save' }).click()
  await guests.reload()
  await expect(guests.getByRole('heading', { name: 'Our boat' })).toBeVisible()

  await bens.goto(`/?file=${photo?.id}`)
  await share.click()
  await messages.getByRole('button', { name: 'End link' }).first().click()
  await expect(toast(bens, 'Link ended. It no longer works.')).toBeVisible()
  await guests.reload()
  await expect(guests.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
})

test('the menu of the device is used for sharing where there is one', async ({ deviceOf, insertPhotos }) => {
  const [photo] = await insertPhotos('Boat.jpg')
  const bens = await deviceOf('Ben Okafor', { ...desktop, viewport: { width: 390, height: 844 }, hasTouch: true })
  await bens.addInitScript(() => {
    const sent: unknown[] = []
    Object.assign(navigator, { share: async (data: unknown) => void sent.push(data), sent })
  })
  await bens.goto(`/?file=${photo?.id}`)
  await bens.getByRole('dialog').getByRole('button', { name: 'Share', exact: true }).click()
  await expect(toast(bens, 'Link sent')).toBeVisible()
  const sent = await bens.evaluate(() => (navigator as unknown as { sent: unknown[] }).sent)
  expect(sent).toEqual([{ url: expect.stringMatching(/\/s#\d+\.[\w-]{43}$/) }])
})

test('the photo itself is sent where the device can, in the size of the viewer, and else a link is offered', async ({
  deviceOf,
  insertPhotos,
}) => {
  const [photo] = await insertPhotos('Boat.jpg')
  const bens = await deviceOf('Ben Okafor', { ...desktop, viewport: { width: 390, height: 844 }, hasTouch: true })
  await bens.addInitScript(() => {
    const sent: unknown[] = []
    const answers = ['NotAllowedError', undefined]
    const share = async ({ files = [], url }: ShareData) => {
      // Loading took longer than the browser remembers the tap.
      const refusal = files.length > 0 ? answers.shift() : undefined
      if (refusal) throw new DOMException('The tap was too long ago', refusal)
      sent.push(url ?? files.map(({ name, type, size }) => [name, type, size > 0]))
    }
    Object.assign(navigator, { share, canShare: () => true, sent })
  })
  await bens.goto(`/?file=${photo?.id}`)
  const share = bens.getByRole('dialog').getByRole('button', { name: 'Share', exact: true })
  await share.click()
  await bens.getByRole('menuitem', { name: 'Send the photo' }).click()
  await bens.getByRole('button', { name: 'Send now' }).click()
  const sent = () => bens.evaluate(() => (navigator as unknown as { sent: unknown[] }).sent)
  await expect.poll(sent).toEqual([[['Boat.jpg', 'image/jpeg', true]]])

  await share.click()
  await bens.getByRole('menuitem', { name: 'Send a link' }).click()
  await expect(toast(bens, 'Link sent')).toBeVisible()
  expect((await sent())[1]).toMatch(/\/s#\d+\.[\w-]{43}$/)

  await bens.route('**/variants/**', route => route.abort())
  await bens.reload()
  await share.click()
  await bens.getByRole('menuitem', { name: 'Send the photo' }).click()
  await expect(toast(bens, 'It could not be sent')).toBeVisible()
  await expect(bens.getByRole('button', { name: 'Send a link' })).toBeVisible()
})

test('without access to the clipboard the link is shown, selected', async ({ deviceOf, insertPhotos }) => {
  const [photo] = await insertPhotos('Boat.jpg')
  const bens = await deviceOf('Ben Okafor', desktop)
  await bens.addInitScript(() => {
    navigator.clipboard.write = () => Promise.reject(new DOMException('Write permission denied.', 'NotAllowedError'))
  })
  await bens.goto(`/?file=${photo?.id}`)
  await bens.getByRole('dialog').getByRole('button', { name: 'Share', exact: true }).click()
  const field = bens.getByRole('textbox', { name: 'Address of the link' })
  await expect(field).toHaveValue(/\/s#\d+\.[\w-]{43}$/)
  const selected = await field.evaluate((input: HTMLInputElement) => input.selectionEnd === input.value.length)
  expect(selected).toBe(true)
})

test('a link is shown again with a QR code that opens it, on a phone in dark mode too', async ({
  deviceOf,
  insertPhotos,
}) => {
  await insertPhotos('Boat.jpg', 'Lake.jpg')
  const bens = await deviceOf('Ben Okafor', {
    ...desktop,
    permissions: ['clipboard-read', 'clipboard-write'],
    colorScheme: 'dark',
  })
  for (const name of ['Boat', 'Lake']) await bens.getByRole('button', { name: `Select ${name}.jpg` }).click()
  await bens.getByRole('button', { name: 'Share by link' }).click()
  const dialog = bens.getByRole('dialog')
  await dialog.getByLabel('Title (guests see it)').fill('Summer')
  await dialog.getByRole('button', { name: 'Make the link' }).click()
  await expect(dialog.getByRole('button').first()).toHaveText('Copy link')
  const address = await dialog.getByRole('textbox', { name: 'Address of the link' }).inputValue()
  await dialog.getByRole('button', { name: 'QR code' }).click()
  const code = dialog.getByRole('img', { name: 'QR code that opens the link “Summer”' })
  expect(await decode(code)).toBe(address)
  const saved = bens.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Save as a picture' }).click()
  expect((await saved).suggestedFilename()).toBe('QR code Summer.png')
  expect(await violations(bens)).toEqual([])

  await bens.goto('/links')
  // No list has the secret.
  expect(await bens.content()).not.toContain(address.split('.').at(-1))
  await bens.getByRole('button', { name: 'Copy link “Summer”' }).click()
  await expect(toast(bens, 'Link copied')).toBeVisible()
  expect(await bens.evaluate(() => navigator.clipboard.readText())).toBe(address)
  await bens.setViewportSize({ width: 390, height: 844 })
  expect(await violations(bens)).toEqual([])
  await bens.getByRole('button', { name: 'QR code of link “Summer”' }).click()
  expect(await decode(code)).toBe(address)
  await expect(dialog.getByRole('textbox', { name: 'Address of the link' })).toHaveValue(address)
})
