import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { getMedia } from '#contract/media.ts'
import { freePort } from '../server/test/free-port.ts'
import { type ClipFolder, openClipFolder, picture } from '../server/test/processing/video-clips.ts'
import { callerOn } from './support/caller.ts'
import { expect, test as family, toast } from './support/family.ts'
import { choose, expectSameBytes, filesInLibrary, openDialog, recordRows, row } from './support/upload.ts'

const coreFolder = dirname(fileURLToPath(import.meta.resolve('@ffmpeg/core')))
const types: Record<string, string> = { '.js': 'text/javascript', '.wasm': 'application/wasm' }

const test = family.extend<{ corePort: number }>({
  corePort: async ({ browserName: _ }, use) => use(await freePort()),
  environment: async ({ corePort }, use) => use({ TRANSCODER_CORE_URL: `http://127.0.0.1:${corePort}/core` }),
})

/** A CDN-like host that serves the core of the fallback transcoder; without `files` it answers 404. */
async function openCoreHost(port: number, files: string[]): Promise<Server & { asked: string[] }> {
  const asked: string[] = []
  const host = createServer((request, response) => {
    const name = basename(request.url ?? '')
    asked.push(request.url ?? '')
    response.setHeader('access-control-allow-origin', '*')
    if (!files.includes(name)) return response.writeHead(404).end()
    response.setHeader('content-type', types[name.slice(name.lastIndexOf('.'))] ?? '')
    createReadStream(join(coreFolder, name)).pipe(response)
  })
  host.listen(port, '127.0.0.1')
  await once(host, 'listening')
  return Object.assign(host, { asked })
}

/** Uploads a video that only the fallback transcoder can convert, and returns its path. */
async function uploadFilm(page: Page, clipFolder: ClipFolder) {
  const film = await clipFolder.make('Film.avi', ...picture('96x72', 1), '-c:v', 'mpeg4')
  const dialog = await openDialog(page)
  const seen = await recordRows(page)
  await choose(dialog, film)
  await dialog.getByRole('button', { name: 'Upload 1 File' }).click()
  await expect(toast(page, 'Successfully processed 1 file')).toBeVisible({ timeout: 60_000 })
  return { film, seen }
}

test('with TRANSCODER_CORE_URL the fallback transcoder is loaded from there and converts', async ({
  deviceOf,
  corePort,
}) => {
  const host = await openCoreHost(corePort, ['ffmpeg-core.js', 'ffmpeg-core.wasm'])
  await using clipFolder = await openClipFolder()
  const page = await deviceOf('Ben Okafor')
  const { film } = await uploadFilm(page, clipFolder)
  expect(host.asked.sort()).toEqual(['/core/ffmpeg-core.js', '/core/ffmpeg-core.wasm'])
  const [stored] = await filesInLibrary(page)
  const caller = await callerOn(page)
  const shown = async () => (await caller.call(getMedia, { params: { id: stored?.id ?? 0 } })).url
  await expect.poll(shown, { timeout: 60_000 }).toContain('.mp4')
  await expectSameBytes(page, 'Film.avi', film)
  host.close()
})

test('a video is uploaded unconverted when the transcoder cannot be loaded', async ({ deviceOf, corePort }) => {
  const host = await openCoreHost(corePort, [])
  await using clipFolder = await openClipFolder()
  const page = await deviceOf('Ben Okafor')
  const { film, seen } = await uploadFilm(page, clipFolder)
  // The warning is shown during the upload and disappears after it.
  expect(await seen()).toContain('Failed to transcode video: ')
  await expect(row(page.getByRole('dialog'), 'Film.avi')).toContainText(/Uploaded$/)
  expect(host.asked).not.toEqual([])
  await expectSameBytes(page, 'Film.avi', film)
  host.close()
})
