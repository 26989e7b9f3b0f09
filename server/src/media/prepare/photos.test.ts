import sharp from 'sharp'
import { expect, test } from 'vitest'
import { variants } from '#contract/limits.ts'
import { getMedia } from '#contract/media.ts'
import { fetchFrom } from '../../../test/fixtures/addresses.ts'
import { minimisedAvif } from '../../../test/fixtures/bombs.ts'
import { clipMaker } from '../../../test/fixtures/clips.ts'
import { memberOf } from '../../../test/fixtures/members.ts'
import { makeClientPictures, makePicture, type PictureFormat, viewingSizes } from '../../../test/fixtures/pictures.ts'
import { remainsAtRest } from '../../../test/fixtures/remains.ts'
import { asFile, photoForm, send, untilPrepared, uploadFile } from '../../../test/fixtures/uploads.ts'
import { type Library, onOneEngine } from '../../../test/library.ts'
import { makeHeic } from '../../../test/processing/heic.ts'
import { drawQuadrants, makeRaf, storeFor } from '../../../test/processing/pictures.ts'
import { picture } from '../../../test/processing/video-clips.ts'

const make = await clipMaker()
/** Each clip is unique, because uploads are deduplicated by hash. */
let clips = 0
const unlike = () => ['-vf', `hue=h=${(++clips * 17) % 360}`]

const moving = (name: string, ...codec: string[]) =>
  make(name, ...picture('64x48', 1), '-r', '5', ...codec, ...unlike())

async function bytesAt(library: Library, url: string | null | undefined): Promise<Buffer> {
  return (await fetchFrom(library, url)).bytes
}

