import sharp from 'sharp'
import { expect, test } from 'vitest'
import { type Pixels, resample, rowsOf } from './resample.ts'

function filled(width: number, height: number, colour: (x: number, y: number) => number): Pixels {
  const data = new Int32Array(width * height)
  for (let at = 0; at < data.length; at++) data[at] = colour(at % width, Math.floor(at / width))
  return { data, width, height }
}

const WHITE = 0xffffffff | 0
const BLACK = 0xff000000 | 0

test('a uniform colour is preserved', () => {
  for (const colour of [WHITE, BLACK, 0xff4080c0 | 0]) {
    const small = resample(rowsOf(filled(97, 61, () => colour)), { width: 40, height: 25 }, false)
    expect(new Set(small.data)).toEqual(new Set([colour]))
  }
})

test('an image of the target size is returned unchanged', () => {
  const pixels = filled(5, 4, (x, y) => x * 7 + y * 1_000)
  expect(resample(rowsOf(pixels), { width: 5, height: 4 }, true).data).toEqual(pixels.data)
})

test('reading rows in strips gives the same image', () => {
  const pixels = filled(90, 70, (x, y) => ((x * 31) ^ (y * 17)) | BLACK)
  const size = { width: 33, height: 26 }
  const inStrips = { ...rowsOf(pixels), rowsAtOnce: 16 }
  expect(resample(inStrips, size, false)).toEqual(resample(rowsOf(pixels), size, false))
})

test('a line of one pixel height keeps its pixel', () => {
  const line = resample(rowsOf(filled(3_000, 1, () => WHITE)), { width: 300, height: 1 }, false)
  expect(line.data.every(pixel => pixel === WHITE)).toBe(true)
})

test.each([
  [400, 300, 150, 112],
  [401, 299, 133, 99],
  [51, 203, 17, 67],
  [9, 5, 8, 4],
])('%i × %i pixels are scaled to %i × %i like on the server', async (width, height, smallWidth, smallHeight) => {
  const waves = filled(width, height, (x, y) => {
    const value = Math.round(127 + 60 * Math.sin(x / 5) + 60 * Math.cos((x + y) / 9))
    return value | (value << 8) | ((255 - value) << 16) | BLACK
  })
  const here = resample(rowsOf(waves), { width: smallWidth, height: smallHeight }, false)
  const there = await sharp(Buffer.from(waves.data.buffer), { raw: { width, height, channels: 4 } })
    .resize(smallWidth, smallHeight, { fit: 'fill', fastShrinkOnLoad: false })
    .raw()
    .toBuffer()
  const bytes = Buffer.from(here.data.buffer)
  const differences = bytes.map((byte, at) => Math.abs(byte - (there[at] ?? 0)))
  expect(Math.max(...differences)).toBeLessThanOrEqual(3)
})

test('transparent pixels do not bleed their colour into visible ones', () => {
  // Red on the left, fully transparent green on the right.
  const half = filled(80, 80, x => (x < 40 ? 0xff0000ff : 0x0000ff00) | 0)
  const small = resample(rowsOf(half), { width: 20, height: 20 }, true)
  for (const pixel of small.data.filter(pixel => pixel >>> 24 > 0)) {
    expect(pixel & 255).toBeGreaterThan(250)
    expect((pixel >> 8) & 255).toBeLessThan(5)
  }
  expect((small.data[0] ?? 0) >>> 24).toBe(255)
  expect((small.data[19] ?? 0) >>> 24).toBe(0)
})
