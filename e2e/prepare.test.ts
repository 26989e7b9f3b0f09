import { readFile, truncate, writeFile } from 'node:fs/promises'
import type { Browser, Page } from '@playwright/test'
import { createHasher } from '../server/src/processing/hash.ts'
import { drawPhoto, drawQuadrants } from '../server/test/processing/pictures.ts'
import { h264AndAac, openClipFolder, picture, sound } from '../server/test/processing/video-clips.ts'
import { expect, type Preparation, test } from './support/prepare/preparation.ts'

const MEGABYTE = 1024 * 1024

function hashOf(content: Buffer): string {
  const hasher = createHasher()
  hasher.update(content)
  return hasher.digest()
}

/** The files in the folder for converted videos. */
function scratchFiles({ page }: Preparation): Promise<string[]> {
  return page.evaluate(async () => {
    const root = await navigator.storage.getDirectory()
    const folder = await root.getDirectoryHandle('converted-videos', { create: true })
    return Array.fromAsync(folder.keys())
  })
}

test('files are hashed and their metadata is read in the browser', async ({ preparation }) => {
  await test.step('a file has the same hash as on the server', async () => {
    const content = Buffer.from(Array.from({ length: 5 * MEGABYTE }, (_, at) => (at * 2_654_435_761) >>> 24))
    await preparation.choose('any.bin', content)
    const { hash, percents } = await preparation.page.evaluate(async () => {
      const percents: number[] = []
      const hash = await window.preparer.hashFile(window.chosen(), { onProgress: percent => percents.push(percent) })
      return { hash, percents }
    })
    expect(hash).toBe(hashOf(content))
    expect(percents.at(-1)).toBe(100)
    expect(percents).toEqual([...new Set(percents)].sort((a, b) => a - b))
  })
  await test.step('thousands of files are hashed one after the other', async () => {
    const hashes = await preparation.page.evaluate(async () => {
      const found = new Set<string>()
      for (let i = 0; i < 3_000; i++) found.add(await window.preparer.hashFile(new File([`photo ${i}`], `${i}.jpg`)))
      return found.size
    })
    expect(hashes).toBe(3_000)
  })
  await test.step('metadata is read in the browser', async () => {
    const exif = { IFD0: { Make: 'Canon', Model: 'EOS R6' }, IFD2: { DateTimeOriginal: '2024:06:01 12:34:56' } }
    await preparation.choose('photo.jpg', await drawQuadrants(64, 48).withExif(exif).jpeg().toBuffer())
    const metadata = await preparation.page.evaluate(() => window.preparer.readMetadata(window.chosen()))
    expect(metadata).toMatchObject({ make: 'Canon', model: 'EOS R6', dateTimeOriginal: '2024-06-01T12:34:56' })
  })
})

test('a file of four gigabytes is hashed in little memory', async ({ preparation, browser }) => {
  test.skip(!process.env.LONG, 'It takes long')
  await writeFile(preparation.at('huge.mp4'), '')
  await truncate(preparation.at('huge.mp4'), 4 * 1024 * MEGABYTE)
  await preparation.choose('huge.mp4')
  const before = await largestPageInMegabytes(browser)
  let most = before
  const hashing = preparation.page.evaluate(() => window.preparer.hashFile(window.chosen()))
  const watching = setInterval(async () => {
    most = Math.max(most, await largestPageInMegabytes(browser))
  }, 500)
  expect(await hashing).toMatch(/^[0-9a-f]{64}$/)
  clearInterval(watching)
  expect(most - before).toBeLessThan(100)
})

