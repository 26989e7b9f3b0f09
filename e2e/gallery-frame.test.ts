import type { Locator, Page } from '@playwright/test'
import { createAlbum } from '#contract/albums.ts'
import { createFolder, type Folder, updateFolder } from '#contract/folders.ts'
import { correctPlaces } from '#contract/places.ts'
import { untilPrepared, uploadFile } from '../server/test/fixtures/uploads.ts'
import { visitor } from '../server/test/visitor.ts'
import { callerOn } from './support/caller.ts'
import { test as empty, expect, signIn } from './support/family.ts'
import { tokenOf } from './support/session.ts'
import { test } from './support/stocked-library.ts'

const desktop = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }
const screens = {
  phone,
  'a turned phone': { width: 844, height: 390 },
  'a tablet': { width: 820, height: 1_180 },
  'a desktop at 200 %': { width: 720, height: 450 },
  desktop,
  'a large desktop': { width: 2560, height: 1440 },
}

/** In pixels from the top, at most. */
const firstPhotoBegins: Record<string, number> = {
  phone: 200,
  'a turned phone': 150,
  'a tablet': 200,
  'a desktop at 200 %': 150,
  desktop: 170,
  'a large desktop': 170,
}

const firstPhoto = (page: Page) => page.locator('[data-index="0"]')
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search' })
const chat = (page: Page) => page.getByRole('button', { name: /^Chat/ })

async function boxOf(part: Locator) {
  const box = await part.boundingBox()
  if (box === null) throw new Error('It is not visible')
  return { ...box, right: box.x + box.width, bottom: box.y + box.height }
}

test('choosing a view moves no control, and another folder clears a filter but not the order', async ({
  open,
  stocked,
}) => {
  const page = await open('/', { viewport: desktop })
  await test.step('choosing a view moves no control, and the list leaves the chat button a lane', async () => {
    await expect(firstPhoto(page)).toBeVisible()
    const controls = page.getByRole('search').getByRole('button')
    const places = () => controls.evaluateAll(all => all.map(control => control.getBoundingClientRect().toJSON()))
    const before = await places()
    await page.getByRole('button', { name: 'List', exact: true }).click()
    await expect(page.getByRole('columnheader', { name: 'Size' })).toBeVisible()
    expect(await places()).toEqual(before)
    await expect(page.getByRole('button', { name: 'Smaller photos' })).toBeDisabled()
    expect(await coveredByChat(page)).toEqual([])
    const [header, cell] = [
      page.getByRole('columnheader', { name: 'Size' }).getByText('Size'),
      firstPhoto(page).locator('td').nth(4),
    ]
    const textLeft = (part: Locator) =>
      part.evaluate(element => {
        const range = document.createRange()
        range.selectNodeContents(element)
        return range.getBoundingClientRect().left
      })
    expect(await textLeft(header)).toBeCloseTo(await textLeft(cell), 0)
  })
  await test.step('a filter is cleared by changing folders, the order is kept', async () => {
    await page.goto('/?search=photo&type=image&sort=name')
    await page.getByRole('treeitem', { name: /^Beach/ }).click()
    await expect(page).toHaveURL(`/?folder=${stocked.folder.id}&sort=name`)
    await expect(search(page)).toHaveValue('')
    await expect(page.getByRole('heading', { name: 'Folder: Beach 10 files' })).toBeVisible()
  })
})

