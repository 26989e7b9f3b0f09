import { untilPrepared, uploadFile } from '../server/test/fixtures/uploads.ts'
import { drawPhoto, loseBlock } from '../server/test/processing/pictures.ts'
import { violations } from './support/axe.ts'
import { callerOn } from './support/caller.ts'
import { expect, test, toast } from './support/family.ts'
import { choose, openDialog } from './support/upload.ts'
import { viewer } from './support/viewer.ts'

const desktop = { width: 1440, height: 900 }
const draw = async (seed: number) => (await drawPhoto(640, 480, seed)).jpeg({ quality: 90 }).toBuffer()

test('a damaged photo is marked in the gallery and the viewer, and listed for admins', async ({ deviceOf }) => {
  const page = await deviceOf('Ada Okafor', { viewport: desktop, reducedMotion: 'reduce' })
  const caller = await callerOn(page)
  const whole = await draw(1)
  const half = await uploadFile(caller, { name: 'Holed.jpg', bytes: loseBlock(whole) })
  const third = await uploadFile(caller, { name: 'Third.jpg', bytes: whole.subarray(0, whole.length / 3) })
  const sound = await uploadFile(caller, { name: 'Sound.jpg', bytes: whole })
  for (const { id } of [half, third, sound]) expect(await untilPrepared(caller, id)).toMatchObject({ status: 'ready' })

  const sentence = page.getByText('Part of this photo is damaged. The original is kept as it arrived.')
  await page.goto(`/?file=${half.id}`)
  await expect(viewer(page, 'Holed.jpg')).toBeVisible()
  await expect(sentence).toBeVisible()
  await page.goto(`/?file=${sound.id}`)
  await expect(viewer(page, 'Sound.jpg')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Details' })).toBeVisible()
  await expect(sentence).toHaveCount(0)

  await page.goto('/')
  await expect(page.getByRole('gridcell', { name: /^Holed\.jpg.*Partly damaged/ })).toContainText('Partly damaged')
  await expect(page.getByRole('gridcell', { name: /^Third\.jpg.*Incomplete/ })).toContainText('Incomplete')
  await expect(page.getByRole('gridcell', { name: /^Sound\.jpg/ })).not.toContainText(/damaged|Incomplete/)

  await page.goto('/admin')
  await page.getByRole('tab', { name: 'Failed files 2' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Holed.jpg' })).toContainText('Partly damaged')
  await expect(page.getByRole('listitem').filter({ hasText: 'Third.jpg' })).toContainText('Incomplete')
  await expect(page.getByText('Sound.jpg')).toHaveCount(0)
  await page.getByRole('button', { name: 'Try all again' }).click()
  await expect(toast(page, '2 files are being prepared again')).toBeVisible()
})

test('the receipt says which uploaded files are incomplete, and that their originals should be kept', async ({
  deviceOf,
}) => {
  const page = await deviceOf('Ben Okafor', { viewport: desktop, reducedMotion: 'reduce' })
  const [whole, other] = [await draw(2), await draw(3)]
  const cut = { name: 'Cut.jpg', mimeType: 'image/jpeg', buffer: whole.subarray(0, whole.length / 2) }
  const text = { name: 'Text.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('not a photo at all') }
  await page.goto('/')
  const dialog = await openDialog(page)
  await choose(dialog, [cut, { name: 'Whole.jpg', mimeType: 'image/jpeg', buffer: other }, text])
  await dialog.getByRole('button', { name: 'Upload 3 Files' }).click()
  // One message about all of them.
  const result = page.locator('[data-sonner-toast]').filter({ hasText: 'Processed 2 files, 1 failed' })
  await expect(result).toContainText('1 file incomplete. Look at the receipt before you delete anything.')
  await expect(page.locator('[data-sonner-toast]').filter({ hasText: 'incomplete' })).toHaveCount(1)
  const receipt = dialog.getByRole('region', { name: 'Receipt' })
  await expect(receipt).toContainText('1 file is incomplete')
  await expect(receipt).toContainText('Cut.jpg: This file is incomplete: its end is missing.')
  await expect(receipt).toContainText('Keep the original on your device, and try uploading it again.')
  await expect(receipt).toContainText('1 file safe in the library')
  expect(await violations(page)).toEqual([])

  // The same bytes again are not safe either.
  await dialog.getByRole('button', { name: 'Done' }).click()
  const again = await openDialog(page)
  await choose(again, cut)
  await expect(again.getByRole('region', { name: 'Receipt' })).toContainText(
    'Cut.jpg: This file is incomplete, in the library too: its end is missing.',
  )
})
