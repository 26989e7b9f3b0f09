import type { Page } from '@playwright/test'
import type { Visitor } from '../server/test/visitor.ts'
import { violations } from './support/axe.ts'
import { delayRequests } from './support/delay-requests.ts'
import { expect, typeInFocusedField } from './support/family.ts'
import { photoName, test } from './support/stocked-library.ts'
import { picture, transformOf, viewer } from './support/viewer.ts'

const atRest = { scale: 1, x: 0, y: 0, turn: 0 }

async function idOf(caller: Visitor, name: string): Promise<number> {
  const answer = await caller.fetch(`/api/media?search=${encodeURIComponent(name)}&limit=1`)
  const { files } = await answer.json()
  return files[0].id
}

/** Opens a file of the stocked library by its link. */
async function openFile(open: (path?: string) => Promise<Page>, caller: Visitor, name: string) {
  const page = await open(`/?file=${await idOf(caller, name)}`)
  await expect(viewer(page, name)).toBeVisible()
  return page
}

const shown = (page: Page) => page.locator('img[data-shown]')
const name = (page: Page) => viewer(page).getByRole('heading').first().textContent()

test('arrows change the photo, plus and minus zoom by half, r rotates; another photo and a double click reset it', async ({
  open,
  stocked,
}) => {
  const page = await openFile(open, stocked.caller, photoName(100))
  await expect(shown(page)).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(viewer(page, photoName(101))).toContainText('101 of 303')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await expect(viewer(page, photoName(99))).toBeVisible()
  await expect.poll(() => transformOf(page)).toEqual(atRest)

  for (const [key, scale] of [
    ['+', 1.5],
    ['=', 2],
    ['-', 1.5],
    ['-', 1],
    ['-', 0.5],
    ['-', 0.5],
  ] as const) {
    await page.keyboard.press(key)
    await expect.poll(async () => (await transformOf(page)).scale).toBe(scale)
  }
  await expect(page.getByRole('button', { name: 'Zoom out' })).toBeDisabled()
  for (let step = 0; step < 12; step++) await page.getByRole('button', { name: 'Zoom in' }).click({ force: true })
  await expect.poll(async () => (await transformOf(page)).scale).toBe(5)

  for (const turn of [90, 180, 270, 0, 90]) {
    await page.keyboard.press('r')
    await expect.poll(async () => (await transformOf(page)).turn).toBe(turn)
  }
  await picture(page).dblclick()
  await expect.poll(() => transformOf(page)).toEqual(atRest)

  // Zoom and rotation are reset when the photo is shown again.
  await page.keyboard.press('+')
  await page.keyboard.press('r')
  await expect.poll(() => transformOf(page)).toMatchObject({ scale: 1.5, turn: 90 })
  await page.keyboard.press('ArrowRight')
  await expect(viewer(page, photoName(100))).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  await expect(viewer(page, photoName(99))).toBeVisible()
  await expect.poll(() => transformOf(page)).toEqual(atRest)

  await page.getByRole('button', { name: 'Rotate' }).click()
  await expect.poll(async () => (await transformOf(page)).turn).toBe(90)
  await page.keyboard.press('ArrowRight')
  await expect(viewer(page, photoName(100))).toBeVisible()
  await expect.poll(() => transformOf(page)).toEqual(atRest)
})

test('a deleted file shows only a message, and one that failed to load can be retried', async ({ open, stocked }) => {
  const page = await open('/?file=999999')
  await expect(viewer(page, 'Not available')).toContainText('This file is not in the library any more.')
  await expect(page.getByText('Failed to load tags and notes')).toHaveCount(0)

  const { files } = await (await stocked.caller.fetch(`/api/media?search=${photoName(250)}&limit=1`)).json()
  await page.route(`**/api/media/${files[0].id}`, route => route.abort())
  await page.goto(`/?file=${files[0].id}`)
  await expect(viewer(page, 'Not available')).toContainText('The library cannot be reached.')
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Retry' }).click()
  await expect(viewer(page, photoName(250))).toContainText('250 of 303')
})