test('searching and filtering move nothing in the toolbar, and the toolbar stays in view', async ({ open }) => {
  for (const viewport of [desktop, phone]) {
    const page = await open('/', { viewport })
    await expect(firstPhoto(page)).toBeVisible()
    const before = await boxOf(search(page))
    const firstPhotoBefore = await boxOf(firstPhoto(page))
    await search(page).fill('photo 30')
    const showing = page.getByText('Showing 4 files for “photo 30”', { exact: true })
    await expect(showing).toBeVisible()
    expect(await boxOf(search(page))).toEqual(before)
    expect(await boxOf(firstPhoto(page))).toEqual(firstPhotoBefore)
    const clear = page.getByRole('button', { name: 'Clear filters' })
    await expect(clear).toBeInViewport({ ratio: 1 })
    await expect(search(page)).toBeFocused()
    await search(page).fill('jpg')
    await expect(page.getByText('Showing 300 files for “jpg”', { exact: true })).toBeVisible()
    await firstPhoto(page).hover()
    await page.mouse.wheel(0, 5_000)
    await expect(firstPhoto(page)).toHaveCount(0)
    await expect(page.getByText('Showing 300 files', { exact: true })).toBeInViewport({ ratio: 1 })
    await clear.click({ trial: true })
    await page.mouse.wheel(0, -9_000)
    await search(page).fill('photo 30')
    await expect(showing).toBeVisible()
    await page.getByRole('button', { name: /^Videos/ }).click()
    await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible()
    expect(await boxOf(search(page))).toEqual(before)
    await page.getByRole('button', { name: 'Clear filters' }).first().click()
    await expect(page).toHaveURL('/')
    expect(await boxOf(search(page))).toEqual(before)

    await firstPhoto(page).hover()
    await page.mouse.wheel(0, 5_000)
    await expect(firstPhoto(page)).toHaveCount(0)
    await expect(search(page)).toBeInViewport()

    // A list after an empty one starts at its top, not where the one before was scrolled.
    await search(page).fill('no such photo')
    await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible()
    await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
    await search(page).fill('jpg')
    await expect(firstPhoto(page)).toBeInViewport()
    await page.context().close()
  }
})

test('on every screen photos begin near the top, and the chat button covers no control and no year', async ({
  open,
}) => {
  const page = await open('/', { viewport: desktop })
  for (const [name, viewport] of Object.entries(screens)) {
    await test.step(name, async () => {
      await page.setViewportSize(viewport)
      await page.goto('/')
      await expect(firstPhoto(page)).toBeVisible()
      const { y, bottom } = await boxOf(firstPhoto(page))
      expect(y).toBeLessThanOrEqual(firstPhotoBegins[name] ?? 0)
      if (name === 'a desktop at 200 %') expect(bottom).toBeLessThanOrEqual(viewport.height)
      if (name === 'a large desktop') expect((await boxOf(page.getByRole('grid'))).right).toBeGreaterThan(2_560 * 0.95)
      await expect(chat(page)).toBeInViewport()
      expect(await coveredByChat(page)).toEqual([])
      expect(await overlappingYears(page)).toEqual([])
      await page.goto('/?folder=999999')
      await expect(page.getByRole('button', { name: 'Show all files' })).toBeVisible()
      expect(await coveredByChat(page)).toEqual([])
    })
  }
})

