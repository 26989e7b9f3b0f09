/**
 * The gallery over 100,000 files in a real Chromium: time to the first thumbnails, number of DOM elements,
 * long frames (compared with a page of bare pictures), and whether memory stays flat; and the timeline request, also with
 * 30,000 files in one month.
 * FILES sets another number; FOLDER uses (and keeps) a library that was seeded before.
 */
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import type { Browser, CDPSession, Page } from '@playwright/test'
import type { MediaFile } from '#contract/media.ts'
import { ensureWebBuilt } from '../scripts/lib/web.mjs'
import { drawBareGrid } from './lib/bare-grid.ts'
import { withChromium } from './lib/chromium.ts'
import { type Product, startProduct, untilQuiet } from './lib/product.ts'
import { line, median } from './lib/report.ts'

const FILES = Number(process.env.FILES ?? 100_000)
const JUMPS = 20
const TRIPS = 10
const FULL_MONTH = 30_000
const cli = fileURLToPath(new URL('../server/src/cli/main.ts', import.meta.url))

await ensureWebBuilt()
const kept = process.env.FOLDER
const folder = kept ?? (await mkdtemp(join(tmpdir(), 'heirloom-grid-')))
try {
  if (kept === undefined) seed()
  await withProduct(async product => {
    await untilQuiet(product)
    await measureIndex(product, `of ${FILES.toLocaleString('en')} files`)
    await withChromium(browser => measureGrid(browser, product))
  })
  const undo = fillMonth()
  await withProduct(product => measureFullMonth(product))
  undo()
} finally {
  if (kept === undefined) await rm(folder, { recursive: true, force: true })
}

