import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import { expect, test } from 'vitest'
import type { VariantName } from '#contract/limits.ts'
import { makeHeic } from '../../../test/processing/heic.ts'
import { writeLayers, writeWithMagick } from '../../../test/processing/magick.ts'
import {
  differenceFromQuadrants,
  drawPhoto,
  drawQuadrants,
  makeRaf,
  readQuadrants,
  storeFor,
} from '../../../test/processing/pictures.ts'
import { startBench } from '../../../test/processing/start.ts'
import type { ImageFormat } from '../formats.ts'

import { applyOrientation } from './pixels.ts'
import type { MadeImage } from './variants.ts'

const { processing, folder } = startBench()
let count = 0

interface Made extends MadeImage {
  original: string
  path(name: string): string
}

async function make(format: ImageFormat, content: Buffer | Sharp): Promise<Made> {
  const outDir = join(folder, String(count++))
  mkdirSync(outDir)
  const path = join(folder, `${count}.upload`)
  writeFileSync(path, Buffer.isBuffer(content) ? content : await content.toBuffer())
  const made = await processing.makeVariants({ path, format, outDir })
  const find = (name: string) => made.variants.find(variant => variant.name === name)?.path ?? ''
  return { ...made, original: path, path: find }
}

function sizes({ variants }: MadeImage): Record<string, string> {
  return Object.fromEntries(variants.map(({ name, width, height }) => [name, `${width}x${height}`]))
}

test('a photo becomes four smaller ones, each within its bound', async () => {
  const made = await make('jpeg', drawQuadrants(3_200, 1_200).jpeg())
  expect(made).toMatchObject({ width: 3_200, height: 1_200, damaged: false })
  expect(sizes(made)).toEqual({
    desktop: '2880x1080',
    website: '1920x720',
    mobile: '800x300',
    thumbnail: '300x113',
  })
  for (const { path, width, height, size, mime } of made.variants) {
    expect(mime).toBe('image/jpeg')
    expect(await sharp(path).metadata()).toMatchObject({ format: 'jpeg', width, height })
    expect(statSync(path).size).toBe(size)
  }
  expect(Buffer.from(made.thumbhash, 'base64').length).toBeGreaterThan(4)
})

test('a small picture is never enlarged', async () => {
  const made = await make('jpeg', drawQuadrants(200, 100).jpeg())
  expect(new Set(Object.values(sizes(made)))).toEqual(new Set(['200x100']))
})

test('a line of one pixel keeps its one pixel', async () => {
  const made = await make('png', drawQuadrants(3_000, 1).png())
  expect(sizes(made)).toMatchObject({ desktop: '2880x1', thumbnail: '300x1' })
})

test.each([1, 2, 3, 4, 5, 6, 7, 8])('a photo stored with orientation %i is shown upright', async orientation => {
  const stored = storeFor(orientation, drawQuadrants(320, 160)).withMetadata({ orientation }).jpeg({ quality: 100 })
  const made = await make('jpeg', stored)
  expect(made).toMatchObject({ width: 320, height: 160 })
  for (const { path, width, height } of made.variants) {
    expect(width).toBe(2 * height)
    expect(differenceFromQuadrants(await readQuadrants(path))).toBeLessThan(12)
    expect((await sharp(path).metadata()).orientation).toBeUndefined()
  }
})

test.each(['jpeg', 'png', 'webp', 'tiff'] as const)(
  'Display P3 colours of a %s come out right in sRGB',
  async format => {
    const wide = drawQuadrants(320, 160).withIccProfile('p3').toFormat(format, { quality: 100 })
    const unmanaged = await sharp(await wide.toBuffer(), { ignoreIcc: true })
      .png()
      .toFile(join(folder, 'unmanaged.png'))
    expect(unmanaged.width).toBe(320)
    expect(differenceFromQuadrants(await readQuadrants(join(folder, 'unmanaged.png')))).toBeGreaterThan(20)

    const made = await make(format, wide)
    for (const { path } of made.variants) {
      expect(differenceFromQuadrants(await readQuadrants(path))).toBeLessThan(12)
      expect((await sharp(path).metadata()).icc).toBeUndefined()
    }
  },
)

