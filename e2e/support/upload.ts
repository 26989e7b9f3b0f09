import { randomBytes } from 'node:crypto'
import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { CDPSession, Locator, Page, TestInfo } from '@playwright/test'
import type { MediaFile } from '#contract/media.ts'
import { listMedia } from '#contract/media-list.ts'
import { makePicture, type PictureOptions } from '../../server/test/fixtures/pictures.ts'
import { readTree } from '../../server/test/read-tree.ts'
import { callerOn } from './caller.ts'
import { expect } from './family.ts'

/** A file for the browser's file picker. */
interface Payload {
  name: string
  mimeType: string
  buffer: Buffer
}

/** A photo with unique bytes. */
export async function photo(name: string, options: PictureOptions = {}): Promise<Payload> {
  return { name, mimeType: 'image/jpeg', buffer: await makePicture(options) }
}

/** A photo on disk as large as a video: decoders ignore bytes after the end of a JPEG, but they must be stored. */
export async function largePhoto(
  info: TestInfo,
  name: string,
  megabytes: number,
  options: PictureOptions = {},
): Promise<string> {
  const path = info.outputPath(name)
  await writeFile(path, await makePicture(options))
  for (let i = 0; i < megabytes; i++)
    await appendFile(path, crypto.getRandomValues(Buffer.alloc(65_536)).toString('hex').repeat(8))
  return path
}

/** A BMP, which is converted for display, with so much noise that its JPEG is uploaded in several chunks. */
export async function noisyBitmap(info: TestInfo, name: string): Promise<string> {
  const [width, height] = [2_400, 1_800]
  const header = Buffer.alloc(54)
  header.write('BM')
  const pixels = randomBytes(width * height * 3)
  for (const [at, value] of [
    [2, header.length + pixels.length],
    [10, header.length],
    [14, 40],
    [18, width],
    [22, height],
  ] as const) {
    header.writeUInt32LE(value, at)
  }
  header.writeUInt16LE(1, 26)
  header.writeUInt16LE(24, 28)
  const path = info.outputPath(name)
  await writeFile(path, Buffer.concat([header, pixels]))
  return path
}

/** Opens the dialog by its button, with its details: the tests look at all that is specified. */
export async function openDialog(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Upload Files' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Upload Media Files' })
  await expect(dialog).toBeVisible()
  const details = dialog.locator('details')
  if ((await details.getAttribute('open')) === null) await details.getByText('Details', { exact: true }).click()
  return dialog
}

export async function choose(
  dialog: Locator,
  files: string | readonly string[] | Payload | readonly Payload[],
): Promise<void> {
  await dialog.locator('input[type=file]').setInputFiles(files)
}

/** Drops files from disk onto the page. */
export function drop(page: Page, files: string[]): Promise<void> {
  return sendDragEvents(page, files, ['dragEnter', 'dragOver', 'drop'])
}

/** Holds files over the middle of the page. */
export function drag(page: Page, files: string[]): Promise<void> {
  return sendDragEvents(page, files, ['dragEnter', 'dragOver'])
}

type DragEvent = 'dragEnter' | 'dragOver' | 'drop'

async function sendDragEvents(page: Page, files: string[], events: readonly DragEvent[]): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const data = { items: [], files, dragOperationsMask: 1 }
  for (const type of events) {
    await session.send('Input.dispatchDragEvent', { type, x: 720, y: 450, data })
  }
}

export function row(dialog: Locator, name: string): Locator {
  return dialog.getByRole('listitem').filter({ has: dialog.page().getByTitle(name, { exact: true }) })
}

/** One of the four counts at the top of the dialog. */
export function counter(dialog: Locator, label: string): Locator {
  return dialog
    .getByRole('term')
    .filter({ hasText: new RegExp(`^${label}$`) })
    .locator('xpath=following-sibling::dd')
}

/** Records every text that a row shows, because most are replaced before a test could read them. */
export async function recordRows(page: Page): Promise<() => Promise<string>> {
  await page.evaluate(() => {
    const seen = new Set<string>()
    Object.assign(window, { seenInRows: seen })
    const look = () => {
      for (const line of document.querySelectorAll('[role=dialog] li p')) seen.add(line.textContent ?? '')
    }
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true })
  })
  return () => page.evaluate(() => [...(window as unknown as { seenInRows: Set<string> }).seenInRows].join('\n'))
}

const sessions = new WeakMap<Page, Promise<CDPSession>>()

interface Line {
  /** Upload limit in bytes a second; unlimited by default. */
  speed?: number
  offline?: boolean
}

/** Throttles the uploads of a page or takes it offline; without options the connection is normal again. */
export async function emulateNetwork(page: Page, { speed = -1, offline = false }: Line = {}): Promise<void> {
  const opening = sessions.get(page) ?? page.context().newCDPSession(page)
  sessions.set(page, opening)
  const session = await opening
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: speed,
  })
}

/** The upload progress of a file in whole percents. */
export async function percentOf(dialog: Locator, name: string): Promise<number> {
  const text = (await row(dialog, name).textContent()) ?? ''
  return Number(/Uploading… (\d+)%/.exec(text)?.[1] ?? Number.NaN)
}

export async function filesInLibrary(page: Page): Promise<MediaFile[]> {
  const caller = await callerOn(page)
  return (await caller.call(listMedia, { query: { sort: 'name' } })).files
}

/** Checks that the downloaded original has the uploaded bytes. */
export async function expectSameBytes(page: Page, name: string, sent: Buffer | string): Promise<void> {
  const stored = (await filesInLibrary(page)).find(file => file.original_name === name)
  const answer = await page.request.get(stored?.download_url ?? '')
  const bytes = typeof sent === 'string' ? await readFile(sent) : sent
  expect(bytes.equals(await answer.body())).toBe(true)
}

/** The files below a folder of the server's data. */
export async function filesBelow(dataFolder: string, folder: string): Promise<string[]> {
  const entries = await readTree(join(dataFolder, folder))
  return entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
}
