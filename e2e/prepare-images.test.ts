import { mkdir, readFile } from 'node:fs/promises'
import sharp from 'sharp'
import { makeVariants } from '../server/src/processing/images/variants.ts'
import { makeHeic } from '../server/test/processing/heic.ts'
import {
  type Colour,
  differenceFromQuadrants,
  drawPhoto,
  drawQuadrants,
  readQuadrants,
  storeFor,
} from '../server/test/processing/pictures.ts'
import { expect, type Preparation, type PreparedHere, test } from './support/prepare/preparation.ts'
import { ssim } from './support/ssim.ts'

const smaller = ['thumbnail', 'mobile', 'website', 'desktop'] as const

function sizes({ variants }: PreparedHere): string[] {
  return smaller.map(name => `${variants[name].width}x${variants[name].height}`)
}

async function expectLikeServer(
  preparation: Preparation,
  name: string,
  format: 'jpeg' | 'png' | 'webp' | 'tiff',
  file: Buffer,
) {
  const here = await preparation.image(name, file)
  const outDir = preparation.at('server')
  await mkdir(outDir, { recursive: true })
  const there = await makeVariants({ path: preparation.at(name), format, outDir, full: false })
  expect({ width: here.width, height: here.height }).toEqual({ width: there.width, height: there.height })
  for (const { name, path, width, height, mime } of there.variants) {
    expect(here.variants[name]).toMatchObject({ width, height, mime })
    expect(await ssim(here.variants[name].bytes, path), name).toBeGreaterThanOrEqual(0.97)
  }
}