test('shortcuts are off while typing', async ({ open, stocked }) => {
  const page = await openFile(open, stocked.caller, photoName(30))
  const field = page.getByRole('combobox', { name: 'Add a tag' })
  await field.click()
  await typeInFocusedField(page, 'r + -')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowRight')
  await expect(field).toHaveValue('r + -')
  await page.getByRole('button', { name: 'Add note' }).click()
  await typeInFocusedField(page, 'r + ')
  await page.keyboard.press('ArrowLeft')
  await expect(page.getByRole('textbox', { name: 'New note' })).toHaveValue('r + ')
  await expect(viewer(page, photoName(30))).toBeVisible()
  expect(await transformOf(page)).toEqual(atRest)
  await expect(page.getByRole('button', { name: 'Start slideshow' })).toBeVisible()
})

test('Escape closes the interval menu, then full screen, then the photo', async ({ open, stocked }) => {
  const page = await openFile(open, stocked.caller, photoName(30))
  await expect(page.getByRole('complementary', { name: 'Details & Tags' })).toBeVisible()
  await page.getByRole('button', { name: 'Full screen' }).click()
  await expect.poll(() => page.evaluate(() => document.fullscreenElement !== null)).toBe(true)
  await expect(page.getByRole('complementary', { name: 'Details & Tags' })).toHaveCount(0)
  const play = page.getByRole('button', { name: 'Start slideshow' })
  const before = await play.boundingBox()
  await page.getByRole('button', { name: 'Slideshow interval: 3 seconds' }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  // An open menu takes no room in the toolbar.
  expect(await play.boundingBox()).toEqual(before)
  await expect(page.getByRole('menuitemradio')).toHaveText([
    '1 second',
    '2 seconds',
    '3 seconds',
    '5 seconds',
    '10 seconds',
    '15 seconds',
    '30 seconds',
  ])

  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toHaveCount(0)
  expect(await page.evaluate(() => document.fullscreenElement !== null)).toBe(true)
  await page.keyboard.press('Escape')
  await expect.poll(() => page.evaluate(() => document.fullscreenElement !== null)).toBe(false)
  await expect(viewer(page)).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(viewer(page)).toHaveCount(0)
})

test('a slideshow fills the screen without the details, and Escape ends it before it closes the photo', async ({
  open,
  stocked,
}) => {
  const page = await openFile(open, stocked.caller, photoName(40))
  const isFullscreen = () => page.evaluate(() => document.fullscreenElement !== null)
  const panel = page.getByRole('complementary', { name: 'Details & Tags' })
  await expect(panel).toBeVisible()
  await page.getByRole('button', { name: 'Start slideshow' }).click()
  await expect.poll(isFullscreen).toBe(true)
  await expect(panel).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Stop slideshow' })).toBeAttached()
  await page.keyboard.press('Escape')
  await expect.poll(isFullscreen).toBe(false)
  await expect(page.getByRole('button', { name: 'Start slideshow' })).toBeVisible()
  await expect(panel).toBeVisible()

  // A slideshow that began in full screen returns to it.
  await page.getByRole('button', { name: 'Full screen' }).click()
  await expect.poll(isFullscreen).toBe(true)
  await page.keyboard.press(' ')
  await expect(page.getByRole('button', { name: 'Stop slideshow' })).toBeAttached()
  await page.keyboard.press(' ')
  await expect(page.getByRole('button', { name: 'Start slideshow' })).toBeAttached()
  expect(await isFullscreen()).toBe(true)
})

for (const reducedMotion of ['no-preference', 'reduce'] as const) {
  test(`photos of a slideshow fade into each other: ${reducedMotion}`, async ({ open, stocked }) => {
    const page = await open(`/?file=${await idOf(stocked.caller, photoName(45))}`, { reducedMotion })
    await expect(shown(page)).toBeVisible()
    await page.evaluate(() => {
      const faded: string[] = []
      const options = { subtree: true, childList: true, attributes: true, attributeFilter: ['data-fading'] }
      new MutationObserver(() => {
        const image = document.querySelector('.viewer-outgoing[data-fading] img')
        if (image !== null) faded.push(image.getAttribute('src') ?? '')
      }).observe(document.body, options)
      Object.assign(window, { faded })
    })
    await page.getByRole('button', { name: /^Slideshow interval/ }).click()
    await page.getByRole('menuitemradio', { name: '1 second' }).click()
    await page.getByRole('button', { name: 'Start slideshow' }).click()
    await expect.poll(async () => Number(/Photo (\d{3})/.exec((await name(page)) ?? '')?.[1])).toBeGreaterThan(46)
    const faded = await page.evaluate(() => (window as unknown as { faded: string[] }).faded.length)
    if (reducedMotion === 'reduce') expect(faded).toBe(0)
    else expect(faded).toBeGreaterThan(0)
  })
}

test('Escape closes a dialog over the photo, and the photo only with the next press', async ({ open, stocked }) => {
  const page = await openFile(open, stocked.caller, photoName(31))
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Move to folder' }).click()
  const move = page.getByRole('dialog', { name: /^Move/ })
  await expect(move).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(move).toHaveCount(0)
  await expect(viewer(page, photoName(31))).toBeVisible()
  await page.getByRole('button', { name: 'Send to chat' }).click()
  const share = page.getByRole('dialog', { name: /chat/ })
  await expect(share).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(share).toHaveCount(0)
  await expect(viewer(page, photoName(31))).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(viewer(page)).toHaveCount(0)
})

test('a slideshow advances by itself, keeps its interval and stops at a key press', async ({ open, stocked }) => {
  const page = await openFile(open, stocked.caller, photoName(50))
  await page.clock.install()
  await page.getByRole('button', { name: /^Slideshow interval/ }).click()
  await page.getByRole('menuitemradio', { name: '1 second' }).click()
  await expect(page.getByRole('menu')).toHaveCount(0)
  await page.evaluate(() => {
    const awake = new Promise<string>(resolve => {
      const { wakeLock } = navigator
      const request = wakeLock.request.bind(wakeLock)
      wakeLock.request = type => {
        resolve(type ?? '')
        return request(type)
      }
    })
    Object.assign(window, { awake })
  })
  await page.keyboard.press(' ')
  await expect(page.getByRole('button', { name: 'Stop slideshow' })).toBeAttached()
  expect(await page.evaluate(() => (window as unknown as { awake: Promise<string> }).awake)).toBe('screen')
  // Each photo is shown for one second only, so accept any later one.
  await expect.poll(async () => Number(/Photo (\d{3})/.exec((await name(page)) ?? '')?.[1])).toBeGreaterThanOrEqual(52)
  await page.keyboard.press(' ')
  await expect(page.getByRole('button', { name: 'Start slideshow' })).toBeVisible()
  const [stoppedAt = 'no photo'] = /Photo \d{3}/.exec((await name(page)) ?? '') ?? []
  // Longer than the slideshow interval.
  await page.clock.runFor(1_500)
  await expect(viewer(page, stoppedAt)).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Slideshow interval: 1 second' })).toBeVisible()
})

test('a slideshow plays videos to their end and continues with the first file after the last', async ({
  open,
  stocked,
}) => {
  const page = await openFile(open, stocked.caller, 'Film 2.mp4')
  await page.getByRole('button', { name: /^Slideshow interval/ }).click()
  await page.getByRole('menuitemradio', { name: '1 second' }).click()
  await expect(page.getByRole('menu')).toHaveCount(0)
  await page.evaluate(() => {
    const ended: string[] = []
    document.addEventListener('ended', event => ended.push((event.target as Element).ariaLabel ?? ''), true)
    const wayThere = new Promise<{ ended: string[]; arrived: string }>(resolve => {
      const watch = setInterval(() => {
        const arrived = document.querySelector('[role=dialog] [role=status]')?.textContent ?? ''
        if (!arrived.endsWith(', 1 of 303')) return
        clearInterval(watch)
        resolve({ ended: [...new Set(ended)], arrived })
      }, 50)
    })
    Object.assign(window, { wayThere })
  })
  await page.keyboard.press(' ')
  const way = page.evaluate(
    () => (window as unknown as { wayThere: Promise<{ ended: string[]; arrived: string }> }).wayThere,
  )
  const arrived = expect.stringMatching(/Photo 001\.jpg, 1 of 303$/)
  expect(await way).toEqual({ ended: ['Film 2.mp4', 'Film 1.mp4'], arrived })
})

test('a video remembers its volume and position', async ({ open, stocked }) => {
  const page = await openFile(open, stocked.caller, 'Film 3.mp4')
  const film = page.getByLabel('Film 3.mp4', { exact: true }).and(page.locator('video'))
  await film.evaluate(async (video: HTMLVideoElement) => {
    const heard = new Promise(resolve => video.addEventListener('volumechange', resolve, { once: true }))
    video.muted = true
    video.volume = 0.25
    await heard
  })
  await page.keyboard.press('ArrowRight')
  await expect(viewer(page, 'Film 2.mp4')).toBeVisible()
  const other = page.locator('video')
  await expect
    .poll(() => other.evaluate((video: HTMLVideoElement) => [video.muted, video.volume]))
    .toEqual([true, 0.25])

  // The position is remembered only for longer videos than the test has, so it is written to the local storage
  // directly.
  await page.keyboard.press('Escape')
  await expect(viewer(page)).toHaveCount(0)
  const { files } = await (await stocked.caller.fetch('/api/media?search=film%202&limit=1')).json()
  await page.evaluate(id => localStorage.setItem('viewer.positions', JSON.stringify([[id, 1]])), files[0].id)
  await page.goto(`/?file=${files[0].id}`)
  await expect.poll(() => other.evaluate((video: HTMLVideoElement) => video.currentTime)).toBeGreaterThanOrEqual(1)
  await expect(other).toHaveAttribute('poster', /.+/)
})

test('a video being converted shows its progress and appears when it is ready', async ({ open, stocked }) => {
  const film = await idOf(stocked.caller, 'film 1')
  const page = await open()
  const answer = `**/api/media/${film}`
  let converting = true
  // The made-up state is announced by no event, so the page has to poll.
  await page.route('**/api/events*', route => route.abort())
  await page.route(answer, async route => {
    const response = await route.fetch()
    const file = await response.json()
    const json = converting ? { ...file, status: 'processing', progress: 42, url: null } : file
    await route.fulfill({ response, json })
  })
  await page.goto(`/?file=${film}`)
  await expect(page.getByText('This video is still being converted… 42%')).toBeVisible()
  await expect(page.getByRole('progressbar')).toHaveJSProperty('value', 42)
  converting = false
  await expect(page.locator('video')).toBeVisible()
  await page.unrouteAll({ behavior: 'wait' })
})

test('stepping quickly through fifty photos never shows a photo under another’s name', async ({ open, stocked }) => {
  const page = await openFile(open, stocked.caller, photoName(100))
  await expect(shown(page)).toBeVisible()
  await page.evaluate(() => {
    const wrong: string[] = []
    const look = () => {
      const name = document.querySelector('[role=dialog] h2')?.textContent ?? ''
      // Without the blurred placeholders, which have no name.
      for (const image of document.querySelectorAll<HTMLImageElement>(
        '[data-testid=picture] img:not([src^="data:"])',
      )) {
        const of = /Photo\D?(\d{3})/.exec(decodeURIComponent(image.src))?.[1]
        if (of === undefined || !name.includes(of)) wrong.push(`${image.src} under ${name}`)
      }
      requestAnimationFrame(look)
    }
    look()
    Object.assign(window, { wrong })
  })
  for (let turn = 0; turn < 50; turn++) await page.keyboard.press('ArrowRight')
  await expect(viewer(page, photoName(150))).toBeVisible()
  await expect(shown(page)).toHaveAttribute('alt', photoName(150))
  // After fast navigation, no earlier photo is shown under the name of the current one.
  const names = viewer(page).getByRole('heading', { name: /Photo \d/ })
  await expect(names).toHaveText([new RegExp(`, ${photoName(150)}$`), photoName(150)])
  expect(await page.evaluate(() => (window as unknown as { wrong: string[] }).wrong)).toEqual([])
  await expect(page).toHaveURL(`/?file=${await idOf(stocked.caller, photoName(150))}`)
  await page.reload()
  await expect(viewer(page, photoName(150))).toBeVisible()
})

test('the next photo is shown at once, because it was prefetched and decoded', async ({ open, stocked }) => {
  const page = await open('/admin')
  await page.addInitScript(() => {
    const decoded: string[] = []
    const decode = HTMLImageElement.prototype.decode
    HTMLImageElement.prototype.decode = async function (this: HTMLImageElement) {
      await decode.call(this)
      // Images outside the document are prefetched ones.
      if (!this.isConnected) decoded.push(decodeURIComponent(this.src))
    }
    Object.assign(window, { decoded })
  })
  await page.goto(`/?file=${await idOf(stocked.caller, photoName(60))}`)
  await expect(viewer(page, photoName(60))).toBeVisible()
  await expect(shown(page)).toBeVisible()
  const isDecoded = () =>
    (window as unknown as { decoded: string[] }).decoded.some(address => /Photo\D?061/.test(address))
  await expect.poll(() => page.evaluate(isDecoded)).toBe(true)
  const requests: string[] = []
  page.on('request', request => request.resourceType() === 'image' && requests.push(request.url()))
  const shownAtOnce = await page.evaluate(
    () =>
      new Promise<boolean>(resolve => {
        document.addEventListener('keydown', () =>
          requestAnimationFrame(() =>
            requestAnimationFrame(() =>
              resolve(document.querySelector('img[data-shown][alt="Photo 061.jpg"]') !== null),
            ),
          ),
        )
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }))
      }),
  )
  expect(shownAtOnce).toBe(true)
  expect(requests.filter(url => /Photo\D?061/.test(decodeURIComponent(url)))).toEqual([])
})