function seed(): void {
  execFileSync(process.execPath, [cli, 'seed', '.', '--count', String(FILES)], {
    env: { ...process.env, DATA_DIR: folder },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

async function withProduct(work: (product: Product) => Promise<void>): Promise<void> {
  const product = await startProduct({ folder })
  try {
    await work(product)
  } finally {
    await product.stop()
  }
}

/** The request from which a page lays out the whole library. */
async function measureIndex(product: Product, of: string): Promise<void> {
  const { bytes, ms } = await fetchOften(product, '/api/media/timeline')
  const each = bytes / FILES
  const measured = `${(bytes / 1024).toFixed(0)} KB, ${each.toFixed(2)} bytes a file, ${ms.toFixed(1)} ms`
  line(`the index ${of}`, measured, 'a few bytes a file, 64 ms', each <= 5 && ms <= 64)
}

async function fetchOften(product: Product, path: string): Promise<{ bytes: number; ms: number }> {
  const headers = { authorization: `Bearer ${await product.signIn()}` }
  const times: number[] = []
  let bytes = 0
  for (let round = 0; round < 20; round++) {
    const began = performance.now()
    bytes = (await (await fetch(`${product.url}${path}`, { headers })).arrayBuffer()).byteLength
    times.push(performance.now() - began)
  }
  return { bytes, ms: median(times) }
}

async function measureGrid(browser: Browser, product: Product): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const token = await product.signIn()
  await context.addInitScript(kept => localStorage.setItem('auth_token', kept), token)
  await context.addInitScript(watchThumbnails)
  const page = await context.newPage()
  const cdp = await context.newCDPSession(page)
  await measureNavigation(page, product)
  const inJumps = await framesDuring(page, () => measureJumps(page))
  const inTrips = await framesDuring(page, () => measureTrips(page, cdp))
  await drawBareGrid(page, FILES, await picturesOf(product, token))
  const bare = await framesDuring(page, async () => {
    for (let trip = 0; trip < TRIPS; trip++) await travel(page)
  })
  report(`in ${JUMPS} jumps`, inJumps)
  report(`in ${TRIPS} trips`, inTrips, `; on a page of bare pictures ${describeFrames(bare)}`)
}

/** The absolute URLs of the first thumbnails. */
async function picturesOf(product: Product, token: string): Promise<string[]> {
  const headers = { authorization: `Bearer ${token}` }
  const { files } = await (await fetch(`${product.url}/api/media?limit=500`, { headers })).json()
  return files.flatMap((file: MediaFile) => (file.thumbnail_url ? [new URL(file.thumbnail_url, product.url).href] : []))
}

async function measureNavigation(page: Page, product: Product): Promise<void> {
  const [first, all]: [number[], number[]] = [[], []]
  for (let visit = 0; visit < 5; visit++) {
    await page.goto('about:blank')
    await page.goto(product.url, { waitUntil: 'commit' })
    // No evaluation in the page until then: it would delay a page that is loading by a tenth of a second.
    await page.waitForTimeout(4_000)
    const seen = await page.evaluate(() => (window as unknown as Watched).seen)
    first.push(seen.first ?? Number.POSITIVE_INFINITY)
    all.push(seen.all ?? Number.POSITIVE_INFINITY)
  }
  const measured = `${firstAndLater(first)}; the whole page with all in sight ${firstAndLater(all)}`
  line('first thumbnails after navigation', measured, '1,000 ms', Math.max(...first) <= 1_000)
}

function firstAndLater([first = 0, ...later]: number[]): string {
  return `${first.toFixed(0)} ms the first time, then ${median(later).toFixed(0)} ms`
}

/** What `watchThumbnails` installs in a page. */
interface Watched {
  /** Times of the first visible thumbnail and of all visible ones, since the start of navigation. */
  seen: { first?: number; all?: number }
  allInSight: () => boolean
}

/** Runs in every page before its own scripts. */
function watchThumbnails(): void {
  const seen: Watched['seen'] = {}
  const allInSight = () => {
    const inSight = [...document.querySelectorAll('[data-index]')].filter(cell => {
      const { top, bottom } = cell.getBoundingClientRect()
      return bottom > 140 && top < window.innerHeight - 20
    })
    return inSight.length > 0 && inSight.every(cell => cell.querySelector('img[data-loaded]') !== null)
  }
  const look = () => {
    const shown = document.querySelectorAll<HTMLImageElement>('[data-index] img[data-loaded]')
    if ([...shown].some(image => image.naturalWidth > 0)) seen.first ??= performance.now()
    if (allInSight()) seen.all ??= performance.now()
    else requestAnimationFrame(look)
  }
  look()
  Object.assign(window, { seen, allInSight } satisfies Watched)
}

/** Waits until every visible file shows its thumbnail; returns milliseconds since the start of navigation. */
async function allInSight(page: Page): Promise<number> {
  const handle = await page.waitForFunction(
    () => (window as unknown as Watched).allInSight() && performance.now(),
    undefined,
    { polling: 'raf', timeout: 60_000 },
  )
  return Number(await handle.jsonValue())
}

async function measureJumps(page: Page): Promise<void> {
  const box = await page.getByRole('slider').boundingBox()
  if (box === null) throw new Error('There is no scrubber')
  const times: number[] = []
  for (let jump = 0; jump < JUMPS; jump++) {
    // At varying positions, never the same twice.
    const part = ((jump * 7 + 3) % JUMPS) / JUMPS
    await page.mouse.move(box.x + box.width / 2, box.y + part * box.height)
    const began = await page.evaluate(() => performance.now())
    await page.mouse.down()
    await page.mouse.up()
    times.push((await allInSight(page)) - began)
  }
  const slowest = Math.max(...times)
  const measured = `${median(times).toFixed(0)} ms, ${slowest.toFixed(0)} ms at most`
  line(`thumbnails after a jump to another month (${JUMPS} jumps)`, measured, '500 ms', slowest <= 500)
}

async function measureTrips(page: Page, cdp: CDPSession): Promise<void> {
  const heaps: number[] = []
  let nodes = 0
  for (let trip = 0; trip < TRIPS; trip++) {
    nodes = Math.max(nodes, await travel(page))
    await cdp.send('HeapProfiler.collectGarbage')
    heaps.push((await cdp.send('Runtime.getHeapUsage')).usedSize / 1024 ** 2)
  }
  line('elements on the page, at most', nodes.toLocaleString('en'), 'under 3,000', nodes < 3_000)
  const [second = 0, last = 0] = [heaps[1], heaps.at(-1)]
  const measured = heaps.map(heap => heap.toFixed(0)).join(' ')
  line(`memory after each of ${TRIPS} trips end to end, in MB`, measured, 'flat', last <= second * 1.15)
}

/** Scrolls from the first file to the last with stops; returns the largest number of elements. */
async function travel(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const rest = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
    const end = document.documentElement.scrollHeight - window.innerHeight
    let most = 0
    for (let stop = 0; stop <= 25; stop++) {
      const target = (stop / 25) * end
      for (let step = 0; step < 6; step++) {
        window.scrollTo({ top: target + step * 120, behavior: 'instant' })
        await rest(16)
      }
      await rest(150)
      most = Math.max(most, document.querySelectorAll('*').length)
    }
    window.scrollTo({ top: 0, behavior: 'instant' })
    // Render before the forced garbage collection, which is not part of the measurement.
    await rest(500)
    return most
  })
}