test('the colours of print come out near those of the screen', async () => {
  const made = await make('jpeg', drawQuadrants(320, 160).toColourspace('cmyk').jpeg({ quality: 100 }))
  const [red] = await readQuadrants(made.path('desktop'))
  expect(red?.[0]).toBeGreaterThan(150)
  expect(red?.[2]).toBeLessThan(100)
})

test('no variant carries where and by whom the photo was taken', async () => {
  const exif = {
    IFD0: { Copyright: 'Ada', Artist: 'Ada' },
    IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1', GPSLongitudeRef: 'W', GPSLongitude: '0/1 7/1 0/1' },
  }
  const original = await drawQuadrants(320, 160)
    .withExif(exif)
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>')
    .jpeg()
    .toBuffer()
  expect((await sharp(original).metadata()).exif).toBeDefined()
  const made = await make('jpeg', original)
  for (const { path } of made.variants) {
    const { exif, xmp, iptc } = await sharp(path).metadata()
    expect([exif, xmp, iptc]).toEqual([undefined, undefined, undefined])
  }
})

test('a PNG stays PNG and keeps its transparency', async () => {
  const glass = sharp({
    create: { width: 900, height: 600, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0.5 } },
  })
  const made = await make('png', glass.png())
  for (const { path, mime } of made.variants) {
    expect(mime).toBe('image/png')
    const pixel = await sharp(path).extract({ left: 5, top: 5, width: 1, height: 1 }).raw().toBuffer()
    expect([...pixel]).toEqual([255, 0, 0, 128])
  }
})

test('transparency of anything else lies on white', async () => {
  const glass = sharp({
    create: { width: 900, height: 600, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0.5 } },
  })
  const made = await make('webp', glass.webp({ lossless: true }))
  const [pixel] = await readQuadrants(made.path('thumbnail'))
  expect(pixel?.[0]).toBeGreaterThan(250)
  expect(pixel?.[1]).toBeGreaterThan(120)
  expect(pixel?.[1]).toBeLessThan(135)
})

