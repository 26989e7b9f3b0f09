/**
 * A slideshow of 200 photos that fill the screen, in a real Chromium: whether memory stays flat from the first round
 * to the last, and whether the next photo is shown at once after an arrow key. FILES and ROUNDS set other numbers.
 */
import type { Browser, CDPSession, Page } from '@playwright/test'
import { ensureWebBuilt } from '../scripts/lib/web.mjs'
import { makeClientPictures, makePicture } from '../server/test/fixtures/pictures.ts'
import { photoForm, send } from '../server/test/fixtures/uploads.ts'
import { visitor } from '../server/test/visitor.ts'
import { withChromium } from './lib/chromium.ts'
import { type Product, residentMb, startProduct } from './lib/product.ts'
import { line, median } from './lib/report.ts'

const FILES = Number(process.env.FILES ?? 200)
const ROUNDS = Number(process.env.ROUNDS ?? 3)

await ensureWebBuilt()
const product = await startProduct()
try {
  const token = await product.signIn()
  await addPhotos(product, token)
  await withChromium(browser => measure(browser, product, token))
} finally {
  await product.stop()
}

async function addPhotos({ url }: Product, token: string): Promise<void> {
  const caller = visitor(new URL(url), token, 'straight')
  for (let number = 0; number < FILES; number++) {
    const bytes = await makePicture({ width: 1_800, height: 1_200, number })
    const dateTimeOriginal = new Date(Date.UTC(2024, 0, 1) + number * 86_400_000).toISOString().slice(0, 19)
    const fields = { metadata: { dateTimeOriginal } }
    await send(caller, photoForm(`Photo ${number}.jpg`, bytes, await makeClientPictures(bytes), fields))
  }
}

async function measure(browser: Browser, { url }: Product, token: string): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await context.addInitScript(kept => localStorage.setItem('auth_token', kept), token)
  await context.addInitScript(() => localStorage.setItem('viewer.interval', '1'))
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await page.goto(url)
  await page.getByRole('gridcell').first().click()
  await page.locator('img[data-shown]').waitFor()
  await measureTurns(page)
  await measureRounds(page, cdp, await browser.newBrowserCDPSession())
}

/** From the key to the decoded photo, by the page's own clock. */
async function measureTurns(page: Page): Promise<void> {
  const times: number[] = []
  for (let turn = 0; turn < 20; turn++) {
    // A person looks at a photo for a moment, in which its neighbours are preloaded.
    await page.waitForTimeout(300)
    times.push(
      await page.evaluate(
        () =>
          new Promise<number>(resolve => {
            const before = document.querySelector('img[data-shown]')?.getAttribute('src')
            const began = performance.now()
            const look = () => {
              const now = document.querySelector('img[data-shown]')?.getAttribute('src')
              if (now !== undefined && now !== before) resolve(performance.now() - began)
              else requestAnimationFrame(look)
            }
            document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }))
            look()
          }),
      ),
    )
  }
  const measured = `${median(times).toFixed(0)} ms, ${Math.max(...times).toFixed(0)} ms at most`
  line('from an arrow key to the next photo', measured, '100 ms', median(times) <= 100)
}

/** Rounds of the slideshow with a mocked clock, so that the intervals take no real time. */
async function measureRounds(page: Page, cdp: CDPSession, whole: CDPSession): Promise<void> {
  await page.clock.install()
  await page.keyboard.press(' ')
  const [heaps, totals]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    for (let photo = 0; photo < FILES; photo++) {
      const before = await page.locator('img[data-shown]').first().getAttribute('src')
      await page.clock.runFor(1_100)
      await page.waitForFunction(
        src => {
          const now = document.querySelector('img[data-shown]')?.getAttribute('src')
          return now !== undefined && now !== src
        },
        before,
        { polling: 20, timeout: 30_000 },
      )
    }
    await cdp.send('HeapProfiler.collectGarbage')
    heaps.push((await cdp.send('Runtime.getHeapUsage')).usedSize / 1024 ** 2)
    totals.push(await browserMb(whole))
  }
  report('script memory after each round, in MB', heaps, 1.2)
  report('memory of the browser after each round, in MB', totals, 1.25)
}

/** Decoded pictures are not in the JavaScript heap, so the memory of all browser processes is measured. */
async function browserMb(cdp: CDPSession): Promise<number> {
  const { processInfo } = await cdp.send('SystemInfo.getProcessInfo')
  const each = await Promise.all(processInfo.map(({ id }) => residentMb(id)))
  return each.reduce((sum, mb) => sum + mb, 0)
}

function report(name: string, times: readonly number[], most: number): void {
  const [first = 0, last = 0] = [times[0], times.at(-1)]
  line(`${name} of ${FILES} photos`, times.map(time => time.toFixed(0)).join(' '), 'flat', last <= first * most)
}