test('on a phone the tab bar leads everywhere, also to the chat', async ({ open, stocked }) => {
  const page = await open('/', { viewport: phone, hasTouch: true, isMobile: true })
  const tabs = page.getByRole('navigation', { name: 'Main' })
  await expect(tabs.getByRole('link', { name: 'Photos' })).toHaveAttribute('aria-current', 'page')
  const currentColour = () =>
    tabs.getByRole('link', { name: 'Photos' }).evaluate(link => getComputedStyle(link).getPropertyValue('color'))
  const colour = await currentColour()
  await expect(tabs.locator(':is(a, button)')).toHaveText(['Photos', 'Albums', 'Memories', 'More', 'Chat'])
  // The last tab opens the chat; nothing floats over the photos.
  await expect(tabs.getByRole('button').last()).toHaveAccessibleName(/^Chat/)
  await expect(chat(page)).toHaveCount(1)
  expect((await boxOf(tabs)).bottom).toBe(phone.height)
  // Pulling down at the top does not reload the page.
  await expect(page.locator('html')).toHaveCSS('overscroll-behavior-y', 'contain')
  await page.getByRole('button', { name: 'Filters' }).tap()
  await page.getByRole('button', { name: 'List', exact: true }).tap()
  await page.getByRole('button', { name: 'Close filters' }).tap()
  await expect(page.getByRole('button', { name: 'Actions for Photo 001.jpg' })).toBeVisible()

  await tabs.getByRole('button', { name: 'More' }).tap()
  const menu = page.getByRole('menu')
  await expect(menu.getByRole('menuitem', { name: 'Log out' })).toBeVisible()
  await menu.getByRole('menuitem', { name: 'Map' }).tap()
  await expect(page).toHaveURL(/\/map/)
  // The map is in this menu, and not one of the albums.
  await expect(tabs.getByRole('button', { name: 'More' })).toHaveAttribute('data-current')
  await expect(tabs.getByRole('link', { name: 'Albums' })).not.toHaveAttribute('aria-current')
  await tabs.getByRole('button', { name: 'More' }).tap()
  await menu.getByRole('menuitem', { name: 'Admin' }).tap()
  await expect(page).toHaveURL(/\/admin/)

  await tabs.getByRole('button', { name: 'More' }).tap()
  await menu.getByRole('menuitem', { name: 'Folders' }).tap()
  await page
    .getByRole('dialog', { name: 'Folders' })
    .getByRole('treeitem', { name: /^Beach/ })
    .tap()
  await expect(page).toHaveURL(`/?folder=${stocked.folder.id}`)
  const head = page.getByRole('banner')
  await head.getByRole('button', { name: 'Upload' }).tap()
  const upload = page.getByRole('dialog', { name: 'Upload Media Files' })
  await expect(upload).toBeVisible()
  await page.keyboard.press('Escape')
  await head.getByRole('button', { name: /^Notifications/ }).tap()
  await expect(page.getByRole('dialog', { name: 'Notifications' })).toBeVisible()
  await tabs.getByRole('link', { name: 'Photos' }).tap()
  await expect(page).toHaveURL('/')
  // The style sheet of the upload dialog, loaded by now, overrides nothing.
  await expect.poll(currentColour).toBe(colour)

  // Held sideways, it has its tabs on the left.
  await page.setViewportSize(screens['a turned phone'])
  await expect.poll(() => boxOf(tabs)).toMatchObject({ x: 0, y: 0, bottom: 390 })
  expect((await boxOf(search(page))).x).toBeGreaterThan((await boxOf(tabs)).right)
})

empty('a folder shows the folders in it, with their files counted, and the way up', async ({ deviceOf }) => {
  const page = await deviceOf('Ben Okafor', { viewport: desktop })
  const caller = await callerOn(page)
  const make = (name: string, parent_id: number | null) => caller.call(createFolder, { body: { name, parent_id } })
  const trips = await make('Trips', null)
  const norway = await make('Norway', trips.id)
  const oslo = await make('Oslo', norway.id)
  const { id } = await uploadFile(caller, { name: 'fjord.jpg', folderId: oslo.id })
  await untilPrepared(caller, id)

  await page.goto(`/?folder=${trips.id}&sort=name`)
  await expect(page.getByRole('heading', { name: 'Folder: Trips 1 file in its folders' })).toBeVisible()
  await expect(page.getByText('This folder is empty')).toHaveCount(0)
  const card = page.getByRole('region', { name: 'Folders in Trips' }).getByRole('link', { name: 'Norway, 1 file' })
  await expect(card.locator('img')).toHaveJSProperty('complete', true)
  await card.click()
  await expect(page).toHaveURL(`/?folder=${norway.id}&sort=name`)
  await page.getByRole('link', { name: 'Oslo, 1 file' }).click()
  await expect(page.getByRole('heading', { name: 'Folder: Oslo 1 file' })).toBeVisible()
  const path = page.getByRole('navigation', { name: 'Path to this folder' })
  await expect(path.getByRole('listitem')).toHaveText(['All Files (Root)', 'Trips', 'Norway'])
  await path.getByRole('link', { name: 'Trips' }).click()
  await expect(page).toHaveURL(`/?folder=${trips.id}&sort=name`)

  // On a phone one link leads up.
  await page.setViewportSize(phone)
  await page.goto(`/?folder=${oslo.id}`)
  await path.getByRole('link', { name: 'Up to Norway' }).click()
  await expect(page.getByRole('heading', { name: 'Folder: Norway 1 file in its folders' })).toBeVisible()

  // A long count gives way to the name.
  await caller.call(updateFolder, { params: { id: norway.id }, body: { name: 'Great-grandparents' } })
  const name = page.getByTitle('Folder: Great-grandparents')
  await expect(name).toBeVisible()
  expect(await name.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0)
})