test.each(['gif', 'webp'] as const)('of a moving %s the first frame is taken', async format => {
  const frames = await Promise.all(
    ['red', 'blue'].map(background =>
      sharp({ create: { width: 40, height: 30, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  )
  const moving = sharp(frames, { join: { animated: true } }).toFormat(format, { delay: [100, 100], loop: 0 })
  const made = await make(format, moving)
  expect(made).toMatchObject({ width: 40, height: 30 })
  expect(await processing.isAnimated({ path: made.original, format })).toBe(true)
  const [pixel] = await readQuadrants(made.path('thumbnail'))
  expect(pixel?.[0]).toBeGreaterThan(240)
  expect(made.variants.map(variant => variant.name)).not.toContain('full')
})

test.each([
  ['a PNG with sixteen bits', 'png', drawQuadrants(320, 160).toColourspace('rgb16').png()],
  ['a TIFF with sixteen bits', 'tiff', drawQuadrants(320, 160).toColourspace('rgb16').tiff()],
  ['a PNG with a palette', 'png', drawQuadrants(320, 160).png({ palette: true })],
  ['an AVIF', 'avif', drawQuadrants(320, 160).avif({ quality: 90 })],
] as const)('%s keeps its colours', async (_what, format, picture) => {
  const made = await make(format, picture)
  expect(differenceFromQuadrants(await readQuadrants(made.path('thumbnail')))).toBeLessThan(12)
})

test('a grey picture stays grey', async () => {
  const made = await make('jpeg', drawQuadrants(320, 160).greyscale().toColourspace('b-w').jpeg())
  for (const [red, green, blue] of await readQuadrants(made.path('desktop'))) {
    expect(Math.abs(red - green) + Math.abs(green - blue)).toBeLessThan(4)
  }
})

test('what browsers cannot show is also made in full size', async () => {
  const made = await make('tiff', drawQuadrants(3_000, 500).tiff({ compression: 'lzw' }))
  expect(sizes(made)).toMatchObject({ full: '3000x500', desktop: '2880x480' })
  expect((await sharp(made.path('full')).metadata()).format).toBe('jpeg')
})

test('a rotated TIFF is upright in full size too', async () => {
  const stored = storeFor(6, drawQuadrants(320, 160)).withMetadata({ orientation: 6 }).tiff()
  const made = await make('tiff', stored)
  expect(sizes(made)).toMatchObject({ full: '320x160' })
  expect(differenceFromQuadrants(await readQuadrants(made.path('full')))).toBeLessThan(12)
})

test('a HEIC is shown', async () => {
  const made = await make('heic', makeHeic())
  expect(sizes(made)).toMatchObject({ full: '64x32', thumbnail: '64x32' })
  for (const { path } of made.variants) expect(differenceFromQuadrants(await readQuadrants(path))).toBeLessThan(16)
})

test('a HEIC that says twice how it must be turned is turned once', async () => {
  const made = await make('heic', makeHeic({ quarterTurns: 3, exifOrientation: 6 }))
  expect(made).toMatchObject({ width: 32, height: 64 })
  // A clockwise quarter turn moves blue to where red was.
  const [first] = await readQuadrants(made.path('full'))
  expect(first?.[2]).toBeGreaterThan(150)
  expect(first?.[0]).toBeLessThan(90)
})

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
  'a HEIC with the EXIF orientation %i is turned by it only if its container says nothing about that',
  async exifOrientation => {
    const expected = await applyOrientation(drawQuadrants(64, 32), exifOrientation).png().toBuffer()
    const made = await make('heic', makeHeic({ quarterTurns: null, exifOrientation }))
    const { width, height } = await sharp(expected).metadata()
    expect(made).toMatchObject({ width, height })
    for (const { path } of made.variants) expect(await largestDifference(path, expected)).toBeLessThan(16)

    const mirrored = await drawQuadrants(64, 32).flop().png().toBuffer()
    for (const [container, shown] of [
      [{ quarterTurns: 0 }, await drawQuadrants(64, 32).png().toBuffer()],
      [{ quarterTurns: null, mirrored: true }, mirrored],
    ] as const) {
      const both = await make('heic', makeHeic({ ...container, exifOrientation }))
      expect(both).toMatchObject({ width: 64, height: 32 })
      expect(await largestDifference(both.path('full'), shown)).toBeLessThan(16)
    }
  },
)

/** Between the colours of the quadrants of two pictures. */
async function largestDifference(one: string, other: Buffer): Promise<number> {
  const [first, second] = [await readQuadrants(one), await readQuadrants(other)]
  return Math.max(...first.flat().map((value, index) => Math.abs(value - (second.flat()[index] ?? 0))))
}

test('a HEIC keeps to its colour profile', async () => {
  const p3 = (await sharp(await drawQuadrants(8, 8).withIccProfile('p3').png().toBuffer()).metadata()).icc
  if (!p3) throw new Error('sharp made no profile')
  const plain = await make('heic', makeHeic())
  const wide = await make('heic', makeHeic({ icc: p3 }))
  for (const name of ['thumbnail', 'full']) {
    const [plainRed] = await readQuadrants(plain.path(name))
    const [wideRed] = await readQuadrants(wide.path(name))
    expect(wideRed?.[0]).toBeGreaterThan((plainRed?.[0] ?? 0) + 8)
    expect(wideRed?.[1]).toBeLessThan(plainRed?.[1] ?? 0)
  }
})

test.each(['jxl', 'bmp', 'jp2', 'j2k', 'psd', 'psb'] as const)('a %s is shown', async format => {
  const made = await make(format, await writeWithMagick(await drawQuadrants(320, 160).png().toBuffer(), format))
  expect(sizes(made)).toMatchObject({ full: '320x160', thumbnail: '300x150' })
  for (const { path } of made.variants) expect(differenceFromQuadrants(await readQuadrants(path))).toBeLessThan(12)
})

test('of a Photoshop file the whole is shown, whatever its layers hold', async () => {
  const whole = await drawQuadrants(320, 160).png().toBuffer()
  const layer = await sharp({ create: { width: 320, height: 160, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
  const made = await make('psd', await writeLayers(whole, layer))
  expect(sizes(made)).toMatchObject({ full: '320x160' })
  expect(differenceFromQuadrants(await readQuadrants(made.path('full')))).toBeLessThan(12)
})

test('a rotated JXL in Display P3 is upright and has the right colours', async () => {
  const stored = await storeFor(6, drawQuadrants(320, 160)).withIccProfile('p3').png().toBuffer()
  const made = await make('jxl', await writeWithMagick(stored, 'jxl', { orientation: 6 }))
  expect(made).toMatchObject({ width: 320, height: 160 })
  for (const { path } of made.variants) expect(differenceFromQuadrants(await readQuadrants(path))).toBeLessThan(12)
})

test('a RAW file is shown by its preview, turned as the camera was held', async () => {
  const preview = await storeFor(6, drawQuadrants(640, 320))
    .withMetadata({ orientation: 6 })
    .jpeg({ quality: 100 })
    .toBuffer()
  const made = await make('raf', makeRaf(preview))
  expect(sizes(made)).toMatchObject({ full: '640x320', thumbnail: '300x150' })
  expect(differenceFromQuadrants(await readQuadrants(made.path('full')))).toBeLessThan(12)
  const [first] = made.variants
  expect(readdirSync(dirname(first?.path ?? '')).filter(name => name.startsWith('preview'))).toEqual([])
})

test('a RAW file without a preview says so', async () => {
  await expect(make('raf', makeRaf(Buffer.alloc(0)))).rejects.toMatchObject({
    failure: 'unsupported',
    message: "This kind of file can't be shown yet; the original is safe.",
  })
})

test('a photo cut short shows what there is of it', async () => {
  const whole = await (await drawPhoto(800, 600)).jpeg().toBuffer()
  const made = await make('jpeg', whole.subarray(0, whole.length * 0.6))
  expect(made).toMatchObject({ damaged: true, width: 800, height: 600 })
  expect(made.variants).toHaveLength(4)
})

test('a photo of which only the header is left has nothing to show', async () => {
  const whole = await (await drawPhoto(800, 600)).jpeg().toBuffer()
  const pixelsBegin = whole.indexOf(Buffer.of(0xff, 0xda)) + 14
  await expect(make('jpeg', whole.subarray(0, pixelsBegin))).rejects.toMatchObject({ failure: 'unreadable' })
})

test('a panorama of 100 megapixels is shown', async () => {
  const panorama = sharp({ create: { width: 25_000, height: 4_000, channels: 3, background: 'teal' } }).jpeg()
  const made = await make('jpeg', panorama)
  expect(sizes(made)).toMatchObject({ desktop: '2880x461' })
})

const photo = { width: 4_032, height: 3_024 }

async function check(
  name: VariantName,
  content: Sharp | Buffer,
  claim: { original?: { width: number; height: number }; originalFormat?: string } = {},
) {
  const path = join(folder, `${count++}`)
  writeFileSync(path, Buffer.isBuffer(content) ? content : await content.toBuffer())
  return processing.checkVariant({ path, name, originalFormat: 'jpeg', original: photo, ...claim })
}

test('a thumbnail as it should be is taken', async () => {
  const verdict = await check('thumbnail', drawQuadrants(300, 225).jpeg())
  expect(verdict).toMatchObject({ ok: true, width: 300, height: 225, mime: 'image/jpeg' })
  expect(verdict).toHaveProperty('thumbhash', expect.stringMatching(/^[\w+/=]{20,}$/))
})

test('a picture may be rounded either way, and smaller than it might be', async () => {
  const original = { width: 1_000, height: 667 }
  expect(await check('thumbnail', drawQuadrants(300, 200).jpeg(), { original })).toMatchObject({ ok: true })
  expect(await check('thumbnail', drawQuadrants(300, 201).jpeg(), { original })).toMatchObject({ ok: true })
  expect(await check('thumbnail', drawQuadrants(150, 100).jpeg(), { original })).toMatchObject({ ok: true })
})

test('the full picture is as large as the original', async () => {
  expect(await check('full', drawQuadrants(403, 302).jpeg(), { original: { width: 403, height: 302 } })).toMatchObject({
    ok: true,
  })
})

test.each([
  ['one that is too large for its kind', drawQuadrants(400, 300).jpeg(), 'At 400 × 300 it is too large for its kind.'],
  ['one of another shape', drawQuadrants(300, 300).jpeg(), 'At 300 × 300 it has another shape than the original.'],
  ['a PNG of a JPEG', drawQuadrants(300, 225).png(), 'It is not a JPEG file.'],
  ['a WebP', drawQuadrants(300, 225).webp(), 'It is not a JPEG file.'],
  ['a page', Buffer.from('<html><script>alert(1)</script>'), 'It is not a JPEG file.'],
  ['nothing', Buffer.alloc(0), 'It is not a JPEG file.'],
  [
    'one that lies on its side',
    drawQuadrants(300, 225).withMetadata({ orientation: 6 }).jpeg(),
    'It is not stored upright.',
  ],
  [
    'one that tells where it was taken',
    drawQuadrants(300, 225)
      .withExif({ IFD0: { Artist: 'Ada' } })
      .jpeg(),
    'It carries metadata of its own.',
  ],
])('%s is refused', async (_what, content, reason) => {
  expect(await check('thumbnail', content)).toEqual({ ok: false, reason })
})

/** With a segment after the marker that begins every JPEG. */
function withSegment(jpeg: Buffer, marker: number, text: string): Buffer {
  const content = Buffer.from(text, 'latin1')
  const head = Buffer.from([0xff, marker, 0, content.length + 2])
  return Buffer.concat([jpeg.subarray(0, 2), head, content, jpeg.subarray(2)])
}

test('one with any data beside its picture is refused', async () => {
  const refused = { ok: false, reason: 'It carries metadata of its own.' }
  const jpeg = await drawQuadrants(300, 225).jpeg({ progressive: true }).withIccProfile('p3').toBuffer()
  expect(await check('thumbnail', jpeg)).toMatchObject({ ok: true })
  for (const [marker, text] of [
    ...([0xfe, 0xe0, 0xe1, 0xe2, 0xe5, 0xee] as const).map(marker => [marker, 'at 51.5, -0.12'] as const),
    [0xe1, 'http://ns.adobe.com/xmp/extension/\0'],
  ] as const) {
    expect([marker, await check('thumbnail', withSegment(jpeg, marker, text))]).toEqual([marker, refused])
  }
  // As phones append the clip of a motion photo.
  expect(await check('thumbnail', Buffer.concat([jpeg, Buffer.from('clip')]))).toEqual(refused)

  const png = await drawQuadrants(300, 225).png().toBuffer()
  const text = Buffer.from('\0\0\0\x09tEXtComment\0x____', 'latin1')
  text.writeUInt32BE(crc32(text.subarray(4, -4)), text.length - 4)
  const [start, rest] = [png.subarray(0, 33), png.subarray(33)]
  for (const content of [Buffer.concat([start, text, rest]), Buffer.concat([png, text])]) {
    expect(await check('thumbnail', content, { originalFormat: 'png' })).toEqual(refused)
  }
})

test('one larger than the original is refused', async () => {
  const original = { width: 200, height: 150 }
  expect(await check('thumbnail', drawQuadrants(300, 225).jpeg(), { original })).toEqual({
    ok: false,
    reason: 'At 300 × 225 it is larger than the original.',
  })
})

test('a PNG takes PNG alone', async () => {
  const png = { originalFormat: 'png' }
  expect(await check('thumbnail', drawQuadrants(300, 225).png(), png)).toMatchObject({ ok: true, mime: 'image/png' })
  expect(await check('thumbnail', drawQuadrants(300, 225).jpeg(), png)).toEqual({
    ok: false,
    reason: 'It is not a PNG file.',
  })
})

test('one whose pixels break off is refused, though its header is right', async () => {
  const whole = await drawQuadrants(300, 225).jpeg().toBuffer()
  expect(await check('thumbnail', whole.subarray(0, whole.length - 400))).toEqual({
    ok: false,
    reason: expect.stringContaining('damaged'),
  })
})

test('the size of an original is measured as it is seen', async () => {
  const path = join(folder, 'sideways.jpg')
  writeFileSync(path, await drawQuadrants(400, 300).withMetadata({ orientation: 6 }).jpeg().toBuffer())
  expect(await processing.measure({ path, format: 'jpeg' })).toEqual({
    width: 300,
    height: 400,
    hdr: false,
  })
})
