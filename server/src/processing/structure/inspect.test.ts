import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import {
  apngOfFrames,
  avifOfFrames,
  deepXmp,
  gifOfFrames,
  jpegOfScans,
  jpegWithHugeExif,
  pngWithTextBomb,
  pngWithXmp,
  tiffOfPages,
  webpOfFrames,
} from '../../../test/fixtures/bombs.ts'
import { makePicture, type PictureFormat } from '../../../test/fixtures/pictures.ts'
import { detectFormatOfBytes } from '../detect-format.ts'
import type { Format } from '../formats.ts'
import { countFrames, inspectStructure } from './inspect.ts'
import { structureLimits } from './limits.ts'

const folder = mkdtempSync(join(tmpdir(), 'heirloom-structure-'))
afterAll(() => rmSync(folder, { recursive: true }))
let count = 0

async function inspect(bytes: Buffer) {
  const path = join(folder, `${count++}`)
  writeFileSync(path, bytes)
  return inspectStructure(path, detectFormatOfBytes(bytes)?.format as Format)
}

const small = { width: 64, height: 48 }
const { jpegScans, frames, directories, gifSubBlocks, pixelChunks } = structureLimits

const bounded: [what: string, make: (parts: number) => Buffer | Promise<Buffer>, most: number, words: string][] = [
  // A progressive photo already has ten scans.
  ['JPEG', scans => jpegOfScans(scans - 10, small), jpegScans, '200 scans'],
  ['GIF', gifOfFrames, frames, '10,000 frames'],
  ['WebP', webpOfFrames, frames, '10,000 frames'],
  ['PNG', apngOfFrames, frames, '10,000 frames'],
  ['AVIF', avifOfFrames, frames, '10,000 frames'],
  ['TIFF', tiffOfPages, directories, '1,000 pages'],
]

test.each(bounded)(
  'a %s may have as many parts as the limit says, and not one more',
  async (_what, make, most, words) => {
    expect(await inspect(await make(most))).toEqual({})
    expect(await inspect(await make(most + 1))).toEqual({
      picture: `This picture consists of more than ${words}. Pictures this complex are kept, but not shown.`,
    })
  },
)

test.each([
  ['GIF', 'gif', gifOfFrames],
  ['WebP', 'webp', webpOfFrames],
  ['PNG', 'png', apngOfFrames],
  ['AVIF', 'avif', avifOfFrames],
] as const)('the frames of a %s are counted', async (_what, format, make) => {
  const path = join(folder, `frames.${format}`)
  writeFileSync(path, await make(3))
  expect(await countFrames({ path, format })).toBe(3)
  writeFileSync(path, await makePicture({ ...small, format }))
  expect(await countFrames({ path, format })).toBeLessThan(2)
})

test('of an AVIF whose transparency is a track of its own the longer track counts', async () => {
  const path = join(folder, 'two-tracks.avif')
  writeFileSync(path, avifOfFrames(1, 5))
  expect(await countFrames({ path, format: 'avif' })).toBe(5)
})

test('metadata that unfolds to hundreds of megabytes is not read, the picture is', async () => {
  expect(await inspect(await pngWithTextBomb(300_000_000))).toEqual({
    metadata: 'Metadata of more than 16 MB is not read.',
  })
  expect(await inspect(await jpegWithHugeExif(300))).toEqual({ metadata: 'Metadata of more than 16 MB is not read.' })
  expect(await inspect(await jpegWithHugeExif(200))).toEqual({})
})

test.each(['jpeg', 'png', 'webp', 'gif', 'avif', 'tiff'] satisfies PictureFormat[])(
  'an ordinary %s is within the limits, however it is cut off',
  async format => {
    const bytes = await makePicture({ ...small, format })
    for (const part of [1, 0.99, 0.7, 0.4, 0.1, 0.02]) {
      expect(await inspectBytes(bytes.subarray(0, Math.ceil(bytes.length * part)), format)).toEqual({})
    }
    expect(await inspectBytes(Buffer.alloc(0), format)).toEqual({})
  },
)

test('a photo as phones and editors write it is within the limits', async () => {
  const photo = sharp(await makePicture({ width: 1_200, height: 900 }))
    .withExif({ IFD0: { Make: 'Canon' } })
    .withXmp(deepXmp(15).toString())
    .withIccProfile('p3')
  expect(await inspect(await photo.clone().jpeg({ mozjpeg: true }).toBuffer())).toEqual({})
  expect(await inspect(await photo.clone().png().toBuffer())).toEqual({})
})

