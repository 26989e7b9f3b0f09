import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { makeHeic } from '../../../test/processing/heic.ts'
import { writeWithMagick } from '../../../test/processing/magick.ts'
import { drawPhoto, makeRaf, randomNumbers } from '../../../test/processing/pictures.ts'
import { startBench } from '../../../test/processing/start.ts'
import { ProcessingError } from '../errors.ts'
import type { ImageFormat } from '../formats.ts'

const { processing, folder } = startBench({ decoders: 2, timeoutMs: 30_000, memoryMb: 800 })
let count = 0

/** Feeds bytes to the decoder. The result must be a picture or a readable error, without leftover files. */
async function feed(format: ImageFormat, content: Buffer): Promise<'shown' | ProcessingError> {
  const outDir = join(folder, `out-${count}`)
  const path = join(folder, `in-${count++}`)
  mkdirSync(outDir)
  writeFileSync(path, content)
  try {
    const made = await processing.makeVariants({ path, format, outDir })
    for (const variant of made.variants) expect(existsSync(variant.path)).toBe(true)
    return 'shown'
  } catch (error) {
    if (!(error instanceof ProcessingError)) throw error
    expect(error.message).toMatch(/^[A-Z].{10,400}\.$/s)
    expect(error.message).not.toContain(folder)
    expect(readdirSync(outDir)).toEqual([])
    return error
  }
}

async function stillServing(): Promise<void> {
  expect(await feed('jpeg', await (await drawPhoto(60, 40)).jpeg().toBuffer())).toBe('shown')
}

async function samples(): Promise<[ImageFormat, Buffer][]> {
  const photo = await drawPhoto(160, 120)
  const png = await photo.clone().png().toBuffer()
  const jpeg = await photo.clone().jpeg().toBuffer()
  return [
    [
      'jpeg',
      await photo
        .clone()
        .withExif({ IFD0: { Artist: 'Ada' } })
        .withIccProfile('p3')
        .jpeg()
        .toBuffer(),
    ],
    ['jpeg', await photo.clone().jpeg({ progressive: true }).toBuffer()],
    ['png', png],
    ['png', await photo.clone().png({ palette: true, progressive: true }).toBuffer()],
    ['webp', await photo.clone().webp().toBuffer()],
    ['gif', await photo.clone().gif().toBuffer()],
    ['avif', await photo.clone().avif({ effort: 0 }).toBuffer()],
    ['tiff', await photo.clone().tiff({ compression: 'lzw' }).toBuffer()],
    [
      'tiff',
      await photo.clone().tiff({ compression: 'deflate', tile: true, tileWidth: 64, tileHeight: 64 }).toBuffer(),
    ],
    ['heic', makeHeic()],
    ['jxl', await writeWithMagick(png, 'jxl')],
    ['bmp', await writeWithMagick(png, 'bmp')],
    ['jp2', await writeWithMagick(png, 'jp2')],
    ['j2k', await writeWithMagick(png, 'j2k')],
    ['psd', await writeWithMagick(png, 'psd')],
    ['psb', await writeWithMagick(png, 'psb')],
    ['raf', makeRaf(jpeg)],
  ]
}

function spoil(bytes: Buffer, random: () => number): Buffer {
  const spoilt = Buffer.from(bytes)
  const place = () => Math.floor(random() * spoilt.length)
  const flips = Math.ceil(random() * 12)
  // Headers are short but decide most, so half of the flips are there.
  for (let flip = 0; flip < flips; flip++) {
    const at = random() < 0.5 ? place() % 300 : place()
    spoilt[at] = (spoilt[at] ?? 0) ^ (1 << Math.floor(random() * 8))
  }
  return random() < 0.4 ? spoilt.subarray(0, place()) : spoilt
}

const rounds = process.env.LONG ? 5_000 : 104

test(`${rounds} spoilt files each end as a picture or as a sentence`, { timeout: rounds * 2_000 }, async () => {
  const random = randomNumbers(Number(process.env.SEED ?? 7))
  const whole = await samples()
  const orders = Array.from({ length: rounds }, (_, round) => {
    const [format, bytes] = whole[round % whole.length] ?? ['jpeg', Buffer.alloc(0)]
    return [format, spoil(bytes, random)] as const
  })
  const outcomes = { shown: 0, refused: 0 }
  const lane = async () => {
    for (let order = orders.pop(); order; order = orders.pop()) {
      const outcome = await feed(...order)
      outcomes[outcome === 'shown' ? 'shown' : 'refused']++
    }
  }
  await Promise.all([lane(), lane()])
  // If all outcomes were the same, the corruption would be too weak or too strong to test anything.
  expect(Math.min(outcomes.shown, outcomes.refused)).toBeGreaterThan(rounds / 10)
  await stillServing()
})

test('whole files of every kind are shown', async () => {
  for (const [format, bytes] of await samples()) expect([format, await feed(format, bytes)]).toEqual([format, 'shown'])
})

test.each([
  'jpeg',
  'png',
  'webp',
  'gif',
  'avif',
  'tiff',
  'heic',
  'jxl',
  'bmp',
  'jp2',
  'j2k',
  'psd',
  'psb',
  'raf',
  'cr2',
] as const)('an empty %s ends with a sentence', async format => {
  expect(await feed(format, Buffer.alloc(0))).toBeInstanceOf(ProcessingError)
})