empty(
  'the heading of the list is whole, and a folder’s photos begin where those of the gallery do',
  async ({ deviceOf, library, serverHost }) => {
    const caller = visitor(new URL(library.url), await tokenOf(library.url, 'ada'), 'straight')
    const folders: Folder[] = []
    for (const name of ['Beach', 'Grandmother’s birthday in Lagos', 'W'.repeat(100)]) {
      folders.push(await caller.call(createFolder, { body: { name, parent_id: folders.at(-1)?.id ?? null } }))
    }
    const photosOf = (folderId: number | null) =>
      [1, 2, 3].map(number => {
        const name = `Photo ${folderId ?? ''}-${number}.jpg`
        return { name, width: 64, height: 48, dateTimeOriginal: `2024-06-1${number}T12:30:00`, folderId }
      })
    const easter = await caller.call(createFolder, {
      body: { name: 'Easter at the lake', parent_id: folders[0]?.id ?? null },
    })
    await serverHost.insertPhotos(library, [null, ...[...folders, easter].map(({ id }) => id)].flatMap(photosOf))
    const page = await deviceOf('Ada Okafor', { viewport: desktop })
    const heading = page.getByRole('heading', { level: 2, name: /^(All Files|Folder: )/ })

    async function expectWhole() {
      // A cut text is wider than its element. A count of millions would fit, too; the path to the folder gives way.
      const { isCut, room } = await heading.evaluate(element => {
        const parts = [element, ...element.querySelectorAll('*')]
        const line = element.closest('.list-line')?.clientWidth ?? 0
        const isCut = parts.some(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth && clientWidth > 0)
        return { isCut, room: line - element.getBoundingClientRect().width }
      })
      expect(isCut).toBe(false)
      expect(room).toBeGreaterThan(60)
      const { x, y, width, height } = await boxOf(heading)
      const covered = await page.evaluate(
        points => points.filter(([x, y]) => !document.elementFromPoint(x, y)?.closest('h2')),
        [0.01, 0.5, 0.99].map(part => [x + part * width, y + height / 2] as const),
      )
      expect(covered).toEqual([])
    }

    const filters = ['', 'type=image', 'sort=name&type=image&search=photo', 'year=2024&type=image&search=nothing']
    for (const width of [1_024, 1_280, 1_366, 1_440, 1_920]) {
      await test.step(`${width} pixels`, async () => {
        await page.setViewportSize({ width, height: 800 })
        for (const filter of filters) {
          for (const folder of [null, ...folders.slice(0, 2)]) {
            await page.goto(folder === null ? `/?${filter}` : `/?folder=${folder.id}&${filter}`)
            await expect(heading).toContainText(/\d files?/)
            await expectWhole()
          }
        }
      })
    }
    await test.step('with files selected', async () => {
      await page.setViewportSize({ width: 1_280, height: 800 })
      await page.goto('/')
      await firstPhoto(page).hover()
      await firstPhoto(page)
        .getByRole('button', { name: /^Select/ })
        .click()
      await expect(page.getByRole('region', { name: 'Selected files' })).toBeVisible()
      await expectWhole()
    })
    await test.step('a longer name has the whole line', async () => {
      await page.goto(`/?folder=${folders[2]?.id}`)
      const widths = async () => [await boxOf(page.locator('.list-line')), await boxOf(heading)].map(box => box.width)
      await expect.poll(async () => Math.abs((await widths()).reduce((line, shown) => line - shown))).toBeLessThan(1)
      await expect(heading.getByText('3 files')).toBeInViewport({ ratio: 1 })
    })
    for (const [name, viewport] of Object.entries(screens)) {
      await test.step(`photos begin at the same height: ${name}`, async () => {
        await page.setViewportSize(viewport)
        await page.goto('/')
        await expect(firstPhoto(page)).toBeVisible()
        const { y } = await boxOf(firstPhoto(page))
        await page.goto(`/?folder=${easter.id}`)
        await expect(firstPhoto(page)).toBeVisible()
        expect(Math.abs((await boxOf(firstPhoto(page))).y - y)).toBeLessThan(1)
      })
    }
  },
)

