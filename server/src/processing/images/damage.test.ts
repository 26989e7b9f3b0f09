import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test, vi } from 'vitest'
import { clipMaker } from '../../../test/fixtures/clips.ts'
import { makeHeicGrid } from '../../../test/processing/heic-grid.ts'
import { drawPhoto, loseBlock } from '../../../test/processing/pictures.ts'
import { startBench } from '../../../test/processing/start.ts'
import { PATIENCE, picture } from '../../../test/processing/video-clips.ts'
import type { ImageFormat } from '../formats.ts'

vi.setConfig(PATIENCE)
const { processing, folder } = startBench()
const clip = await clipMaker()
let count = 0

function save(content: Buffer): string {
  const path = join(folder, `${++count}.upload`)
  writeFileSync(path, content)
  return path
}

function make(format: ImageFormat, content: Buffer) {
  const outDir = join(folder, `${count}.made`)
  mkdirSync(outDir)
  return processing.makeVariants({ path: save(content), format, outDir })
}

const lookFor = (format: ImageFormat, content: Buffer) => processing.isPartlyDamaged({ path: save(content), format })

type Draw = () => Promise<{ whole: Buffer; damaged: Buffer }>

const photo = await drawPhoto(800, 600)

const cutShort = async (format: 'jpeg' | 'png') => {
  const whole = await photo.clone().toFormat(format).toBuffer()
  return { whole, damaged: whole.subarray(0, whole.length * 0.6) }
}

async function overwrittenInside(progressive: boolean) {
  const whole = await photo.clone().jpeg({ progressive }).toBuffer()
  return { whole, damaged: loseBlock(whole) }
}

const damagedFiles: [string, ImageFormat, Draw][] = [
  ['a JPEG cut short', 'jpeg', () => cutShort('jpeg')],
  ['a PNG cut short', 'png', () => cutShort('png')],
  ['a JPEG with foreign bytes inside', 'jpeg', () => overwrittenInside(false)],
  ['a progressive JPEG with foreign bytes inside', 'jpeg', () => overwrittenInside(true)],
]

async function jpegOfTwelveBits(): Promise<Buffer> {
  const file = await photo.clone().jpeg().toBuffer()
  file[file.indexOf(Buffer.of(0xff, 0xc0)) + 4] = 12
  return file
}

/** A TIFF with a compression that libtiff only knows by name. */
async function tiffOfLzma(): Promise<Buffer> {
  const file = await photo.clone().tiff({ compression: 'lzw' }).toBuffer()
  const directory = file.readUInt32LE(4)
  for (let entry = directory + 2; entry < directory + 2 + file.readUInt16LE(directory) * 12; entry += 12) {
    if (file.readUInt16LE(entry) === 259) file.writeUInt16LE(34_925, entry + 8)
  }
  return file
}

const unknownKinds: [string, ImageFormat, () => Promise<Buffer>][] = [
  ['a JPEG of 12 bits', 'jpeg', jpegOfTwelveBits],
  ['a TIFF of an unknown compression', 'tiff', tiffOfLzma],
]

test.each(damagedFiles)('%s is found to be damaged, and its whole copy is not', async (_, format, draw) => {
  const { whole, damaged } = await draw()
  expect(await make(format, damaged)).toMatchObject({ damaged: true })
  expect(await make(format, whole)).toMatchObject({ damaged: false })
  expect([await lookFor(format, damaged), await lookFor(format, whole)]).toEqual([true, false])
})

test('a HEIC of which a tile is lost is found to be damaged when it is shown, and its whole copy is not', async () => {
  const hevc = await clip('tile.hevc', ...picture('128x128', 1), '-frames:v', '1', '-c:v', 'libx265')
  const whole = makeHeicGrid(hevc, { columns: 4, rows: 3, tile: { width: 128, height: 128 }, apart: true })
  const damaged = Buffer.from(whole).fill(0, Math.floor(whole.length * 0.6), Math.floor(whole.length * 0.75))
  const made = await make('heic', damaged)
  expect(made).toMatchObject({ damaged: true })
  expect(await make('heic', whole)).toMatchObject({ damaged: false })
  // The ninth of twelve tiles is grey, as what is missing of a JPEG, and the first is the picture.
  const path = made.variants.find(({ name }) => name === 'desktop')?.path ?? ''
  const pixels = await sharp(path).raw().toBuffer({ resolveWithObject: true })
  const saturationAt = (x: number, y: number) => {
    const at = (y * pixels.info.width + x) * pixels.info.channels
    const [red = 0, green = 0, blue = 0] = pixels.data.subarray(at, at + 3)
    return Math.max(red, green, blue) - Math.min(red, green, blue)
  }
  expect(pixels.info).toMatchObject({ width: 512, height: 384 })
  expect(saturationAt(64, 320)).toBeLessThan(8)
  expect(saturationAt(64, 64)).toBeGreaterThan(60)
})

test('what is only untidy about a JPEG is no damage', async () => {
  const whole = await (await drawPhoto(800, 600)).jpeg().toBuffer()
  const end = whole.length - 2
  const padded = Buffer.concat([whole.subarray(0, end), Buffer.alloc(20), whole.subarray(end)])
  for (const file of [padded, whole.subarray(0, end), Buffer.concat([whole, Buffer.alloc(5_000, 7)])]) {
    expect(await make('jpeg', file)).toMatchObject({ damaged: false })
    expect(await lookFor('jpeg', file)).toBe(false)
  }
})

test.each(unknownKinds)('%s is sound, and its kind unknown', async (_, format, draw) => {
  const file = await draw()
  await expect(make(format, file)).rejects.toMatchObject({
    failure: 'unsupported',
    message: "This kind of file can't be shown yet; the original is safe.",
  })
  expect(await lookFor(format, file)).toBe(false)
})