test('a picture is made smaller, upright and with its transparency', async ({ preparation }) => {
  await test.step('a photo gets four variants within their bounds, and is its own full size', async () => {
    const photo = await drawQuadrants(3_200, 1_200)
      .jpeg()
      .withExif({ IFD0: { Make: 'Nikon' } })
      .toBuffer()
    const prepared = await preparation.image('beach.jpg', photo)
    expect(prepared).toMatchObject({ width: 3_200, height: 1_200, fullIsOriginal: true })
    expect(sizes(prepared)).toEqual(['300x113', '800x300', '1920x720', '2880x1080'])
    expect(Object.keys(prepared.variants)).toEqual([...smaller, 'full'])
    expect(prepared.variants.full).toMatchObject({ width: 3_200, height: 1_200, quality: 0.95, suffix: '_full' })
    expect(prepared.variants.full.bytes.equals(photo)).toBe(true)
    for (const name of smaller) {
      const { format, width, height, exif } = await sharp(prepared.variants[name].bytes).metadata()
      expect(`${format} ${width}x${height}`).toBe(`jpeg ${sizes(prepared)[smaller.indexOf(name)]}`)
      expect(exif).toBeUndefined()
    }
  })
  await test.step('a small picture is never enlarged', async () => {
    const prepared = await preparation.image('stamp.jpg', await drawQuadrants(200, 100).jpeg().toBuffer())
    expect(new Set(sizes(prepared))).toEqual(new Set(['200x100']))
  })
  await test.step('every EXIF orientation comes out upright', async () => {
    for (let orientation = 1; orientation <= 8; orientation++) {
      const stored = storeFor(orientation, drawQuadrants(400, 300))
      const photo = await sharp(await stored.png().toBuffer())
        .withMetadata({ orientation })
        .jpeg()
        .toBuffer()
      const prepared = await preparation.image(`turned-${orientation}.jpg`, photo)
      expect(`${orientation}: ${prepared.width}x${prepared.height}`).toBe(`${orientation}: 400x300`)
      expect(differenceFromQuadrants(await readQuadrants(prepared.variants.thumbnail.bytes))).toBeLessThan(12)
    }
  })
  await test.step('a PNG stays a PNG and keeps its transparency', async () => {
    const glass = {
      create: { width: 600, height: 400, channels: 4, background: { r: 200, g: 40, b: 40, alpha: 0.5 } },
    } as const
    const clear = await sharp({ create: { ...glass.create, background: '#0000' } })
      .composite([{ input: { create: { ...glass.create, width: 300 } }, left: 0, top: 0 }])
      .png()
      .toBuffer()
    const prepared = await preparation.image('glass.png', clear)
    const { data, info } = await sharp(prepared.variants.thumbnail.bytes).raw().toBuffer({ resolveWithObject: true })
    expect(info).toMatchObject({ width: 300, height: 200, channels: 4 })
    const pixel = (x: number) => [...data.subarray((100 * 300 + x) * 4, (100 * 300 + x) * 4 + 4)]
    const [red = 0, green = 0, blue = 0, alpha = 0] = pixel(75)
    expect(differenceFromQuadrants([[red, green, blue]])).toBeLessThan(4)
    expect(Math.abs(alpha - 128)).toBeLessThan(3)
    expect(pixel(225)[3]).toBe(0)
    // Transparent pixels must not bleed black into the edge (premultiplied alpha).
    const seam = pixel(149)
    expect(seam[0]).toBeGreaterThan(190)
  })
  await test.step('transparency in anything but a PNG becomes white', async () => {
    const clear = await sharp({ create: { width: 500, height: 400, channels: 4, background: '#0000' } })
      .webp()
      .toBuffer()
    const prepared = await preparation.image('clear.webp', clear)
    expect(prepared.variants.mobile.mime).toBe('image/jpeg')
    expect((await readQuadrants(prepared.variants.mobile.bytes)).flat().every(value => value > 250)).toBe(true)
  })
  await test.step('the kind of a picture is read from its bytes, whatever its name says', async () => {
    const prepared = await preparation.image('really-a-png.jpg', await drawQuadrants(400, 300).png().toBuffer())
    expect(prepared.variants.thumbnail.mime).toBe('image/png')
  })
  await test.step('a panorama is converted', async () => {
    const [width, height] = process.env.LONG ? [20_000, 5_000] : [12_000, 2_000]
    const panorama = await drawQuadrants(width, height).jpeg().toBuffer()
    const prepared = await preparation.image('panorama.jpg', panorama)
    expect(prepared).toMatchObject({ width, height })
    expect(differenceFromQuadrants(await readQuadrants(prepared.variants.desktop.bytes))).toBeLessThan(6)
  })
  await test.step('a file that the browser cannot open is left to the server, with the reason', async () => {
    const outcomeOf = async (name: string, content: Buffer) => {
      await preparation.choose(name, content)
      return preparation.page.evaluate(() => window.preparer.prepareImage(window.chosen()))
    }
    expect(await outcomeOf('scan.tif', await drawQuadrants(40, 30).tiff({ bigtiff: true }).toBuffer())).toEqual({
      outcome: 'server',
      reason: 'This browser cannot open pictures of this kind.',
    })
    expect(await outcomeOf('broken.jpg', Buffer.from('\xff\xd8\xff\xe0 and no more', 'latin1'))).toEqual({
      outcome: 'server',
      reason: 'This browser could not open the picture.',
    })
  })
  await test.step('a file that is not an image is rejected', async () => {
    await preparation.choose('notes.txt', Buffer.from('milk, bread'))
    const error = await preparation.page.evaluate(() =>
      window.preparer.prepareImage(window.chosen()).catch((error: Error) => `${error.name}: ${error.message}`),
    )
    expect(error).toBe('PreparationError: File is not an image')
  })
})