empty(
  'an empty library invites: an admin to everything, a member to what they can do',
  async ({ newDevice, deviceOf }) => {
    const page = await deviceOf('Ada Okafor', { viewport: desktop, permissions: ['clipboard-read', 'clipboard-write'] })
    const step = (name: string) =>
      page
        .getByRole('main')
        .locator('section')
        .filter({ has: page.getByRole('heading', { name }) })
    await expect(step('Add your first photos').getByRole('button', { name: 'Upload Files' })).toBeVisible()
    await expect(step('Import a folder').getByRole('textbox')).toHaveValue('npm run import -- ~/Pictures')

    // A cousin who opens the link of an invitation and signs in is in at once.
    await step('Invite the family').getByRole('button', { name: 'New invitation' }).click()
    const dialog = page.getByRole('dialog')
    await dialog
      .getByLabel('What may they do?')
      .selectOption({ label: 'Viewer: sees everything, chats and writes notes' })
    await dialog.getByRole('button', { name: 'Make the link' }).click()
    await dialog.getByRole('button', { name: 'Copy link' }).click()
    await expect(dialog.getByRole('button', { name: 'Copied' })).toBeVisible()
    const link = await page.evaluate(() => navigator.clipboard.readText())
    const kofis = await newDevice()
    await kofis.goto(link)
    await expect(kofis.getByRole('region', { name: 'Invitation' })).toContainText('Ada Okafor invites you to Heirloom')
    await expect(kofis).toHaveURL('/login')
    await kofis.getByRole('button', { name: 'Continue with Google' }).click()
    await kofis.getByRole('button', { name: 'Kofi Mensah' }).click()
    await expect(kofis.getByRole('heading', { name: 'Invite the family' })).toBeVisible()
    await expect(kofis.getByRole('heading', { name: 'Add your first photos' })).toHaveCount(0)
    await page.goto('/admin?tab=invitations')
    await expect(page.getByRole('listitem').filter({ hasText: 'Anyone who has the link' })).toContainText('used once')

    const bens = await deviceOf('Ben Okafor', { viewport: desktop })
    await expect(bens.getByRole('heading', { name: 'Invite the family' })).toBeVisible()
    await expect(bens.getByRole('heading', { name: 'Import a folder' })).toHaveCount(0)
  },
)