test.each([65_534, 65_535, 65_536])(
  'scans are counted where a marker begins at byte %i, at the edge of what is read at once',
  async at => {
    const bytes = await jpegOfScans(jpegScans + 1, small)
    const first = bytes.indexOf(Buffer.of(0xff, 0xda))
    // A comment of this length moves the first scan to the wanted offset.
    const comment = Buffer.alloc(at - first)
    comment.writeUInt16BE(0xfffe)
    comment.writeUInt16BE(comment.length - 2, 2)
    const moved = Buffer.concat([bytes.subarray(0, first), comment, bytes.subarray(first)])
    expect(moved.indexOf(Buffer.of(0xff, 0xda))).toBe(at)
    expect(await inspect(moved)).toHaveProperty('picture')
  },
)

const tooMany = (words: string) => ({
  picture: `This picture consists of more than ${words}. Pictures this complex are kept, but not shown.`,
})

/** Small files with millions of parts. Without limits each took half a minute, or quadratic time. */
const countless: [what: string, make: () => Buffer | Promise<Buffer>, excess: object][] = [
  ['a JPEG of restart markers', () => jpegOfRestarts(10_000_000), {}],
  ['a GIF of pieces of one byte', () => gifOfPieces(gifSubBlocks + 1), tooMany('4,000,000 blocks')],
  ['a GIF with as many pieces as it may have', () => gifOfPieces(gifSubBlocks), {}],
  ['a PNG of empty chunks', () => pngOfPixelChunks(pixelChunks + 1), tooMany('200,000 chunks')],
  [
    'a TIFF whose pages say a thousand times where their XMP is',
    () => tiffOfFields(20, 4_096, 700),
    { metadata: 'Metadata that a page of a TIFF holds more than once is not read.' },
  ],
  ['a TIFF of pages full of fields', () => tiffOfFields(directories, 4_096, 305), tooMany('100,000 fields')],
]

test.each(countless)(
  '%s takes no time',
  async (_what, make, excess) => {
    const bytes = await make()
    const begun = process.cpuUsage()
    expect(await inspect(bytes)).toEqual(excess)
    const { user, system } = process.cpuUsage(begun)
    if (process.env.LONG) expect((user + system) / 1_000).toBeLessThan(5_000)
  },
  60_000,
)

async function jpegOfRestarts(restarts: number): Promise<Buffer> {
  const photo = await jpegOfScans(1, small)
  const end = photo.length - 2
  return Buffer.concat([photo.subarray(0, end), Buffer.alloc(2 * restarts, Buffer.of(0xff, 0xd0)), photo.subarray(end)])
}

/** One frame with this many sub-blocks. */
function gifOfPieces(pieces: number): Buffer {
  const gif = gifOfFrames(1)
  // The end of the file: a sub-block of two bytes, the sub-block terminator and the trailer.
  const end = gif.length - 5
  return Buffer.concat([gif.subarray(0, end), Buffer.alloc(2 * (pieces - 2), 1), gif.subarray(end)])
}

async function pngOfPixelChunks(chunks: number): Promise<Buffer> {
  const png = await makePicture({ ...small, format: 'png' })
  const at = png.indexOf('IDAT') - 4
  const empty = Buffer.from('0000000049444154' + '35af061e', 'hex')
  return Buffer.concat([png.subarray(0, at), Buffer.alloc(chunks * empty.length, empty), png.subarray(at)])
}

/** Each field of each page points to the same byte at the end of the file. */
function tiffOfFields(pages: number, fields: number, tag: number): Buffer {
  const pageBytes = 2 + fields * 12 + 4
  const file = Buffer.alloc(16 + pages * pageBytes)
  file.write('II*\0\x10\0\0\0', 'latin1')
  for (let page = 0; page < pages; page++) {
    const at = 16 + page * pageBytes
    file.writeUInt16LE(fields, at)
    const field = Buffer.alloc(12)
    field.writeUInt16LE(tag)
    field.writeUInt16LE(1, 2)
    field.writeUInt32LE(1, 4)
    field.writeUInt32LE(file.length - 1, 8)
    file.fill(field, at + 2, at + 2 + fields * 12)
    file.writeUInt32LE(page === pages - 1 ? 0 : at + pageBytes, at + 2 + fields * 12)
  }
  return file
}

test('a TIFF whose pages lead back to the first ends there', async () => {
  const tiff = await tiffOfPages(3)
  const first = tiff.readUInt32LE(4)
  tiff.writeUInt32LE(first, tiff.length - 4)
  expect(await inspect(tiff)).toEqual({})
})

test('text that cannot be inflated ends the look at it', async () => {
  const png = await pngWithXmp(deepXmp(15))
  const start = png.indexOf('iTXt')
  const length = png.readUInt32BE(start - 4)
  png.fill(0xaa, start + 4 + 22, start + 4 + length)
  png.writeUInt32BE(crc32(png.subarray(start, start + 4 + length)), start + 4 + length)
  expect(await inspect(png)).toEqual({})
})

async function inspectBytes(bytes: Buffer, format: Format) {
  const path = join(folder, `${count++}`)
  writeFileSync(path, bytes)
  return inspectStructure(path, format)
}
