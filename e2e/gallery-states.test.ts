import type { Page, Route } from '@playwright/test'
import { createFolder } from '#contract/folders.ts'
import { Grid, type GridRow } from '#contract/grid.ts'
import { labelMismatches, violations } from './support/axe.ts'
import { callerOn } from './support/caller.ts'
import { test as empty, expect } from './support/family.ts'
import { test } from './support/stocked-library.ts'

const desktop = { width: 1440, height: 900 }
const tablet = { width: 768, height: 1024 }
const phone = { width: 390, height: 844 }
const tile = (page: Page, name: string) => page.getByRole('gridcell', { name: new RegExp(`^${name}, `) })

empty('an empty library and an empty folder say how to begin', async ({ deviceOf }) => {
  const page = await deviceOf('Ada Okafor')
  await expect(page.getByRole('heading', { name: 'No photos or videos yet' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('button', { name: 'Upload Files' })).toHaveCount(2)
  await expect(page.getByRole('heading', { name: 'All Files 0 files' })).toBeVisible()
  await expect(page.getByRole('slider')).toHaveCount(0)
  expect(await violations(page)).toEqual([])

  const caller = await callerOn(page)
  const { id } = await caller.call(createFolder, { body: { name: 'Later' } })
  await page.goto(`/?folder=${id}`)
  await expect(page.getByRole('heading', { name: 'This folder is empty' })).toBeVisible()
  await page.getByRole('button', { name: 'Show all files' }).click()
  await expect(page).toHaveURL('/')
})

test('what fails to load while the page opens says so, and is loaded later', async ({ open }) => {
  const page = await open('/admin')
  await test.step('a spinner is shown while loading, and an error with Retry if the server does not answer', async () => {
    let answering = false
    const looked = Promise.withResolvers<void>()
    await page.route('**/api/start*', route => route.abort())
    await page.route('**/api/media/timeline*', async route => {
      if (answering) return route.continue()
      await looked.promise
      await route.abort()
    })
    await page.goto('/', { waitUntil: 'commit' })
    await expect(page.getByRole('status').filter({ hasText: 'Loading…' }).last()).toBeVisible()
    looked.resolve()
    await expect(page.getByRole('heading', { name: 'The photos did not come through' })).toBeVisible()
    await expect(page.getByText(/The library cannot be reached/)).toBeVisible()
    answering = true
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(tile(page, 'Photo 001.jpg')).toBeVisible()
  })
  await test.step('pages of the list that fail to load show an error, and Retry loads them', async () => {
    await page.unrouteAll()
    await page.goto('/admin')
    let answering = false
    await page.route('**/api/start*', route => route.abort())
    await page.route('**/api/media/grid?*', route => (answering ? route.continue() : route.abort()))
    await page.goto('/')
    await expect(page.getByText('Some photos did not load.')).toBeVisible()
    answering = true
    await page.getByRole('button', { name: 'Retry' }).click()
    await expect(tile(page, 'Photo 001.jpg')).toBeVisible()
    await expect(page.getByText('Some photos did not load.')).toHaveCount(0)
  })
  await test.step('thumbnails that failed while the server could not be reached are loaded when it is back', async () => {
    await page.unrouteAll()
    await page.goto('/admin')
    const failed = page.waitForEvent('requestfailed', request => /\/api\/media\/\d+$/.test(request.url()))
    await page.route(/\/files\/variants\/|\/api\/media\/\d+$|\/healthz/, route => route.abort())
    await page.goto('/')
    await failed
    await page.unrouteAll()
    await expect(tile(page, 'Photo 001.jpg').locator('img[data-loaded]')).toBeVisible({ timeout: 15_000 })
  })
  await test.step('a failed thumbnail is retried once, then replaced by the full photo; a video has no preview', async () => {
    await page.unrouteAll()
    await page.goto('/admin')
    const asked: string[] = []
    page.on('request', request => asked.push(new URL(request.url()).pathname))
    await page.route(/\/files\/variants\//, route => route.abort())
    await page.goto('/?sort=name')
    await expect(tile(page, 'Film 1.mp4').getByText('No preview')).toBeVisible()
    const photo = tile(page, 'Photo 001.jpg').locator('img[data-loaded]')
    await expect(photo).toBeVisible()
    expect(new URL((await photo.getAttribute('src')) ?? '', page.url()).pathname).toContain('/files/originals/')
    expect(asked.filter(path => /^\/api\/media\/\d+$/.test(path)).length).toBeGreaterThan(0)
  })
})

test('while offline, or while the server does not answer, the page stays and says so', async ({ open }) => {
  const page = await open()
  await test.step('while offline the page stays as it is and says so', async () => {
    await expect(tile(page, 'Photo 001.jpg')).toBeVisible()
    await page.context().setOffline(true)
    await expect(page.getByText(/You’re offline/)).toBeVisible()
    await expect(tile(page, 'Photo 001.jpg')).toBeVisible()
    await page.getByRole('searchbox').fill('beach')
    await expect(page.getByRole('heading', { name: 'The photos did not come through' })).toBeVisible()
    await expect(page.getByText('The files could not be counted.')).toBeVisible()
    await expect(page.getByRole('button', { name: /^Images/ })).toContainText('300')

    // Nobody has to press anything when the connection is back.
    await page.getByRole('searchbox').fill('Photo 001')
    await page.context().setOffline(false)
    await expect(page.getByText(/You’re offline/)).toHaveCount(0)
    await expect(tile(page, 'Photo 001.jpg')).toBeVisible()
  })
  await test.step('a server that does not answer is reported on every screen, and failed requests are repeated when it is back', async () => {
    await page.goto('/')
    await expect(tile(page, 'Photo 001.jpg')).toBeVisible()
    const banner = page.getByText('The library can’t be reached. Trying again…')
    await page.route(/\/(api|auth|healthz)/, route => route.abort())
    await page.getByRole('searchbox').fill('Photo 002')
    await expect(banner).toBeInViewport()
    await expect(page.getByRole('heading', { name: 'The photos did not come through' })).toBeVisible()
    await page.getByRole('button', { name: 'Upload Files' }).first().click()
    await expect(page.getByRole('dialog', { name: 'Upload Media Files' })).toBeVisible()
    await expect(banner).toBeInViewport()
    await page.keyboard.press('Escape')
    await page.unrouteAll()
    await expect(banner).toHaveCount(0, { timeout: 15_000 })
    await expect(tile(page, 'Photo 002.jpg')).toBeVisible()
  })
})

/** Passes the server's files through with a state of the first one, which has no pictures then. */
async function withFirst(route: Route, state: Partial<GridRow>): Promise<void> {
  const response = await route.fetch()
  const grid = Grid.parse(await response.json())
  const files = grid.files.map(file =>
    file.original_name === 'Photo 001.jpg' ? { ...file, thumbnail: null, mobile: null, ...state } : file,
  )
  await route.fulfill({ response, json: { ...grid, files } })
}

test('a tile shows that its photo is loading, being prepared or failed', async ({ open }) => {
  const page = await open('/admin')
  await test.step('a loading photo shows its colour, then a blurred preview, and never grey', async () => {
    const released = Promise.withResolvers<void>()
    await page.route('**/files/**', async route => {
      await released.promise
      await route.continue()
    })
    // Do not wait for the load event: it waits for the images, which this test delays.
    await page.goto('/', { waitUntil: 'commit' })
    const photo = tile(page, 'Photo 001.jpg').locator('.photo')
    await expect(photo).toHaveAttribute('style', /background-color: rgb\(/)
    await expect(photo).toHaveCSS('background-image', /^url\("data:image\/png;base64,/)
    await expect(photo.locator('img')).toHaveCSS('opacity', '0')
    released.resolve()
    await expect(photo.locator('img')).toHaveCSS('opacity', '1')
  })
  await test.step('a file being prepared shows its progress, and a failed one the reason', async () => {
    await page.unrouteAll()
    await page.goto('/admin')
    await page.route('**/api/start*', route => route.abort())
    await page.route('**/api/media/grid?*', route => withFirst(route, { status: 'processing', progress: 40 }))
    await page.goto('/')
    await expect(tile(page, 'Photo 001.jpg')).toContainText('Preparing 40%')
    await expect(tile(page, 'Photo 001.jpg')).toHaveAccessibleName(/Preparing 40%/)

    await page.unroute('**/api/media/grid?*')
    const failed = { status: 'failed', failure_reason: 'The file ends in the middle.' } as const
    await page.route('**/api/media/grid?*', route => withFirst(route, failed))
    await page.reload()
    await expect(tile(page, 'Photo 001.jpg')).toContainText('The file ends in the middle.')
    await expect(tile(page, 'Photo 001.jpg')).toHaveAccessibleName(/The file ends in the middle\./)
    expect(await labelMismatches(page)).toEqual([])
  })
})

test('on a phone the filters are behind one button, and the figures scroll sideways', async ({ open }) => {
  const page = await open('/', { viewport: phone, hasTouch: true, isMobile: true })
  await expect(page.getByRole('combobox')).toHaveCount(0)
  const figures = page.getByRole('list', { name: 'The library in figures' })
  // The line that they are in scrolls.
  expect(
    await figures.evaluate(list => {
      const scrolls = (element: Element | null): boolean =>
        element !== null &&
        ((element.scrollWidth > element.clientWidth && /auto|scroll/.test(getComputedStyle(element).overflowX)) ||
          scrolls(element.parentElement))
      return scrolls(list)
    }),
  ).toBe(true)
  await page.getByRole('button', { name: 'Filters' }).tap()
  await page.getByRole('combobox', { name: 'Type' }).tap()
  await page.getByRole('option', { name: 'Videos Only' }).tap()
  await expect(page).toHaveURL('/?type=video')
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
})

const views: Record<string, (page: Page) => Promise<void>> = {
  'the grid with a selection': async page => {
    await page.goto('/')
    await tile(page, 'Photo 002.jpg').click({ modifiers: ['Control'] })
    await expect(page.getByText('1 selected')).toBeVisible()
  },
  'the grid with names': async page => {
    await page.goto('/?names=on')
    await expect(tile(page, 'Photo 001.jpg')).toBeVisible()
  },
  'films with names': async page => {
    await page.goto('/?type=video&names=on')
    await expect(tile(page, 'Film 3.mp4')).toContainText('0:03')
  },
  'the list': async page => {
    await page.goto('/')
    await page.evaluate(() =>
      localStorage.setItem('gallery-view', '{"view":"list","density":{"squares":0,"proportions":0}}'),
    )
    await page.reload()
    await expect(page.getByRole('row', { name: /^Photo 001/ })).toBeVisible()
    await page.evaluate(() => localStorage.removeItem('gallery-view'))
  },
  'a file’s menu': async page => {
    await page.goto('/')
    await tile(page, 'Photo 001.jpg').focus()
    await page.keyboard.press('Shift+F10')
    await expect(page.getByRole('menuitem', { name: 'Delete' })).toBeVisible()
  },
  'nothing found': async page => {
    await page.goto('/?search=nothing+like+it&type=video')
    await expect(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible()
  },
  'an open photo': async page => {
    await page.goto('/')
    await tile(page, 'Photo 001.jpg').click()
    await expect(page.getByRole('dialog')).toBeVisible()
  },
}

test('the gallery has no accessibility violations', async ({ open }) => {
  const page = await open('/', { viewport: desktop })
  for (const [device, viewport] of Object.entries({ phone, tablet, desktop })) {
    await page.setViewportSize(viewport)
    for (const [name, go] of Object.entries(views)) {
      await test.step(`${device}: ${name}`, async () => {
        await go(page)
        expect(await violations(page)).toEqual([])
      })
    }
  }
})