test('the photo opens with the picture of its tile, its tools have names, the focus stays inside and goes back to the photo’s tile', async ({
  open,
}) => {
  const page = await open()
  const tile = page.getByRole('gridcell', { name: /^Photo 002\.jpg, / })
  const thumbnail = await tile.locator('img[data-loaded]').getAttribute('src')
  const release = await delayRequests(page, 'GET', '**/api/media/*')
  await tile.click()
  // Before anything else of the file has arrived.
  await expect(viewer(page).locator('.viewer-stage img').last()).toHaveAttribute('src', thumbnail ?? '')
  release()
  await expect(viewer(page, photoName(2))).toBeVisible()
  for (let step = 0; step < 40; step++) {
    await page.keyboard.press('Tab')
    // Focus guards at the dialog's edges take the focus for a moment and pass it on.
    await page.waitForFunction(() => document.activeElement?.closest('[role=dialog]') !== null, null, {
      timeout: 20_000,
    })
  }
  // In a field, Escape only leaves the field.
  await viewer(page).getByRole('button', { name: 'Close' }).first().focus()
  await page.keyboard.press('Escape')
  await expect(viewer(page)).toHaveCount(0)
  await expect(tile).toBeFocused()
})

test('the viewer has no accessibility violations', async ({ open, stocked }) => {
  const { files } = await (await stocked.caller.fetch('/api/media?search=photo%20010&limit=1')).json()
  for (const width of [390, 768, 1440]) {
    const page = await open(`/?file=${files[0].id}`, { viewport: { width, height: 900 } })
    await expect(shown(page)).toBeVisible()
    if (width === 390) await page.getByRole('button', { name: 'Show Details & Tags' }).click()
    await page.getByRole('button', { name: 'Add note' }).click()
    await typeInFocusedField(page, 'Hello @')
    await expect(page.getByRole('option', { name: /Ada/ })).toBeVisible()
    expect(await violations(page), `at ${width}`).toEqual([])
    const overflows = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)
    expect(overflows).toBe(false)
    await page.context().close()
  }
})
