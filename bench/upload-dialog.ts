/**
 * The upload dialog in a real Chromium with 200 photos of 12 megapixels: the longest task on the page's own thread, the
 * memory of the browser, and photos per minute beside the bare work in the same browser: decode, scale, encode and send,
 * one photo after the other, to a server that discards everything. PHOTOS sets another number.
 *
 * The server runs on the same machine and decodes every picture that it is sent, so the
 * CPU time of server and browser is reported separately. A busy machine makes short tasks long: the duration of one fixed
 * short task on the bare page is reported for comparison.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { uploadDialog, variants } from '../contract/src/limits.ts'
import { ensureWebBuilt } from '../scripts/lib/web.mjs'
import { drawPhoto } from '../server/test/processing/pictures.ts'
import { withChromium } from './lib/chromium.ts'
import { type Consumption, watchBrowser } from './lib/processes.ts'
import { startProduct } from './lib/product.ts'
import { line, median } from './lib/report.ts'

const PHOTOS = Number(process.env.PHOTOS ?? 200)
/** Before and after ours, so that other load on the machine affects both. */
const BARE_PHOTOS = Math.max(5, Math.round(PHOTOS / 8))
const DRAWN = 4

await ensureWebBuilt()
const folder = await mkdtemp(join(tmpdir(), 'heirloom-upload-dialog-'))
try {
  const photos = await makePhotos(PHOTOS)
  await withChromium(async browser => {
    const before = await measureBare(browser, photos.slice(0, BARE_PHOTOS))
    const ours = await measureDialog(browser, photos)
    const after = await measureBare(browser, photos.slice(-BARE_PHOTOS))
    tell(ours, [before, after])
  })
} finally {
  await rm(folder, { recursive: true, force: true })
}

function tell(ours: Measured, bare: [Bare, Bare]): void {
  const mean = (value: (measured: Bare) => number) => (value(bare[0]) + value(bare[1])) / 2
  const pace = mean(({ photosPerMinute }) => photosPerMinute)
  const share = ours.photosPerMinute / pace
  const measured = `${ours.photosPerMinute.toFixed(1)} a minute, ${share.toFixed(2)} of the bare work (${pace.toFixed(1)})`
  line(`${PHOTOS} photos of 12 megapixels, from choosing them to the receipt`, measured, '0.8', share >= 0.8)
  const { longestTask, took } = ours
  line("longest task on the page's thread", `${longestTask.toFixed(0)} ms`, '100 ms', longestTask <= 100)
  line('memory of the page with its workers, at most', `${took.page.toFixed(0)} MB`, '1,000 MB', took.page < 1_000)
  const milliseconds = (seconds: number) => `${(seconds * 1_000).toFixed(0)} ms`
  const pause = `${uploadDialog.pauseBetweenFiles} ms of pause after each, as specified`
  const pauses = `with ${milliseconds(ours.uploadCall)} for an upload call and ${pause}`
  console.log(
    `  ${(60 / (ours.uploadCall + uploadDialog.pauseBetweenFiles / 1_000)).toFixed(1)} a minute are possible ${pauses}`,
  )
  const bareWork = milliseconds(mean(({ busySeconds }) => busySeconds))
  const browser = milliseconds(took.seconds / PHOTOS)
  const server = milliseconds(ours.serverSeconds / PHOTOS)
  console.log(`  work for a photo: ${browser} in the browser and ${server} on the server; bare: ${bareWork}`)
  const shortest = Math.min(...bare.map(({ shortestTick }) => shortestTick))
  const longest = Math.max(...bare.map(({ longestTick }) => longestTick))
  const stretched = `${shortest.toFixed(0)} ms of work on the bare page's thread took up to ${longest.toFixed(0)} ms`
  console.log(`  the machine besides: ${stretched}; load ${loadavg().map(Math.round).join(', ')}`)
  console.log(`  the whole browser: ${took.browser.toFixed(0)} MB`)
}

/** A few are drawn; the others are copies with different trailing bytes: different files, the same work. */
async function makePhotos(count: number): Promise<string[]> {
  const drawn: Buffer[] = []
  for (let seed = 1; seed <= Math.min(count, DRAWN); seed++) {
    drawn.push(await (await drawPhoto(4_000, 3_000, seed)).jpeg({ quality: 85 }).toBuffer())
  }
  const paths: string[] = []
  for (let i = 0; i < count; i++) {
    const path = join(folder, `IMG_${String(i).padStart(4, '0')}.jpg`)
    await writeFile(path, Buffer.concat([drawn[i % drawn.length] ?? Buffer.alloc(0), Buffer.from(`number ${i}`)]))
    paths.push(path)
  }
  return paths
}

interface Measured {
  photosPerMinute: number
  /** Milliseconds. */
  longestTask: number
  took: Consumption
  serverSeconds: number
  /** Seconds, the median. Includes the server's time, since files are sent one after the other. */
  uploadCall: number
}

