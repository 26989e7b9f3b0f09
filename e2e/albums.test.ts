import { violations } from './support/axe.ts'
import { answer, expect, test, toast } from './support/family.ts'

const desktop = { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce', locale: 'en-GB' } as const
const phone = {
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  isMobile: true,
  reducedMotion: 'reduce',
} as const

test('an album is made from a selection, arranged by mouse and keyboard, and deleted without its photos', async ({
  insertPhotos,
  deviceOf,
}) => {
  await insertPhotos('c.jpg', 'b.jpg', 'a.jpg')
  const page = await deviceOf('Ben Okafor', desktop)
  const cell = (name: string) => page.getByRole('gridcell', { name })
  const undo = (text: string) =>
    page.getByRole('listitem').filter({ hasText: text }).getByRole('button', { name: 'Undo' })
  for (const name of ['a.jpg', 'b.jpg', 'c.jpg']) {
    await cell(name)
      .getByRole('button', { name: /^Select/ })
      .click()
  }
  await page.getByRole('button', { name: 'Add to album' }).click()
  await page.getByRole('button', { name: 'New album' }).click()
  await page.getByLabel('Title').fill('Lisbon')
  await page.getByRole('button', { name: 'Make album' }).click()
  await expect(toast(page, 'Album made')).toBeVisible()

  await page.getByRole('link', { name: 'Albums' }).click()
  await page.getByRole('link', { name: 'Lisbon 3 photos' }).click()
  await expect(page.getByRole('heading', { name: 'Lisbon', level: 1 })).toBeVisible()
  await expect(page.getByText(/17\s?–\s?19 June 2024/)).toBeVisible()

  const more = page.getByRole('button', { name: 'More actions of the album' })
  const expectOrder = async (...names: string[]) => {
    for (const [i, name] of names.entries()) {
      await expect(cell(`${i + 1} of ${names.length}`)).toHaveAccessibleName(new RegExp(name))
    }
  }
  await more.click()
  await page.getByRole('menuitemradio', { name: 'By hand' }).click()
  await expect(toast(page, 'Album changed')).toBeVisible()
  await expect(page.getByText('Drag photos to arrange them')).toBeVisible()
  await cell('c.jpg').dragTo(cell('a.jpg'), { targetPosition: { x: 4, y: 40 } })
  await expectOrder('c.jpg', 'a.jpg', 'b.jpg')
  await cell('c.jpg').focus()
  await page.keyboard.press('Alt+ArrowRight')
  await expectOrder('a.jpg', 'c.jpg', 'b.jpg')
  await expect(cell('c.jpg')).toBeFocused()
  await undo('Order changed').first().click()
  await expectOrder('c.jpg', 'a.jpg', 'b.jpg')

  await page.getByRole('button', { name: 'Actions for a.jpg' }).click()
  await page.getByRole('menuitem', { name: 'Remove from album' }).click()
  await expectOrder('c.jpg', 'b.jpg')
  await undo('Removed 1 photo from the album').click()
  await expectOrder('c.jpg', 'a.jpg', 'b.jpg')

  await page.getByRole('button', { name: 'Actions for a.jpg' }).click()
  await page.getByRole('menuitem', { name: 'Remove from album' }).click()
  await expectOrder('c.jpg', 'b.jpg')
  await page.getByRole('button', { name: 'Add photos' }).click()
  await expect(page.getByLabel('Choose photos for “Lisbon”')).toBeVisible()
  await cell('a.jpg').click()
  await page.getByRole('button', { name: 'Add 1 to “Lisbon”' }).click()
  await expectOrder('c.jpg', 'b.jpg', 'a.jpg')

  await test.step('on a phone a photo is held, and follows the finger', async () => {
    const held = await deviceOf('Ben Okafor', phone)
    await held.goto(new URL(page.url()).pathname)
    const boxOf = async (name: string) => {
      const tile = held.getByRole('gridcell', { name })
      await tile.scrollIntoViewIfNeeded()
      return (await tile.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    }
    const [from, to] = [await boxOf('a.jpg'), await boxOf('c.jpg')]
    const finger = await held.context().newCDPSession(held)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
      finger.send('Input.dispatchTouchEvent', { type, touchPoints })
    await touch('touchStart', { x: from.x + 40, y: from.y + 40 })
    await expect(held.getByRole('gridcell', { name: 'a.jpg', selected: true })).toBeVisible()
    await touch('touchMove', { x: to.x + 20, y: to.y + 40 })
    await touch('touchMove', { x: to.x + 4, y: to.y + 40 })
    await touch('touchEnd')
    await expect(toast(held, 'Order changed')).toBeVisible()
    await expectOrder('a.jpg', 'c.jpg', 'b.jpg')
  })

  await more.click()
  await page.getByRole('menuitem', { name: 'Delete album' }).click()
  expect(await answer(page, true)).toBe(
    'The album “Lisbon” is deleted. No photo is: all of them stay in the library. You can undo this.',
  )
  await expect(page.getByText('No albums yet')).toBeVisible()
  await undo('Album deleted').click()
  await expect(page.getByRole('link', { name: 'Lisbon 3 photos' })).toBeVisible()
})

test('on a phone a search is saved as an album, which has its photos on the first screen and comments', async ({
  insertPhotos,
  deviceOf,
}) => {
  await insertPhotos('sea.jpg', 'hill.jpg', 'seagull.jpg')
  const page = await deviceOf('Grandma Rose', phone)
  await page.goto('/?search=sea')
  await page.getByRole('button', { name: 'Save as album' }).tap()
  await page.getByLabel('Title').fill('Seaside')
  await page.getByLabel('Text').fill('A week of rain, and one day of sun.\n'.repeat(20))
  await page.getByRole('button', { name: 'Make album' }).tap()
  await expect(page.getByText('Shows everything that matches: “sea”')).toBeVisible()
  await expect(page.getByText('2 photos ·')).toBeVisible()
  await expect(page.getByRole('gridcell')).toHaveCount(2)
  const photo = await page.getByRole('gridcell', { name: 'sea.jpg' }).boundingBox()
  expect(photo?.y).toBeLessThan(500)

  await page.getByRole('button', { name: 'Add comment' }).tap()
  await page.getByRole('textbox', { name: 'Comment' }).fill('What a day')
  await page.getByRole('button', { name: 'Save' }).tap()
  await expect(page.getByRole('listitem').filter({ hasText: 'What a day' })).toBeVisible()
  expect(await violations(page)).toEqual([])

  await page.getByRole('link', { name: 'Change the search' }).tap()
  const bar = page.getByRole('region', { name: 'what “Seaside” should show' })
  await expect(bar).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save as album' })).toHaveCount(0)
  await page.getByRole('searchbox').fill('')
  await expect(bar).toContainText('Choose at least one filter')
  await page.getByRole('searchbox').fill('seagull')
  await expect(page.getByRole('gridcell')).toHaveCount(1)
  await bar.getByRole('button', { name: 'Save' }).tap()
  await expect(page.getByRole('heading', { name: 'Seaside' })).toBeVisible()
  await expect(page.getByRole('gridcell')).toHaveCount(1)
  const changed = page.getByRole('listitem').filter({ hasText: 'Album changed' })
  await changed.getByRole('button', { name: 'Undo' }).tap()
  await expect(page.getByRole('gridcell')).toHaveCount(2)

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Albums' }).tap()
  await expect(page.getByRole('link', { name: 'Seaside Updates by itself 2 photos' })).toBeVisible()
  expect(await violations(page)).toEqual([])
})
