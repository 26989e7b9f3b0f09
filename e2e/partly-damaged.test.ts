import { untilPrepared, uploadFile } from '../server/test/fixtures/uploads.ts'
import { drawPhoto } from '../server/test/processing/pictures.ts'
import { callerOn } from './support/caller.ts'
import { expect, test, toast } from './support/family.ts'
import { viewer } from './support/viewer.ts'

test('a truncated photo is marked as damaged in the viewer and listed for admins', async ({ deviceOf }) => {
  const page = await deviceOf('Ada Okafor', { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  const caller = await callerOn(page)
  const whole = await (await drawPhoto(640, 480)).jpeg({ quality: 90 }).toBuffer()
  const half = await uploadFile(caller, { name: 'Half.jpg', bytes: whole.subarray(0, whole.length / 2) })
  const third = await uploadFile(caller, { name: 'Third.jpg', bytes: whole.subarray(0, whole.length / 3) })
  const sound = await uploadFile(caller, { name: 'Sound.jpg', bytes: whole })
  for (const { id } of [half, third, sound]) expect(await untilPrepared(caller, id)).toMatchObject({ status: 'ready' })

  const sentence = page.getByText('Part of this photo is damaged. The original is kept as it arrived.')
  await page.goto(`/?file=${half.id}`)
  await expect(viewer(page, 'Half.jpg')).toBeVisible()
  await expect(sentence).toBeVisible()
  await page.goto(`/?file=${sound.id}`)
  await expect(viewer(page, 'Sound.jpg')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Details' })).toBeVisible()
  await expect(sentence).toHaveCount(0)

  await page.goto('/admin')
  await page.getByRole('tab', { name: 'Failed files 2' }).click()
  const listed = page.getByRole('listitem').filter({ hasText: 'Half.jpg' })
  await expect(listed).toContainText('Partly damaged')
  await expect(page.getByText('Sound.jpg')).toHaveCount(0)
  await page.getByRole('button', { name: 'Try all again' }).click()
  await expect(toast(page, '2 files are being prepared again')).toBeVisible()
})