interface LongFrame {
  duration: number
  /** The blocking time of a single task in it, beyond 50 ms. */
  blocked: number
}

/** Frames longer than 50 ms (long animation frames API). */
async function framesDuring(page: Page, work: () => Promise<void>): Promise<LongFrame[]> {
  const watcher = await page.evaluateHandle(() => {
    const frames: LongFrame[] = []
    const observer = new PerformanceObserver(list => {
      for (const { duration, blockingDuration } of list.getEntries() as (PerformanceEntry & {
        blockingDuration: number
      })[]) {
        frames.push({ duration, blocked: blockingDuration })
      }
    })
    observer.observe({ type: 'long-animation-frame' })
    return { frames, observer }
  })
  await work()
  return watcher.evaluate(({ frames, observer }) => {
    observer.disconnect()
    return frames
  })
}

function report(when: string, frames: LongFrame[], beside = ''): void {
  line(`frames over 50 ms ${when}`, `${describeFrames(frames)}${beside}`, 'none', frames.length === 0)
  const blocked = frames.filter(frame => frame.blocked > 0)
  line(`of these, held by one piece of work ${when}`, describeFrames(blocked), 'none', blocked.length === 0)
}

function describeFrames(frames: LongFrame[]): string {
  const longest = Math.max(...frames.map(({ duration }) => duration))
  return frames.length === 0 ? 'none' : `${frames.length}, the longest ${longest.toFixed(0)} ms`
}

/** Moves 30,000 files into one month; returns a function that reverts it. */
function fillMonth(): () => void {
  const database = new DatabaseSync(join(folder, 'heirloom.db'))
  const begin = Date.UTC(2020, 2, 1)
  database.exec(
    'create table moved as select id, date_sort, heading_rank, day from media where deleted_at is null limit 30000',
  )
  database.exec(`
    update media set
      date_sort = ${begin} + (id * 7919 % (31 * 86400)) * 1000,
      heading_rank = 0,
      day = (${begin} + (id * 7919 % (31 * 86400)) * 1000) / 86400000
    where id in (select id from moved)`)
  database.close()
  return () => {
    const again = new DatabaseSync(join(folder, 'heirloom.db'))
    again.exec(`
      update media set (date_sort, heading_rank, day) = (select date_sort, heading_rank, day from moved where moved.id = media.id)
      where id in (select id from moved)`)
    again.exec('drop table moved')
    again.close()
  }
}

async function measureFullMonth(product: Product): Promise<void> {
  const of = `with ${FULL_MONTH.toLocaleString('en')} files in one month`
  await measureIndex(product, of)
  const { bytes, ms } = await fetchOften(
    product,
    '/api/media?sort=date&order=desc&from=2020-03-15&to=2020-03-15&offset=500&limit=100',
  )
  const measured = `${(bytes / 1024).toFixed(0)} KB, ${ms.toFixed(1)} ms`
  line(`a page ${of}`, measured, '400 ms, 7.5 MB', ms <= 400 && bytes <= 7.5 * 1024 ** 2)
}
