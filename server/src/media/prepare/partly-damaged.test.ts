import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { listFailedFiles, retryFailedFile } from '#contract/admin.ts'
import { getMedia, rehashMedia } from '#contract/media.ts'
import { listMedia } from '#contract/media-list.ts'
import { fetchFrom } from '../../../test/fixtures/addresses.ts'
import { withDatabase } from '../../../test/fixtures/insert-media.ts'
import { memberOf } from '../../../test/fixtures/members.ts'
import { makeClientPictures } from '../../../test/fixtures/pictures.ts'
import { photoForm, send, untilPrepared, uploadFile } from '../../../test/fixtures/uploads.ts'
import { type Library, onOneEngine } from '../../../test/library.ts'
import { drawPhoto, loseBlock } from '../../../test/processing/pictures.ts'
import { updateMedia } from '../media.sql.ts'

const soon = { timeout: 30_000 }
let photos = 0

async function makePhoto(): Promise<{ whole: Buffer; half: Buffer }> {
  const whole = await (await drawPhoto(640, 480, ++photos)).jpeg({ quality: 90 }).toBuffer()
  return { whole, half: whole.subarray(0, whole.length / 2) }
}

async function writeOriginal(library: Library, id: number, bytes: Buffer): Promise<void> {
  const [part] = await library.rows(`select key from media_parts where kind = 'original' and media_id = ${id}`)
  await writeFile(join(library.config.dataFolder, 'files', String(part?.key)), bytes)
}

/** How grey the bottom of a picture is, from 0 to 1: decoders fill missing data with the same grey. */
async function greyAtBottom(library: Library, url: string | undefined): Promise<number> {
  const picture = sharp((await fetchFrom(library, url)).bytes)
  const { width, height } = await picture.metadata()
  const strip = await picture
    .extract({ left: 0, top: height - 10, width, height: 10 })
    .raw()
    .toBuffer()
  return strip.filter(value => Math.abs(value - 128) < 4).length / strip.length
}

onOneEngine('a photo of which a part is lost', library => {
  const people = async () => ({ ben: await memberOf(library()), ada: await memberOf(library(), 'ada') })

  test('is shown as far as it can be read, says so, and is listed for the admins', async () => {
    const { ben, ada } = await people()
    const { whole } = await makePhoto()
    const holed = loseBlock(whole)
    const { id } = await uploadFile(ben, { name: 'half.jpg', bytes: holed })
    const file = await untilPrepared(ben, id)
    const shown = { status: 'ready', failure_reason: null, partly_damaged: true, incomplete: null }
    expect(file).toMatchObject({ ...shown, width: 640, height: 480 })
    expect((await fetchFrom(library(), file.download_url)).bytes).toEqual(holed)
    expect((await ben.call(listMedia, { query: { search: 'half' } })).files).toMatchObject([{ partly_damaged: true }])
    const sound = await uploadFile(ben, { name: 'sound.jpg', bytes: whole })
    expect(await untilPrepared(ben, sound.id)).toMatchObject({ status: 'ready', partly_damaged: false })
    expect(await ada.call(listFailedFiles, { query: {} })).toMatchObject([
      {
        id,
        original_name: 'half.jpg',
        problem: 'partly_damaged',
        reason:
          'Part of this photo cannot be read; the original is kept as it arrived. If you have a sound copy, upload it and delete this one.',
      },
    ])
  })

  test('is found when a browser made its pictures, and a sound one is not', async () => {
    const { ben } = await people()
    const { whole, half } = await makePhoto()
    const pictures = await makeClientPictures(whole)
    const isMarked = async (id: number) => (await ben.call(getMedia, { params: { id } })).partly_damaged
    const upload = async (name: string, bytes: Buffer) => {
      const { files } = await send(ben, photoForm(name, bytes, pictures))
      // The response does not wait for a check of the whole file, only for one of its end.
      expect(files).toMatchObject([{ status: 'ready', partly_damaged: bytes === half }])
      return files[0]?.id ?? 0
    }
    const [broken, sound] = [await upload('holed-here.jpg', loseBlock(whole)), await upload('sound-here.jpg', whole)]
    expect(await isMarked(await upload('half-here.jpg', half))).toBe(true)
    await expect.poll(() => isMarked(broken), soon).toBe(true)
    const jobsOf = (id: number) => library().rows(`select id from jobs where unique_key = 'media.prepare:${id}'`)
    await expect.poll(() => jobsOf(sound), soon).toEqual([])
    expect(await isMarked(sound)).toBe(false)
  })

  test('loses the mark when it is prepared again from sound bytes', async () => {
    const { ben, ada } = await people()
    const { whole, half } = await makePhoto()
    const { id } = await uploadFile(ben, { name: 'mended.jpg', bytes: half })
    const before = await untilPrepared(ben, id)
    expect(before.partly_damaged).toBe(true)
    expect(await greyAtBottom(library(), before.variant_urls?.mobile)).toBeGreaterThan(0.9)

    await writeOriginal(library(), id, whole)
    await ada.call(retryFailedFile, { params: { id } })
    const now = () => ben.call(getMedia, { params: { id } })
    await expect.poll(async () => (await now()).partly_damaged, soon).toBe(false)
    expect(await greyAtBottom(library(), (await now()).variant_urls?.mobile)).toBeLessThan(0.5)
    expect((await ada.call(listFailedFiles, { query: {} })).filter(file => file.id === id)).toEqual([])
    await expect(ada.call(retryFailedFile, { params: { id } })).rejects.toMatchObject({ status: 409 })
  })

  test.each(['uploaded', 'restored'])('on the disk loses the mark when its bytes are %s again', async way => {
    const { ben, ada } = await people()
    const { whole, half } = await makePhoto()
    const { id, hash } = await uploadFile(ben, { name: `${way}.jpg`, bytes: whole })
    await untilPrepared(ben, id)
    await writeOriginal(library(), id, half)
    // As if the disk had corrupted the bytes before the photo was prepared.
    await withDatabase(library(), db => db.transaction(tx => updateMedia(tx, id, { partly_damaged: 1 })))
    await expect(ben.call(rehashMedia, { params: { id }, body: { hash } })).rejects.toMatchObject({ status: 409 })
    const problems = async () => (await ada.call(listFailedFiles, { query: {} })).filter(file => file.id === id)
    expect(await problems()).toMatchObject([{ problem: 'damaged' }])

    if (way === 'uploaded') await uploadFile(ben, { name: `${way}.jpg`, bytes: whole })
    else {
      await writeOriginal(library(), id, whole)
      await ada.call(retryFailedFile, { params: { id } })
    }
    await expect.poll(problems, soon).toEqual([])
    expect(await ben.call(getMedia, { params: { id } })).toMatchObject({ status: 'ready', partly_damaged: false })
  })
})
