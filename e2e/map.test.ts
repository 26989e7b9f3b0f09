import { violations } from './support/axe.ts'
import { expect, test, toast } from './support/family.ts'
import { doubleTap, swipe, touch } from './support/viewer.ts'

const desktop = { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce', locale: 'en-GB' } as const
const phone = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  reducedMotion: 'reduce',
} as const

test('photos get a place by its name, and are on the map and under Places', async ({ insertPhotos, deviceOf }) => {
  await insertPhotos('b.jpg', 'a.jpg')
  const page = await deviceOf('Ben Okafor', desktop)
  await page.getByRole('link', { name: 'Map', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'No photo has a place yet' })).toBeVisible()

  await page.getByRole('link', { name: 'Gallery' }).click()
  for (const name of ['a.jpg', 'b.jpg']) {
    const cell = page.getByRole('gridcell', { name })
    await cell.getByRole('button', { name: /^Select/ }).click()
  }
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Change place' }).click()
  await page.getByRole('searchbox', { name: 'Search for a town or village' }).fill('lisb')
  await expect(page.getByRole('button', { name: /^Lisbon.*Portugal/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Save place' }).click()
  await expect(toast(page, '2 photos: Lisbon, Portugal')).toBeVisible()

  await page.getByRole('link', { name: 'Map', exact: true }).click()
  const places = page.getByRole('list', { name: 'In view' })
  await expect(places.getByRole('button', { name: /Lisbon, Portugal 2 photos/ })).toBeVisible()
  expect(await violations(page)).toEqual([])
  const map = page.getByRole('application')
  await map.focus()
  // Quick presses add up: from 10, the closest view of one place.
  for (let i = 0; i < 3; i++) await page.keyboard.press('-')
  await expect(page).toHaveURL(/at=[^&]*%2C7(&|$)/)
  // A drag that begins on a cluster moves the map, and opens nothing.
  const before = page.url()
  const cluster = await page.locator('.map-cluster').first().boundingBox()
  if (cluster === null) throw new Error('There is no cluster')
  await page.mouse.move(cluster.x + 20, cluster.y + 20)
  await page.mouse.down()
  await page.mouse.move(cluster.x + 120, cluster.y + 60, { steps: 5 })
  await page.mouse.up()
  await expect(page).not.toHaveURL(before)
  await expect(places).toBeVisible()
  await expect(page.getByText('1 place in view with 2 photos')).toBeAttached()
  await places.getByRole('button').first().press('Enter')
  await expect(page.getByRole('heading', { name: 'Photos here 2 files' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'All places in view' })).toBeFocused()
  await page.getByRole('gridcell', { name: 'a.jpg' }).click()
  await expect(page.getByText(/Changed by Ben Okafor/)).toBeAttached()

  const small = await deviceOf('Ben Okafor', phone)
  await small.goto('/places')
  await small.getByRole('link', { name: /^Lisbon 2 photos/ }).click()
  await expect(small.getByRole('gridcell')).toHaveCount(2)
  await expect(small.getByRole('button', { name: 'Remove place Lisbon, Portugal' })).toBeVisible()

  await test.step('on a phone one finger moves the map, two zoom it, and a double tap zooms in', async () => {
    await small.goto('/map?at=38.7,-9.1,6')
    await expect(small.getByText('1 place in view with 2 photos')).toBeAttached()
    const session = await small.context().newCDPSession(small)
    await swipe(session, { x: 60, y: 150 }, { x: 180, y: 150 })
    // 120 px to the west, where a degree has 45.5 px.
    await expect(small).toHaveURL(/at=38\.7%2C-11\.7\d*%2C6(&|$)/)
    const fingers = (apart: number) => [
      { x: 195 - apart, y: 200 },
      { x: 195 + apart, y: 200 },
    ]
    await touch(session, fingers(40), fingers(60), fingers(80), [])
    await expect(small).toHaveURL(/at=[^&]*%2C7(&|$)/)
    await doubleTap(session, { x: 60, y: 150 })
    await expect(small).toHaveURL(/at=[^&]*%2C8(&|$)/)
  })
})