async function largestPageInMegabytes(browser: Browser): Promise<number> {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  const pages = processInfo.filter(({ type }) => type === 'renderer')
  const sizes = pages.map(async ({ id }) => {
    const status = await readFile(`/proc/${id}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
  })
  return Math.max(...(await Promise.all(sizes)))
}

test('an abort or the end of the preparer stops its tasks, and parallel tasks are not mixed up', async ({
  preparation,
}) => {
  await test.step('an abort stops its task at once, and other tasks continue', async () => {
    await writeFile(preparation.at('huge.mp4'), '')
    await truncate(preparation.at('huge.mp4'), 1024 * MEGABYTE)
    await preparation.choose('huge.mp4')
    const { outcome, later } = await preparation.page.evaluate(async () => {
      const stop = new AbortController()
      const onProgress = () => stop.abort()
      const hashing = window.preparer.hashFile(window.chosen(), { signal: stop.signal, onProgress })
      const waiting = window.preparer.hashFile(new File(['abc'], 'small'))
      const outcome = await hashing.then(
        () => 'It went on',
        (error: Error) => error.name,
      )
      return { outcome, later: await waiting }
    })
    expect(outcome).toBe('AbortError')
    expect(later).toBe(hashOf(Buffer.from('abc')))
  })
  await test.step('a task aborted before its start never starts', async () => {
    await preparation.choose('photo.jpg', await drawQuadrants(64, 48).jpeg().toBuffer())
    const outcome = await preparation.page.evaluate(async () => {
      const signal = AbortSignal.abort()
      const prepared = window.preparer.prepareImage(window.chosen(), { signal })
      return prepared.then(
        () => 'It went on',
        (error: Error) => error.name,
      )
    })
    expect(outcome).toBe('AbortError')
  })
  await test.step('many photos prepared at once are not mixed up', async () => {
    const photos = await Promise.all(
      [1, 2, 3, 4, 5].map(async seed => (await drawPhoto(200 + seed, 150, seed)).jpeg().toBuffer()),
    )
    const paths = await Promise.all(
      photos.map(async (photo, index) => {
        await writeFile(preparation.at(`${index}.jpg`), photo)
        return preparation.at(`${index}.jpg`)
      }),
    )
    await preparation.page.getByLabel('Files').setInputFiles(paths)
    const widths = await preparation.page.evaluate(() => {
      const files = [...(document.querySelector('input')?.files ?? [])]
      return Promise.all(
        files.map(async file => {
          const prepared = await window.preparer.prepareImage(file)
          return prepared.outcome === 'prepared' && prepared.width
        }),
      )
    })
    expect(widths).toEqual([201, 202, 203, 204, 205])
  })
  await test.step('a disposed preparer prepares nothing', async () => {
    await preparation.choose('photo.jpg', await drawQuadrants(64, 48).jpeg().toBuffer())
    const outcome = await preparation.page.evaluate(async () => {
      const preparer = window.newPreparer()
      const running = preparer.hashFile(window.chosen()).catch((error: Error) => error.name)
      preparer.dispose()
      return [await running, await preparer.hashFile(window.chosen()).catch((error: Error) => error.name)]
    })
    expect(outcome).toEqual(['AbortError', 'AbortError'])
  })
})

test('a converted video stays on disk until it is discarded, or its page is closed', async ({ preparation }) => {
  await test.step('a converted video stays on disk until it is discarded', async () => {
    await using clipFolder = await openClipFolder()
    const clip = await clipFolder.make('clip.mkv', ...picture(), ...sound(), ...h264AndAac)
    await preparation.page.getByLabel('Files').setInputFiles(clip)
    const waiting = await preparation.page.evaluate(async () => {
      const prepared = await window.preparer.prepareVideo(window.chosen())
      Object.assign(window, { prepared })
      return prepared.outcome === 'converted' ? { name: prepared.file.name, type: prepared.file.type } : prepared
    })
    expect(waiting).toEqual({ name: 'clip.mp4', type: 'video/mp4' })
    expect(await scratchFiles(preparation)).toHaveLength(1)
    await preparation.page.evaluate(() =>
      (window as unknown as { prepared: { discard(): Promise<void> } }).prepared.discard(),
    )
    expect(await scratchFiles(preparation)).toEqual([])
  })
  await test.step('files that a closed page left are removed by the next one, those of an open page are not', async () => {
    await using clipFolder = await openClipFolder()
    const clip = await clipFolder.make('clip.mkv', ...picture(), ...h264AndAac)
    const { page } = preparation
    const convert = async (where: Page) => {
      await where.getByLabel('Files').setInputFiles(clip)
      return where.evaluate(async () => (await window.preparer.prepareVideo(window.chosen())).outcome)
    }
    const other = await page.context().newPage()
    await other.goto(page.url())
    expect(await convert(other)).toBe('converted')
    expect(await convert(page)).toBe('converted')
    expect(await scratchFiles(preparation)).toHaveLength(2)
    await other.close()
    await page.reload()
    expect(await convert(page)).toBe('converted')
    expect(await scratchFiles(preparation)).toHaveLength(1)
  })
})
