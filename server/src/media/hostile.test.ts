import { expect, test } from 'vitest'
import { getMedia } from '#contract/media.ts'
import { listMedia } from '#contract/media-list.ts'
import { fetchFrom } from '../../test/fixtures/addresses.ts'
import { jpegClaiming, jpegWithHugeExif, pngBomb, pngWithTextBomb } from '../../test/fixtures/bombs.ts'
import { clipMaker } from '../../test/fixtures/clips.ts'
import { damage } from '../../test/fixtures/damage.ts'
import { memberOf } from '../../test/fixtures/members.ts'
import { makePicture, type PictureFormat } from '../../test/fixtures/pictures.ts'
import { remainsAtRest } from '../../test/fixtures/remains.ts'
import { plainForm, send, untilPrepared, uploadFile } from '../../test/fixtures/uploads.ts'
import { type Library, onOneEngine, type SignedIn, startLibrary } from '../../test/library.ts'
import { h264AndAac, picture, sound } from '../../test/processing/video-clips.ts'
import { CallRefused } from '../../test/visitor.ts'

const long = Boolean(process.env.LONG)
const withFfmpeg = { PATH: process.env.PATH, FFMPEG_PATH: process.env.FFMPEG_PATH }
const make = await clipMaker()

onOneEngine('a photo that is also a page', library => {
  const page = '<html><script>parent.stolen = document.cookie</script></html>'

  test('is served as a photo that can run nothing', async () => {
    const ben = await memberOf(library())
    const bytes = Buffer.concat([await makePicture(), Buffer.from(page)])
    const { id } = await uploadFile(ben, { name: 'party.html', bytes })
    const file = await untilPrepared(ben, id)
    expect(file).toMatchObject({ status: 'ready', mime_type: 'image/jpeg' })
    for (const url of [file.url, file.download_url, file.thumbnail_url]) {
      const { headers } = await library().anyone.fetch(url ?? '/files/none')
      expect(headers.get('content-type')).toBe('image/jpeg')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-security-policy')).toMatch(/^sandbox allow-same-origin; default-src 'none';/)
    }
    expect((await library().anyone.fetch(file.download_url)).headers.get('content-disposition')).toMatch(/^attachment;/)
    // Variants are re-encoded, so appended bytes are gone.
    const shown = await fetchFrom(library(), file.variant_urls?.desktop)
    expect(shown.bytes.includes('<script>')).toBe(false)
  })

  test('is refused when it begins with the page', async () => {
    const ben = await memberOf(library())
    const bytes = Buffer.concat([Buffer.from(page), await makePicture()])
    await expect(send(ben, plainForm('party.jpg', bytes))).rejects.toMatchObject({ status: 415 })
  })
})

test('what unfolds to far more than it seems fails by itself, and nothing else does', async () => {
  const library = await startLibrary()
  try {
    const ben = await memberOf(library)
    const bombs: [name: string, bytes: Buffer, status: 'failed' | 'ready'][] = [
      ['400 megapixels.png', pngBomb(20_000, 20_000), 'failed'],
      ['4 gigapixels.png', pngBomb(65_535, 65_535), 'failed'],
      ['a line of two billion.png', pngBomb(0x7fffffff, 1), 'failed'],
      ['4 gigapixels.jpg', await jpegClaiming(65_535, 65_535), 'failed'],
      ['no pixels.jpg', await jpegClaiming(0, 0), 'failed'],
      ['a comment of 300 MB.png', await pngWithTextBomb(300_000_000), 'ready'],
      ['13 MB of Exif.jpg', await jpegWithHugeExif(200), 'ready'],
    ]
    for (const [name, bytes, status] of bombs) {
      const { id } = await uploadFile(ben, { name, bytes })
      const file = await untilPrepared(ben, id)
      expect(file.status, `${name}: ${file.failure_reason}`).toBe(status)
      if (status === 'failed') expect(file.failure_reason, name).toMatch(/^[A-Z][^\n]{10,300}\.$/)
      expect((await fetchFrom(library, file.download_url)).bytes.length).toBe(bytes.length)
    }
    const { id } = await uploadFile(ben, { name: 'harmless.jpg' })
    expect(await untilPrepared(ben, id)).toMatchObject({ status: 'ready' })
  } finally {
    await library.close()
  }
}, 120_000)