empty(
  'at the end of every page nothing that can be tapped is under the chat button or the tabs',
  async ({ newDevice, deviceOf, insertPhotos, library }) => {
    const photos = await insertPhotos(...Array.from({ length: 15 }, (_, i) => `Photo ${i}.jpg`))
    const caller = visitor(new URL(library.url), await tokenOf(library.url, 'ada'), 'straight')
    for (const { id } of photos) {
      const place = { latitude: 38.7 + id / 4, longitude: -9.1 + id }
      await caller.call(correctPlaces, { body: { fileIds: [id], place } })
    }
    const album = await caller.call(createAlbum, { body: { title: 'Summer', fileIds: photos.map(({ id }) => id) } })
    for (const name of ['Kofi Mensah', 'Inês Duarte'] as const) await signIn(await newDevice(), name)
    const page = await deviceOf('Ada Okafor', { reducedMotion: 'reduce' })
    const sizes = [
      phone,
      { width: 360, height: 640 },
      screens['a turned phone'],
      { width: 768, height: 1_024 },
      desktop,
    ]
    const main = page.getByRole('main')
    const heading = page.getByRole('heading', { level: 1 })
    const shown = {
      '/': firstPhoto(page),
      '/?sort=name': firstPhoto(page),
      '/?search=nothing': main.getByRole('heading', { name: 'Nothing found' }),
      '/albums': main.getByRole('link', { name: /^Summer/ }),
      [`/albums/${album.id}`]: firstPhoto(page),
      '/map': main.getByRole('list', { name: 'In view' }).getByRole('button').first(),
      '/places': main.getByRole('link', { name: /photo/ }).first(),
      '/undated': heading,
      '/memories': heading,
      '/people/1': heading,
      '/links': heading,
      '/guest-uploads': heading,
      '/recently-deleted': heading,
      '/settings': heading,
      '/admin': main.getByRole('button', { name: /^Deny/ }).first(),
      '/admin?tab=approved': main.getByText('Ada Okafor').first(),
      '/admin?tab=activity': main.getByRole('listitem').first(),
    }
    for (const [path, part] of Object.entries(shown)) {
      await test.step(path, async () => {
        await page.goto(path)
        await expect(part).toBeVisible()
        for (const viewport of sizes) {
          await page.setViewportSize(viewport)
          // The layout of another size may be rendered later, and what is below the screen as well.
          await expect(async () => {
            await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight))
            expect(await coveredByChat(page, { atEnd: true })).toEqual([])
          }).toPass({ timeout: 45_000 })
        }
      })
    }
  },
)

/** The controls and years under the chat button. Photos are no controls: they scroll out from under it, but at the end. */
function coveredByChat(page: Page, { atEnd = false } = {}): Promise<string[]> {
  return chat(page).evaluate((chatButton, atEnd) => {
    // The tab bar as a whole covers what is under the chat's tab.
    const button = chatButton.closest('nav') ?? chatButton
    const chat = button.getBoundingClientRect()
    /** The middle and the length. */
    const overlap = (a: number, b: number, c: number, d: number): [number, number] => {
      const [from, to] = [Math.max(a, c), Math.min(b, d)]
      return [(from + to) / 2, to - from]
    }
    const parts = document.querySelectorAll<HTMLElement>(
      'button, a, input, select, textarea, summary, [role=slider], [role=gridcell], .scrubber-year',
    )
    return [...parts]
      .filter(part => part !== button && !button.contains(part) && (atEnd || !part.closest('[role=gridcell]')))
      .filter(part => part.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
      .filter(part => {
        const { left, right, top, bottom } = part.getBoundingClientRect()
        const [x, width] = overlap(left, right, chat.left, chat.right)
        const [y, height] = overlap(top, bottom, chat.top, chat.bottom)
        // A part may be scrolled out of its list.
        return width > 0 && height > 0 && document.elementsFromPoint(x, y).includes(part)
      })
      .map(part => part.outerHTML.slice(0, 120))
  }, atEnd)
}

function overlappingYears(page: Page): Promise<string[]> {
  return page.locator('.scrubber-year').evaluateAll(labels =>
    labels
      .map(label => ({ text: label.textContent, ...label.getBoundingClientRect().toJSON() }))
      .sort((a, b) => a.top - b.top)
      .filter((label, i, all) => i > 0 && label.top < all[i - 1].bottom)
      .map(({ text }) => text),
  )
}
