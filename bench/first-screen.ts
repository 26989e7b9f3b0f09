/**
 * The first screen of the gallery in a real Chromium, beside a static page with the same pictures, and over a slow line.
 * FILES sets another number; FOLDER uses (and keeps) a library that was seeded before.
 */
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { ensureWebBuilt } from '../scripts/lib/web.mjs'
import { withChromium } from './lib/chromium.ts'
import { type Product, startProduct, untilQuiet } from './lib/product.ts'
import { alternately, line, median } from './lib/report.ts'

const FILES = Number(process.env.FILES ?? 10_000)
const VISITS = 7
const SETTLED_MS = 4_000
const SLOW = { bytesPerSecond: 400_000 / 8, latency: 150 }
const cli = fileURLToPath(new URL('../server/src/cli/main.ts', import.meta.url))

await ensureWebBuilt()
const kept = process.env.FOLDER
const folder = kept ?? (await mkdtemp(join(tmpdir(), 'heirloom-first-screen-')))
try {
  if (kept === undefined) {
    execFileSync(process.execPath, [cli, 'seed', '.', '--count', String(FILES)], {
      env: { ...process.env, DATA_DIR: folder },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  }
  const product = await startProduct({ folder })
  try {
    await untilQuiet(product)
    await withChromium(browser => measureCold(browser, product))
    await withChromium(browser => measureWarm(browser, product))
    await withChromium(browser => measureSlowLine(browser, product))
  } finally {
    await product.stop()
  }
} finally {
  if (kept === undefined) await rm(folder, { recursive: true, force: true })
}

async function device(browser: Browser, product: Product): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await context.addInitScript(kept => localStorage.setItem('auth_token', kept), await product.signIn())
  await context.addInitScript(watch)
  return context
}

interface Watched {
  seen: { skeleton?: number; tiles?: number; all?: number }
}

/** Runs in every page before its own scripts. */
function watch(): void {
  const seen: Watched['seen'] = {}
  const look = () => {
    if (document.querySelector('.skeleton, [data-index]') !== null) seen.skeleton ??= performance.now()
    const tiles = [...document.querySelectorAll('[data-index], .static')].filter(
      tile => tile.getBoundingClientRect().top < window.innerHeight,
    )
    if (tiles.length > 0) seen.tiles ??= performance.now()
    const isShown = (tile: Element) => {
      const image = tile instanceof HTMLImageElement ? tile : tile.querySelector('img')
      return image?.complete === true && image.naturalWidth > 0
    }
    if (tiles.length > 0 && tiles.every(isShown)) seen.all ??= performance.now()
    else requestAnimationFrame(look)
  }
  look()
  Object.assign(window, { seen } satisfies Watched)
}

async function visit(page: Page, address: string, settled = SETTLED_MS): Promise<Required<Watched['seen']>> {
  await page.goto('about:blank')
  await page.goto(address, { waitUntil: 'commit' })
  // No evaluation in the page until then: it would delay a page that is loading.
  await page.waitForTimeout(settled)
  const {
    skeleton = Infinity,
    tiles = Infinity,
    all = Infinity,
  } = await page.evaluate(() => (window as unknown as Watched).seen)
  return { skeleton, tiles, all }
}

async function measureCold(browser: Browser, product: Product): Promise<void> {
  const page = await (await device(browser, product)).newPage()
  const { all } = await visit(page, product.url, 2 * SETTLED_MS)
  line('all thumbnails in sight in a new browser', `${all.toFixed(0)} ms`, '1,000 ms', all <= 1_000)
}

async function measureWarm(browser: Browser, product: Product): Promise<void> {
  const page = await (await device(browser, product)).newPage()
  await visit(page, product.url)
  const pictures = await page
    .locator('[data-index] img[data-loaded]')
    .evaluateAll(images =>
      (images as HTMLImageElement[])
        .filter(image => image.getBoundingClientRect().top < window.innerHeight)
        .map(({ src }) => src),
    )
  const body = pictures.map(
    src => `<img class="static" width="200" height="200" src="${src.replaceAll('&', '&amp;')}">`,
  )
  await page.route('**/static-pictures', route => route.fulfill({ contentType: 'text/html', body: body.join('') }))
  const { ours, limit } = await alternately(
    VISITS,
    async () => (await visit(page, product.url)).all,
    async () => (await visit(page, `${product.url}/static-pictures`)).all,
  )
  const [gallery, bare] = [median(ours), median(limit)]
  const measured = `${gallery.toFixed(0)} ms, a static page with the same ${pictures.length} pictures ${bare.toFixed(0)} ms`
  line('all thumbnails in sight later', measured, 'at most 1.3 times as long', gallery <= 1.3 * bare)
}

async function measureSlowLine(browser: Browser, product: Product): Promise<void> {
  const context = await device(browser, product)
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await cdp.send('Network.enable')
  await cdp.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: SLOW.latency,
    downloadThroughput: SLOW.bytesPerSecond,
    uploadThroughput: SLOW.bytesPerSecond,
  })
  const { skeleton, tiles } = await visit(page, product.url, 30_000)
  line('a skeleton at 400 kbit/s', `${skeleton.toFixed(0)} ms`, '1,500 ms', skeleton <= 1_500)
  line('usable at 400 kbit/s', `${tiles.toFixed(0)} ms`, '8,000 ms', tiles <= 8_000)
}
