/**
 * The upload dialog in a real Chromium with 200 photos of 12 megapixels: the longest task on the page's own thread, the
 * memory of the browser, and photos per minute beside the bare work in the same browser: decode, scale, encode and send,
 * one photo after the other, to a server that throws everything away. PHOTOS sets another number.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { variants } from '../contract/src/limits.ts'
import { ensureWebBuilt } from '../scripts/lib/web.mjs'
import { drawPhoto } from '../server/src/processing/test-support/pictures.ts'
import { withChromium } from './lib/chromium.ts'
import { startProduct } from './lib/product.ts'
import { line, median } from './lib/report.ts'

const PHOTOS = Number(process.env.PHOTOS ?? 200)
/** Before and after ours, so that what else the machine does falls on both alike. */
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
    const bare = (before + after) / 2
    const share = ours.photosPerMinute / bare
    const figure = `${ours.photosPerMinute.toFixed(1)} a minute, ${share.toFixed(2)} of the bare work (${bare.toFixed(1)})`
    line(`${PHOTOS} photos of 12 megapixels, from choosing them to the receipt`, figure, '0.8', share >= 0.8)
    line("longest task on the page's thread", `${ours.longestTask.toFixed(0)} ms`, '100 ms', ours.longestTask <= 100)
    const { page, all } = ours.memory
    line('memory of the page with its workers, at most', `${page.toFixed(0)} MB`, '1,000 MB', page < 1_000)
    console.log(`  the whole browser: ${all.toFixed(0)} MB; an upload call: ${ours.uploadCall.toFixed(0)} ms`)
  })
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** A few are drawn; the others differ in what follows the picture, which makes them other files and the same work. */
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
  /** Megabytes. */
  memory: Peak
  /** Milliseconds, the median: what the server takes falls on the batch, since files go one after the other. */
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
    const watching = watchMemory(browser)
    const began = performance.now()
    await dialog.locator('input[type=file]').setInputFiles(photos)
    await dialog.getByRole('button', { name: `Upload ${photos.length} Files` }).click({ timeout: 600_000 })
    await dialog.getByText(`${photos.length} files safe in the library`).waitFor({ timeout: 3_600_000 })
    const minutes = (performance.now() - began) / 60_000
    const memory = await watching.stop()
    const calls = await page.evaluate(() => {
      const entries = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/api/media/upload'))
      return entries.map(({ duration }) => duration)
    })
    const photosPerMinute = photos.length / minutes
    return { photosPerMinute, longestTask: await longestTask(page), memory, uploadCall: median(calls) }
  } finally {
    await context.close()
    await product.stop()
  }
}

function watchLongTasks(): void {
  performance.setResourceTimingBufferSize(10_000)
  const tasks: number[] = []
  Object.assign(window, { longTasks: tasks })
  new PerformanceObserver(list => {
    // What happens before the first photo is chosen is the gallery's.
    const [chosen] = performance.getEntriesByName('chosen')
    for (const { startTime, duration } of list.getEntries()) {
      if (chosen && startTime >= chosen.startTime) tasks.push(duration)
    }
  }).observe({ type: 'longtask', buffered: true })
}

/** Tasks of less than 50 ms are not told; then that is the answer. */
async function longestTask(page: Page): Promise<number> {
  const tasks = await page.evaluate(() => (window as unknown as { longTasks: number[] }).longTasks)
  return Math.max(50, ...tasks)
}

interface Peak {
  page: number
  all: number
}

/** Looks twice a second at how much memory the processes of the browser have, each with its share of what is common. */
function watchMemory(browser: Browser): { stop(): Promise<Peak> } {
  const peak: Peak = { page: 0, all: 0 }
  let goesOn = true
  const watching = (async () => {
    const session = await browser.newBrowserCDPSession()
    while (goesOn) {
      const { processInfo } = await session.send('SystemInfo.getProcessInfo')
      const sizes = await Promise.all(processInfo.map(({ id }) => megabytesOf(id)))
      const pages = sizes.filter((_, index) => processInfo[index]?.type === 'renderer')
      peak.page = Math.max(peak.page, ...pages)
      peak.all = Math.max(
        peak.all,
        sizes.reduce((sum, size) => sum + size, 0),
      )
      await new Promise(resolve => setTimeout(resolve, 500))
    }
    await session.detach()
  })()
  return {
    async stop() {
      goesOn = false
      await watching
      return peak
    },
  }
}

async function megabytesOf(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) / 1024
}

/** Photos per minute of the least that could be done: no reading of metadata, no hash, no check, no library. */
async function measureBare(browser: Browser, photos: string[]): Promise<number> {
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
    const began = performance.now()
    await page.evaluate(workBare, { sizes: [thumbnail, mobile, website, desktop], source: `(${bareWorker})()` })
    return photos.length / ((performance.now() - began) / 60_000)
  } finally {
    await context.close()
    server.close()
  }
}

interface BareOrder {
  sizes: { maxSize: number; quality: number }[]
  source: string
}

async function workBare({ sizes, source }: BareOrder): Promise<void> {
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