async function measureDialog(browser: Browser, photos: string[]): Promise<Measured> {
  const product = await startProduct()
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  try {
    const token = await product.signIn()
    await context.addInitScript(kept => localStorage.setItem('auth_token', kept), token)
    await context.addInitScript(watchLongTasks)
    const page = await context.newPage()
    await page.goto(product.url)
    await page.getByRole('button', { name: 'Upload Files' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Upload Media Files' })
    await page.evaluate(() => performance.mark('chosen'))
    const watching = await watchBrowser(browser)
    const workBefore = await product.busySeconds()
    const began = performance.now()
    await dialog.locator('input[type=file]').setInputFiles(photos)
    await dialog.getByRole('button', { name: `Upload ${photos.length} Files` }).click({ timeout: 600_000 })
    await untilSaid(page, `${photos.length} files safe in the library`)
    const minutes = (performance.now() - began) / 60_000
    const took = await watching.stop()
    const serverSeconds = (await product.busySeconds()) - workBefore
    const calls = await page.evaluate(() => {
      const entries = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/api/media/upload'))
      return entries.map(({ duration }) => duration)
    })
    const photosPerMinute = photos.length / minutes
    const uploadCall = median(calls) / 1_000
    return { photosPerMinute, longestTask: await longestTask(page), took, serverSeconds, uploadCall }
  } finally {
    await context.close()
    await product.stop()
  }
}

/** Polls slowly: a locator polls on every animation frame and would force the page to render each of them. */
async function untilSaid(page: Page, text: string): Promise<void> {
  const says = (text: string) => document.querySelector('[role=dialog]')?.textContent?.includes(text)
  await page.waitForFunction(says, text, { polling: 500, timeout: 3_600_000 })
}

function watchLongTasks(): void {
  performance.setResourceTimingBufferSize(10_000)
  const tasks: number[] = []
  Object.assign(window, { longTasks: tasks })
  new PerformanceObserver(list => {
    // Tasks before the first photo is chosen belong to the gallery.
    const [chosen] = performance.getEntriesByName('chosen')
    for (const { startTime, duration } of list.getEntries()) {
      if (chosen && startTime >= chosen.startTime) tasks.push(duration)
    }
  }).observe({ type: 'longtask', buffered: true })
}

/** Tasks of less than 50 ms are not reported; then 50 is the upper bound. */
async function longestTask(page: Page): Promise<number> {
  const tasks = await page.evaluate(() => (window as unknown as { longTasks: number[] }).longTasks)
  return Math.max(50, ...tasks)
}

interface Bare {
  photosPerMinute: number
  /** Milliseconds of a fixed short task on the page's main thread, repeated during the run. */
  shortestTick: number
  longestTick: number
  /** For one photo. */
  busySeconds: number
}

/** The baseline: no metadata, no hash, no duplicate check, no library. */
async function measureBare(browser: Browser, photos: string[]): Promise<Bare> {
  const server = createServer((request, response) => {
    request
      .resume()
      .on('end', () => response.setHeader('content-type', 'text/html').end('<input type="file" multiple>'))
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    await page.locator('input').setInputFiles(photos)
    const { thumbnail, mobile, website, desktop } = variants
    const order = { sizes: [thumbnail, mobile, website, desktop], source: `(${bareWorker})()` }
    const watching = await watchBrowser(browser)
    const began = performance.now()
    const [shortestTick, longestTick] = await page.evaluate(workBare, order)
    const minutes = (performance.now() - began) / 60_000
    const { seconds } = await watching.stop()
    const photosPerMinute = photos.length / minutes
    return { photosPerMinute, shortestTick, longestTick, busySeconds: seconds / photos.length }
  } finally {
    await context.close()
    server.close()
  }
}

interface BareOrder {
  sizes: { maxSize: number; quality: number }[]
  source: string
}

/** Returns the shortest and the longest tick in milliseconds. */
async function workBare({ sizes, source }: BareOrder): Promise<[number, number]> {
  const ticks: number[] = []
  const ticking = setInterval(() => {
    const began = performance.now()
    let value = began
    for (let step = 0; step < 200_000; step++) value = Math.sin(value)
    ticks.push(performance.now() - began)
  }, 250)
  const worker = new Worker(URL.createObjectURL(new Blob([source])))
  const files = [...(document.querySelector('input')?.files ?? [])]
  for (const file of files) {
    const done = new Promise<void>((resolve, reject) => {
      worker.onmessage = () => resolve()
      worker.onerror = event => reject(new Error(event.message))
    })
    worker.postMessage({ file, sizes, url: `${location.origin}/send` })
    await done
  }
  clearInterval(ticking)
  return [Math.min(...ticks), Math.max(...ticks)]
}

/** Runs in the page's worker, as text. */
function bareWorker(): void {
  type Order = BareOrder & { file: File; url: string }
  addEventListener('message', async ({ data: { file, sizes, url } }: MessageEvent<Order>) => {
    const bitmap = await createImageBitmap(file)
    const form = new FormData()
    form.append('files', file)
    for (const { maxSize, quality } of sizes) {
      const scale = Math.min(1, maxSize / Math.max(bitmap.width, bitmap.height))
      const canvas = new OffscreenCanvas(Math.round(bitmap.width * scale), Math.round(bitmap.height * scale))
      const context = canvas.getContext('2d')
      if (!context) throw new Error('There is no canvas')
      context.imageSmoothingQuality = 'high'
      context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
      form.append('files', await canvas.convertToBlob({ type: 'image/jpeg', quality }))
    }
    bitmap.close()
    await (await fetch(url, { method: 'POST', body: form })).text()
    postMessage('done')
  })
}
