import { createAlbum } from '#contract/albums.ts'
import { violations } from './support/axe.ts'
import { callerOn } from './support/caller.ts'
import { expect, test } from './support/family.ts'

const tablet = { width: 820, height: 1_180 }
const sizes = { desktop: { width: 1_440, height: 900 }, tablet }

for (const [device, viewport] of Object.entries(sizes)) {
  test(`one navigation on every page says where one is, and leads to the photos: ${device}`, async ({
    deviceOf,
    insertPhotos,
  }) => {
    const photos = await insertPhotos('A.jpg', 'B.jpg')
    const page = await deviceOf('Ada Okafor', { viewport, reducedMotion: 'reduce' })
    const album = await (await callerOn(page)).call(createAlbum, {
      body: { title: 'Summer', fileIds: photos.map(({ id }) => id) },
    })
    const rail = page.getByRole('navigation', { name: 'Library' })
    const current = {
      '/': 'Photos',
      '/?search=nothing': 'Photos',
      '/?hearted_by=1': 'Favourites',
      '/?sort=added': 'Recently added',
      '/albums': 'Albums',
      [`/albums/${album.id}`]: 'Albums',
      '/memories': 'Memories',
      '/map': 'Map',
      '/places': 'Places',
      '/people': 'People',
      '/people/1': 'People',
      '/undated': 'Undated',
      '/recently-deleted': 'Recently deleted',
      '/guest-uploads': 'Albums',
      '/links': null,
      '/settings': null,
      '/about': null,
      '/admin': null,
      '/admin?tab=activity': null,
    }
    for (const [path, name] of Object.entries(current)) {
      await test.step(path, async () => {
        await page.goto(path)
        const links = rail.getByRole('link')
        const names = ['Photos', 'Albums', 'Memories', 'Map', 'Places', 'People', 'Favourites', 'Recently added']
        await expect(links.filter({ hasText: new RegExp(`^(${names.join('|')})`) })).toHaveCount(names.length)
        await expect(rail.getByRole('treeitem', { name: /^All Files/ })).toBeVisible()
        const marked = rail.locator('a[aria-current="page"]')
        if (name !== null) await expect(marked).toHaveText(new RegExp(`^${name}`))
        else {
          await expect(marked).toHaveCount(0)
          await expect(page.getByRole('banner').locator('[aria-current="page"]')).toHaveCount(1)
        }
        await rail.getByRole('link', { name: 'Photos' }).click()
        await expect(page).toHaveURL('/')
      })
    }
    expect(await violations(page)).toEqual([])
  })
}

for (const viewport of [tablet, { width: 1180, height: 820 }]) {
  test(`on a tablet Log out is in the menu of the person, at ${viewport.width}`, async ({ deviceOf }) => {
    const page = await deviceOf('Ben Okafor', { viewport, hasTouch: true, isMobile: true })
    await expect(page.getByRole('button', { name: /^Notifications/ })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Log out' })).toHaveCount(0)
    await page.getByRole('banner').getByRole('button', { name: 'Ben Okafor' }).tap()
    await page.getByRole('menuitem', { name: 'Log out' }).tap()
    await expect(page).toHaveURL('/login')
  })
}