test('a drawing that calls itself a photo is not drawn', async () => {
  const svg = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>',
  )
  expect(await feed('jpeg', svg)).toMatchObject({ failure: 'unreadable' })
})

/** A decompression bomb: a one-colour PNG of `width` × `height` pixels of one bit. */
function flatPng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const head = Buffer.alloc(8)
    head.writeUInt32BE(data.length)
    head.write(type, 4, 'latin1')
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc32(Buffer.concat([head.subarray(4), data])))
    return Buffer.concat([head, data, sum])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 1
  const rows = deflateSync(Buffer.alloc(Math.ceil(width / 8 + 1) * height), { level: 1 })
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', rows), chunk('IEND', Buffer.alloc(0))])
}

function withSize(bytes: Buffer, at: number, [first, second]: [number, number], order: 'BE' | 'LE'): Buffer {
  const changed = Buffer.from(bytes)
  changed[`writeUInt16${order}`](first, at)
  changed[`writeUInt16${order}`](second, at + 2)
  return changed
}

test('a PNG that unfolds to 900 megapixels is refused by its size', async () => {
  expect(await feed('png', flatPng(30_000, 30_000))).toMatchObject({
    failure: 'too_large',
    message: 'This photo is too large to show (900 megapixels); the original is safe.',
  })
  await stillServing()
})

test.each([
  [65_500, 'too_large'],
  [65_535, 'unreadable'],
])('a JPEG header that claims %i pixels either way is refused', async (side, failure) => {
  const jpeg = await (await drawPhoto(64, 64)).jpeg().toBuffer()
  const size = jpeg.indexOf(Buffer.of(0xff, 0xc0)) + 5
  expect(await feed('jpeg', withSize(jpeg, size, [side, side], 'BE'))).toMatchObject({ failure })
})

test('a GIF of 65535 × 65535 pixels is refused by its size', async () => {
  const gif = await (await drawPhoto(64, 64)).gif().toBuffer()
  const frame = gif.indexOf(Buffer.of(0x2c, 0, 0, 0, 0, 64, 0, 64, 0)) + 5
  const huge: [number, number] = [65_535, 65_535]
  expect(await feed('gif', withSize(withSize(gif, 6, huge, 'LE'), frame, huge, 'LE'))).toMatchObject({
    failure: 'too_large',
  })
  await stillServing()
})

test('a BMP that claims a billion pixels is refused by its size', async () => {
  const bmp = await writeWithMagick(await (await drawPhoto(64, 64)).png().toBuffer(), 'bmp')
  bmp.writeInt32LE(40_000, 18)
  bmp.writeInt32LE(40_000, 22)
  expect(await feed('bmp', bmp)).toBeInstanceOf(ProcessingError)
  const psd = await writeWithMagick(await (await drawPhoto(64, 64)).png().toBuffer(), 'psd')
  psd.writeUInt32BE(29_000, 14)
  psd.writeUInt32BE(29_000, 18)
  expect(await feed('psd', psd)).toMatchObject({ failure: 'too_large' })
  const codestream = await writeWithMagick(await (await drawPhoto(64, 64)).png().toBuffer(), 'j2k')
  codestream.writeUInt32BE(40_000, 8)
  codestream.writeUInt32BE(40_000, 12)
  expect(await feed('j2k', codestream)).toBeInstanceOf(ProcessingError)
  await stillServing()
})

test('a Photoshop file that cannot hold the pixels it claims is refused before they are filled', async () => {
  const photo = await (await drawPhoto(64, 64)).png().toBuffer()
  const psb = await writeWithMagick(photo, 'psb')
  psb.writeUInt32BE(300_000, 14)
  psb.writeUInt32BE(300_000, 18)
  expect(await feed('psb', psb)).toMatchObject({ failure: 'too_large' })
  const psd = await writeWithMagick(photo, 'psd')
  psd.writeUInt32BE(16_000, 14)
  psd.writeUInt32BE(16_000, 18)
  const message = 'The file is damaged and could not be read (it is too short for its size).'
  expect(await feed('psd', psd)).toMatchObject({ failure: 'unreadable', message })
})

test.runIf(process.env.LONG)(
  'a PNG that unfolds to just within the bound is shown, or stopped at a limit',
  { timeout: 60_000 },
  async () => {
    const outcome = await feed('png', flatPng(16_000, 16_000))
    if (outcome !== 'shown') expect(['time', 'memory']).toContain(outcome.failure)
    await stillServing()
  },
)

test('a picture 65535 pixels long and one high is shown', async () => {
  const line = sharp({ create: { width: 65_000, height: 1, channels: 3, background: 'teal' } })
  expect(await feed('jpeg', await line.jpeg().toBuffer())).toBe('shown')
})

test('a photo with a page behind it becomes photos without one', async () => {
  const page = '<html><script>alert(1)</script></html>'
  const outDir = join(folder, 'polyglot')
  const path = join(folder, 'polyglot.jpg')
  writeFileSync(path, Buffer.concat([await (await drawPhoto(60, 40)).jpeg().toBuffer(), Buffer.from(page)]))
  const made = await processing.makeVariants({ path, format: 'jpeg', outDir })
  for (const variant of made.variants) expect((await sharp(variant.path).toBuffer()).includes('script')).toBe(false)
})
