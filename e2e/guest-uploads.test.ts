import { writeFile } from 'node:fs/promises'
import { createAlbum } from '#contract/albums.ts'
import { createUploadLink } from '#contract/links.ts'
import { makePicture } from '../server/test/fixtures/pictures.ts'
import { violations } from './support/axe.ts'
import { callerOn } from './support/caller.ts'
import { expect, test, toast } from './support/family.ts'

test('guests send photos by a link, and a member takes them into the album or not', async ({
  deviceOf,
  newDevice,
}, info) => {
  const bens = await deviceOf('Ben Okafor', { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  await bens.goto('/albums')
  await bens.getByRole('button', { name: 'New album' }).first().click()
  await bens.getByLabel('Title').fill('Wedding')
  await bens.getByRole('button', { name: 'Make album' }).click()
  await expect(bens.getByRole('heading', { name: 'Wedding', level: 1 })).toBeVisible()
  await bens.getByRole('button', { name: 'More actions of the album' }).click()
  await bens.getByRole('menuitem', { name: 'Ask guests for photos' }).click()
  const dialog = bens.getByRole('dialog')
  await expect(dialog.getByLabel('How much guests can send')).toBeVisible()
  expect(await violations(bens)).toEqual([])
  await dialog.getByRole('button', { name: 'Make the link' }).click()
  const address = await dialog.getByRole('textbox', { name: 'Address of the link' }).inputValue()
  await dialog.getByRole('button', { name: 'Done' }).click()

  const toms = await newDevice({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    reducedMotion: 'reduce',
  })
  await toms.goto(address)
  await toms.getByLabel('What is your name?').fill('Tom')
  await toms.getByRole('button', { name: 'Continue' }).click()
  await expect(toms.getByText('You are sending as Tom.')).toBeVisible()
  await expect(toms.getByRole('button', { name: 'Change name' })).toBeFocused()
  // On disk, so that they have the same date when they are chosen again.
  const files = [info.outputPath('cake.jpg'), info.outputPath('dance.jpg')]
  for (const [i, path] of files.entries()) await writeFile(path, await makePicture({ width: 81 + i }))
  await toms.locator('input[type=file]').setInputFiles(files)
  await expect(toms.getByText('Thank you! 2 photos sent.')).toBeVisible()
  // Changing the name forgets nothing of what was sent.
  await toms.getByRole('button', { name: 'Change name' }).click()
  await toms.getByRole('button', { name: 'Continue' }).click()
  await expect(toms.getByText('You are sending as Tom.')).toBeVisible()
  await expect(toms.getByText('Thank you! 2 photos sent.')).toBeVisible()
  expect(await violations(toms)).toEqual([])
  // Still the same guest after a reload.
  await toms.reload()
  await expect(toms.getByRole('heading', { name: 'What you have sent (2)' })).toBeVisible()
  // What has arrived is not sent again.
  await toms.locator('input[type=file]').setInputFiles(files)
  await expect(toms.getByText('2 photos had already arrived, so they were skipped.')).toBeVisible()

  // By live updates, without a reload.
  await expect(bens.getByText('2 photos from guests are waiting')).toBeVisible()
  await bens.getByRole('link', { name: 'Look at them' }).click()
  const tile = (name: string) => bens.getByRole('button', { name: `${name}, from Tom` })
  await expect(tile('cake.jpg')).toBeVisible()
  expect(await violations(bens)).toEqual([])
  // The list for all albums names them.
  await bens.goto('/guest-uploads')
  await expect(bens.getByRole('button', { name: 'cake.jpg, from Tom, for Wedding' })).toBeVisible()
  await bens.getByRole('button', { name: 'Show dance.jpg large' }).click()
  await expect(bens.getByRole('dialog').getByText('for Wedding')).toBeVisible()
  await bens.goBack()
  await bens.getByRole('button', { name: 'Show dance.jpg large' }).click()
  await bens.keyboard.press('n')
  await expect(toast(bens, '1 photo not added')).toBeVisible()
  await expect(bens.getByRole('dialog').getByRole('heading', { name: 'cake.jpg' })).toBeVisible()
  await bens.keyboard.press('Escape')
  // The tile that opened the large view is gone.
  await expect(tile('cake.jpg')).toBeFocused()
  await bens.getByRole('listitem').filter({ hasText: 'not added' }).getByRole('button', { name: 'Undo' }).click()
  await expect(tile('dance.jpg')).toBeVisible()
  // Messages stay and are spread out, over Select all, while the pointer rests on one.
  await bens.mouse.move(700, 700)
  await tile('dance.jpg').focus()
  await bens.keyboard.press('n')
  await expect(tile('dance.jpg')).toHaveCount(0)
  await expect(tile('cake.jpg')).toBeFocused()
  await bens.getByRole('button', { name: 'Select all' }).click()
  await bens.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(toast(bens, '1 photo added')).toBeVisible()
  await expect(bens.getByText('No new photos')).toBeVisible()
  await bens.getByRole('link', { name: 'Back to the album' }).click()
  const cell = bens.getByRole('gridcell', { name: 'cake.jpg' })
  await cell.click()
  await expect(bens.getByText('added by Tom (guest)')).toBeVisible()
})

test('guests see what they have sent before the server has made its picture', async ({ deviceOf, newDevice }) => {
  const ben = await callerOn(await deviceOf('Ben Okafor'))
  const album = await ben.call(createAlbum, { body: { title: 'Wedding' } })
  const { url } = await ben.call(createUploadLink, { params: { id: album.id }, body: {} })
  const toms = await newDevice({ viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' })
  // As if nothing that was sent had its picture yet, for as long as the guest looks.
  await toms.route(/\/shared\/\d+\/uploads(\?|$)/, async route => {
    if (route.request().method() !== 'GET') return route.continue()
    const answer = await route.fetch()
    if (!answer.ok()) return route.fulfill({ response: answer })
    const sent: object[] = await answer.json()
    await route.fulfill({ response: answer, json: sent.map(file => ({ ...file, picture: false })) })
  })
  await toms.goto(url ?? '')
  await toms.getByLabel('What is your name?').fill('Tom')
  await toms.getByRole('button', { name: 'Continue' }).click()
  const buffer = await makePicture({ width: 320, height: 240 })
  await toms.locator('input[type=file]').setInputFiles({ name: 'cake.jpg', mimeType: 'image/jpeg', buffer })
  const sent = toms.getByRole('region', { name: 'What you have sent (1)' }).getByRole('listitem')
  await expect(sent).toContainText('cake.jpg')
  const pixel = () =>
    sent.locator('canvas').evaluate((canvas: HTMLCanvasElement) => {
      const middle = canvas.getContext('2d')?.getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data
      return middle?.[3]
    })
  await expect.poll(pixel).toBe(255)
  // Another visit has no such file.
  await toms.reload()
  await expect(sent).toContainText('cake.jpg')
  await expect(sent.locator('canvas')).toHaveCount(0)
})