test(
  `of ${long ? 'thousands of' : 'a hundred'} damaged files each is refused, shown or explained`,
  async () => {
    const library = await startLibrary({ environment: { ...withFfmpeg, LOG_LEVEL: 'warn' } })
    try {
      const ben = await memberOf(library)
      const formats: PictureFormat[] = ['jpeg', 'png', 'webp', 'gif', 'avif', 'tiff']
      const oneSecond = ['-t', '1', ...h264AndAac]
      const sources = [
        ...(await Promise.all(formats.map(format => makePicture({ format, width: 120, height: 90 })))),
        await make('a.mp4', ...picture('64x48', 1), ...sound(1), ...oneSecond),
        await make('a.mkv', ...picture('64x48', 1), ...sound(1), ...oneSecond),
      ]
      const photos = sources.slice(0, formats.length)
      const [photoCount, filmCount] = long ? [3_000, 200] : [94, 6]
      const taken: { id: number; seed: number }[] = []
      for (let seed = 0; seed < photoCount + filmCount; seed++) {
        const from = seed < photoCount ? photos : sources.slice(formats.length)
        const bytes = damage(from[seed % from.length] ?? Buffer.alloc(0), seed)
        taken.push(...(await offer(ben, bytes, seed)).map(id => ({ id, seed })))
      }
      expect(taken.length).toBeGreaterThan((photoCount + filmCount) / 2)
      await settle(library, ben)

      const counts = { ready: 0, failed: 0 }
      for (const { id, seed } of taken) {
        const file = await ben.call(getMedia, { params: { id } })
        if (file.status !== 'ready') {
          expect(file.status, `seed ${seed}`).toBe('failed')
          // A readable sentence that leaks no paths or internals.
          expect(file.failure_reason, `seed ${seed}`).toMatch(/^[A-Z][^\n]{10,300}\.$/)
          expect(file.failure_reason, `seed ${seed}`).not.toMatch(/undefined|Error:|\/tmp\/|\/files\/|heirloom-/)
        }
        counts[file.status === 'ready' ? 'ready' : 'failed']++
      }
      expect(counts.ready).toBeGreaterThan(0)
      expect(counts.failed).toBeGreaterThan(0)
      expect(library.log.filter(line => line.includes('request failed'))).toEqual([])
      await library.restart()
      await settle(library, ben)
      const { stored, owned, pendingKeys, scratch } = await remainsAtRest(library)
      expect(stored).toEqual(owned)
      expect([pendingKeys, scratch]).toEqual([[], []])
    } finally {
      await library.close()
    }
  },
  long ? 3_600_000 : 240_000,
)

/** The ids of the created files; empty if the upload was rejected. */
async function offer(person: SignedIn, bytes: Buffer, seed: number): Promise<number[]> {
  try {
    return (await send(person, plainForm(`damaged ${seed}`, bytes))).files.map(file => file.id)
  } catch (error) {
    if (!(error instanceof CallRefused)) throw error
    expect(error.status, `seed ${seed}`).toBe(415)
    return []
  }
}

/** Waits until every file is ready or failed; advances the clock, so that retries do not wait. */
async function settle(library: Library, person: SignedIn): Promise<void> {
  const settled = async () => {
    const { files } = await person.call(listMedia, { query: {} })
    if (files.every(file => file.status !== 'processing')) return true
    library.pass(5_000)
    return false
  }
  await expect.poll(settled, { interval: 1_000, timeout: 3_600_000 }).toBe(true)
}