test('a HEIC or TIFF gets a JPEG of its full size', async ({ preparation }) => {
  await test.step('a HEIC photo gets a JPEG of its full size beside the original', async () => {
    const prepared = await preparation.image('IMG_0001.HEIC', makeHeic({ quarterTurns: 3, exifOrientation: 6 }))
    expect(prepared).toMatchObject({ width: 32, height: 64, fullIsOriginal: false })
    expect(prepared.variants.full).toMatchObject({ width: 32, height: 64, mime: 'image/jpeg' })
    const [topLeft, topRight, bottomLeft, bottomRight] = await readQuadrants(prepared.variants.full.bytes)
    expect(dominant(topLeft)).toBe('blue')
    expect(dominant(topRight)).toBe('red')
    expect(dominant(bottomRight)).toBe('green')
    expect(bottomLeft?.every(value => value > 200)).toBe(true)
  })
  await test.step('a TIFF gets a JPEG of its full size beside the original, upright', async () => {
    for (const [orientation, compression] of [
      [1, 'none'],
      [6, 'lzw'],
      [8, 'deflate'],
      [3, 'jpeg'],
    ] as const) {
      const stored = storeFor(orientation, drawQuadrants(400, 300))
      const scan = await sharp(await stored.png().toBuffer())
        .withMetadata({ orientation })
        .tiff({ compression, quality: 95 })
        .toBuffer()
      const prepared = await preparation.image(`scan-${compression}.tif`, scan)
      expect(prepared).toMatchObject({ width: 400, height: 300, fullIsOriginal: false })
      expect(prepared.variants.full).toMatchObject({ width: 400, height: 300, mime: 'image/jpeg', suffix: '_full' })
      for (const name of ['full', 'thumbnail'] as const) {
        const seen = await readQuadrants(prepared.variants[name].bytes)
        expect(differenceFromQuadrants(seen), `${compression} ${name}`).toBeLessThan(12)
      }
    }
  })
  await test.step('a TIFF with 16 bits, in grey, with transparency or with several pages is converted', async () => {
    const deep = await drawQuadrants(400, 300).toColourspace('rgb16').tiff({ compression: 'lzw' }).toBuffer()
    expect((await sharp(deep).metadata()).depth).toBe('ushort')
    const seen = await preparation.image('deep.tif', deep)
    expect(differenceFromQuadrants(await readQuadrants(seen.variants.full.bytes))).toBeLessThan(8)

    const grey = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#808080' } })
      .toColourspace('b-w')
      .tiff()
      .toBuffer()
    const [middle] = await readQuadrants((await preparation.image('grey.tif', grey)).variants.full.bytes)
    expect(Math.max(...(middle ?? [0]).map(value => Math.abs(value - 128)))).toBeLessThan(4)

    const clear = await sharp({ create: { width: 300, height: 200, channels: 4, background: '#0000' } })
      .tiff({ compression: 'lzw' })
      .toBuffer()
    const white = await readQuadrants((await preparation.image('clear.tif', clear)).variants.full.bytes)
    expect(white.flat().every(value => value > 250)).toBe(true)

    const page = await drawQuadrants(200, 150).png().toBuffer()
    const second = await sharp({ create: { width: 200, height: 150, channels: 3, background: 'black' } })
      .png()
      .toBuffer()
    const pages = await sharp([page, second], { join: { animated: true } })
      .tiff()
      .toBuffer()
    const first = await preparation.image('pages.tif', pages)
    expect(first).toMatchObject({ width: 200, height: 150 })
    expect(differenceFromQuadrants(await readQuadrants(first.variants.full.bytes))).toBeLessThan(12)
  })
})

test('pictures and their colours are like those that the server makes', async ({ preparation }) => {
  await test.step('the variants are like those that the server makes', async () => {
    const photo = await drawPhoto(3_000, 2_000)
    await expectLikeServer(preparation, 'landscape.jpg', 'jpeg', await photo.jpeg({ quality: 92 }).toBuffer())
    const portrait = await drawPhoto(700, 1_100)
    await expectLikeServer(preparation, 'portrait.png', 'png', await portrait.png().toBuffer())
  })
  await test.step('the colours of a TIFF with a profile are like those that the server makes', async () => {
    const photo = sharp(await (await drawPhoto(900, 600)).png().toBuffer())
    const scan = await photo.withIccProfile('p3').tiff({ compression: 'lzw' }).toBuffer()
    expect((await sharp(scan).metadata()).icc).toBeDefined()
    await expectLikeServer(preparation, 'profile.tif', 'tiff', scan)
  })
  await test.step('Display P3 colours look the same in sRGB', async () => {
    const red = await sharp({ create: { width: 400, height: 300, channels: 3, background: { r: 200, g: 60, b: 60 } } })
      .withIccProfile('p3')
      .jpeg({ quality: 100 })
      .toBuffer()
    const prepared = await preparation.image('p3.jpg', red)
    const { icc } = await sharp(red).metadata()
    expect(icc).toBeDefined()
    await expectLikeServer(preparation, 'p3.jpg', 'jpeg', red)
    const expected = await readQuadrants(await readFile(preparation.at('server/thumbnail.jpg')))
    const seen = await readQuadrants(prepared.variants.thumbnail.bytes)
    expect(largestDifference(seen, expected)).toBeLessThan(4)
  })
})

function dominant(colour: Colour | undefined): string | undefined {
  const [red, green, blue] = colour ?? [0, 0, 0]
  return ['red', 'green', 'blue'][[red, green, blue].indexOf(Math.max(red, green, blue))]
}

function largestDifference(some: Colour[], others: Colour[]): number {
  const values = others.flat()
  return Math.max(...some.flat().map((value, at) => Math.abs(value - (values[at] ?? 0))))
}