onOneEngine('a photo is prepared:', library => {
  const formats: PictureFormat[] = ['jpeg', 'png', 'webp', 'gif', 'avif', 'tiff']
  test.each(formats)('of a %s four pictures are made, none larger than its bound', async format => {
    const ben = await memberOf(library())
    const bytes = await makePicture({ width: 1_000, height: 500, format })
    const { id } = await uploadFile(ben, { name: `large.${format}`, bytes })
    const file = await untilPrepared(ben, id)
    expect(file).toMatchObject({ status: 'ready', failure_reason: null, progress: null, width: 1_000, height: 500 })
    for (const name of viewingSizes) {
      const made = await sharp(await bytesAt(library(), file.variant_urls?.[name])).metadata()
      const width = Math.min(1_000, variants[name].maxSize)
      expect(made).toMatchObject({ width, height: width / 2, format: format === 'png' ? 'png' : 'jpeg' })
    }
    const shown = await sharp(await bytesAt(library(), file.url)).metadata()
    expect(shown).toMatchObject({
      width: 1_000,
      format: format === 'tiff' ? 'jpeg' : format === 'avif' ? 'heif' : format,
    })
    expect(await bytesAt(library(), file.download_url)).toEqual(bytes)
  })

  test.each([
    ['HEIC', 'IMG_0001.HEIC', async () => makeHeic()],
    ['RAW file', 'DSCF0001.RAF', async () => makeRaf(await makePicture({ width: 64, height: 32 }))],
  ])('of a %s browsers are shown a JPEG', async (_, name, take) => {
    const ben = await memberOf(library())
    const bytes = await take()
    const { id, url } = await uploadFile(ben, { name, bytes })
    expect(url).toBeNull()
    const file = await untilPrepared(ben, id)
    expect(file).toMatchObject({ status: 'ready', width: 64, height: 32, file_size: bytes.length })
    expect(await sharp(await bytesAt(library(), file.url)).metadata()).toMatchObject({ format: 'jpeg', width: 64 })
    expect(await bytesAt(library(), file.download_url)).toEqual(bytes)
  })

  const animations = [
    ['WebP', 'webp', () => moving('moving.webp', '-c:v', 'libwebp_anim', '-loop', '0')],
    ['PNG', 'png', () => moving('moving.apng', '-c:v', 'apng', '-plays', '0', '-f', 'apng')],
    ['GIF', 'gif', () => moving('moving.gif')],
  ] as const

  test.each(animations)('a %s that moves is marked as animated and plays', async (_what, extension, film) => {
    const ben = await memberOf(library())
    const bytes = await film()
    const { id } = await uploadFile(ben, { name: `moving.${extension}`, bytes })
    const file = await untilPrepared(ben, id)
    expect(file).toMatchObject({ status: 'ready', animated: true, file_type: 'image' })
    expect(await fetchFrom(library(), file.url)).toEqual({ bytes, type: file.mime_type })
    // An S3 store, whose URLs are absolute, sends its own headers.
    if (file.url?.startsWith('/')) {
      const { headers } = await library().anyone.fetch(file.url)
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('content-security-policy')).toContain('sandbox')
    }

    const still = await uploadFile(ben, { name: `still.${extension}`, bytes: await makePicture({ format: extension }) })
    expect(await untilPrepared(ben, still.id)).toMatchObject({ status: 'ready', animated: false })
  })

  test.each(animations)(
    'a %s that moves is marked as animated when a browser prepared it',
    async (_what, extension, film) => {
      const ben = await memberOf(library())
      const bytes = await film()
      const name = `moving-here.${extension}`
      const { files } = await send(ben, photoForm(name, bytes, await makeClientPictures(bytes)))
      expect(files).toMatchObject([{ status: 'ready' }])
      const id = files[0]?.id ?? 0
      const isAnimated = async () => (await ben.call(getMedia, { params: { id } })).animated
      await expect.poll(isAnimated, { timeout: 30_000 }).toBe(true)
    },
  )

  test('a rotated one is shown upright', async () => {
    const ben = await memberOf(library())
    const lying = storeFor(6, drawQuadrants(60, 40)).withMetadata({ orientation: 6 })
    const { id } = await uploadFile(ben, { name: 'upright.jpg', bytes: await lying.jpeg().toBuffer() })
    const file = await untilPrepared(ben, id)
    expect(file).toMatchObject({ width: 60, height: 40, metadata: { orientation: 6 } })
    const thumbnail = sharp(await bytesAt(library(), file.thumbnail_url))
    expect(await thumbnail.metadata()).toMatchObject({ width: 60, height: 40 })
    const [red = 0, green = 0, blue = 0] = await thumbnail
      .extract({ left: 5, top: 5, width: 1, height: 1 })
      .raw()
      .toBuffer()
    expect([red > 150, green < 90, blue < 90]).toEqual([true, true, true])
  })

  test('what the camera wrote wins over what the browser read of it', async () => {
    const ben = await memberOf(library())
    const bytes = await sharp(await makePicture())
      .withExif({ IFD0: { Make: 'Canon', Model: 'EOS R6' }, IFD2: { DateTimeOriginal: '2021:05:06 07:08:09' } })
      .jpeg()
      .toBuffer()
    const metadata = { make: 'Wrong', model: 'Wrong', iso: 400, dateTimeOriginal: '2011-01-01T00:00:00' }
    const { id } = await uploadFile(ben, { name: 'camera.jpg', bytes, metadata })
    const file = await untilPrepared(ben, id)
    expect(file.camera).toBe('Canon EOS R6')
    expect(file.metadata).toMatchObject({ make: 'Canon', model: 'EOS R6', iso: 400 })
    expect(file.taken_at).toBe('2021-05-06T07:08:09')
  })

  test('a photo whose pictures the browser made gets its camera and place all the same', async () => {
    const ben = await memberOf(library())
    const bytes = await sharp(await makePicture({ width: 400, height: 300 }))
      .withExif({
        IFD0: { Make: 'Canon', Model: 'EOS R6' },
        IFD3: {
          GPSLatitudeRef: 'N',
          GPSLatitude: '48/1 51/1 30/1',
          GPSLongitudeRef: 'E',
          GPSLongitude: '2/1 17/1 40/1',
        },
      })
      .jpeg()
      .toBuffer()
    const { files } = await send(ben, photoForm('paris.jpg', bytes, await makeClientPictures(bytes)))
    expect(files).toMatchObject([{ status: 'ready', location: null }])
    const now = () => ben.call(getMedia, { params: { id: files[0]?.id ?? 0 } })
    // The status stays `ready` throughout, so poll for the location instead.
    await expect.poll(async () => (await now()).location, { timeout: 30_000 }).toBe('Paris, France')
    expect(await now()).toMatchObject({ status: 'ready', camera: 'Canon EOS R6' })
  })

  test('wrong variants from the client are made again', async () => {
    const ben = await memberOf(library())
    const original = await makePicture({ width: 900, height: 600 })
    const good = await makeClientPictures(original)
    const otherShape = await makeClientPictures(await makePicture({ width: 600, height: 900 }))
    const broken = {
      'of another shape': { ...good, mobile: otherShape.mobile },
      'too large': { ...good, thumbnail: good.mobile },
      'no pictures': { ...good, website: { ...good.website, bytes: Buffer.from('<svg/>') } },
      'cut off': { ...good, desktop: { ...good.desktop, bytes: good.desktop.bytes.subarray(0, 400) } },
      missing: { thumbnail: good.thumbnail, mobile: good.mobile },
    }
    for (const [what, pictures] of Object.entries(broken)) {
      const bytes = await makePicture({ width: 900, height: 600 })
      const { files } = await send(ben, photoForm(`${what}.jpg`, bytes, pictures))
      expect(files, what).toMatchObject([{ status: 'processing', thumbnail_url: null, variant_urls: null }])
      const file = await untilPrepared(ben, files[0]?.id ?? 0)
      expect(file.status, what).toBe('ready')
      const mobile = await sharp(await bytesAt(library(), file.variant_urls?.mobile)).metadata()
      expect(mobile, what).toMatchObject({ width: 800, height: 533, format: 'jpeg' })
    }
  })

  test("a client's JPEG of a TIFF is what browsers are shown, and the TIFF is kept as it came", async () => {
    const ben = await memberOf(library())
    const original = await makePicture({ width: 400, height: 300, format: 'tiff' })
    const shown = await sharp(original).jpeg({ quality: 95 }).toBuffer()
    const form = photoForm('scan.tif', shown, await makeClientPictures(original))
    form.append('files', asFile(original), 'original_scan.tif')
    const { files } = await send(ben, form)
    expect(files).toMatchObject([{ status: 'ready', width: 400, height: 300, original_name: 'scan.tif' }])
    expect(await bytesAt(library(), files[0]?.url)).toEqual(shown)
    expect(await bytesAt(library(), files[0]?.download_url)).toEqual(original)
  })

  test("a client's version of an original that browsers cannot show is made again if its proportions differ", async () => {
    const ben = await memberOf(library())
    const original = await makePicture({ width: 400, height: 300, format: 'tiff' })
    const shown = await makePicture({ width: 300, height: 400 })
    const form = photoForm('scan.tif', shown, await makeClientPictures(original))
    form.append('files', asFile(original), 'original_scan.tif')
    const { files } = await send(ben, form)
    expect(files).toMatchObject([{ status: 'processing', url: null }])
    const file = await untilPrepared(ben, files[0]?.id ?? 0)
    expect(await sharp(await bytesAt(library(), file.url)).metadata()).toMatchObject({ width: 400, height: 300 })
  })

  test('nothing is left over in the end', async () => {
    await remainsAtRest(library())
    await library().restart()
    const { stored, owned, pendingKeys, scratch } = await remainsAtRest(library())
    expect(stored).toEqual(owned)
    expect([pendingKeys, scratch]).toEqual([[], []])
  })
})

// In a separate library, because failed jobs are kept.
onOneEngine('a picture that the decoders cannot read', library => {
  test('an animated AVIF is marked as animated, and its original is played', async () => {
    const ben = await memberOf(library())
    const bytes = await moving('moving.avif', '-c:v', 'libaom-av1', '-cpu-used', '8', '-pix_fmt', 'yuv420p')
    const { id } = await uploadFile(ben, { name: 'moving.avif', bytes })
    const file = await untilPrepared(ben, id)
    expect(file).toMatchObject({ animated: true, file_type: 'image', mime_type: 'image/avif' })
    expect(await fetchFrom(library(), file.url)).toMatchObject({ bytes, type: 'image/avif' })
  })

  test.each([
    ['AVIF', 'image/avif', (bytes: Buffer) => bytes],
    [
      'HEIF',
      'image/heic',
      (bytes: Buffer) => Buffer.concat([bytes.subarray(0, 12), Buffer.from('heic'), bytes.subarray(16)]),
    ],
  ])(
    'a minimised %s is a picture of a kind that cannot be shown yet, not a broken video',
    async (_what, mime, change) => {
      const ben = await memberOf(library())
      const bytes = change(await minimisedAvif())
      const { id } = await uploadFile(ben, { name: `mini-${mime.slice(6)}.bin`, bytes })
      expect(await untilPrepared(ben, id)).toMatchObject({
        ...{ file_type: 'image', mime_type: mime, status: 'failed', variant_urls: null },
        failure_reason: "This kind of file can't be shown yet; the original is safe.",
      })
    },
  )
})
