import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { HdrColours } from '#contract/hdr-still.ts'
import { describesRgb, needsConversion, toneMap } from './colour.ts'

async function profile(name: 'srgb' | 'p3' | 'cmyk'): Promise<Buffer> {
  const picture = sharp({ create: { width: 2, height: 2, channels: 3, background: 'teal' } })
  const { icc } = await sharp(await picture.withIccProfile(name).jpeg().toBuffer()).metadata()
  if (!icc) throw new Error('sharp made no profile')
  return icc
}

/** An ICC profile that contains only its name, in the older encoding. */
function named(name: string): Buffer {
  const icc = Buffer.alloc(200)
  icc.write('RGB ', 16)
  icc.writeUInt32BE(1, 128)
  icc.write('desc', 132)
  icc.writeUInt32BE(144, 136)
  icc.write('desc', 144)
  icc.writeUInt32BE(name.length + 1, 152)
  icc.write(name, 156)
  return icc
}

test('Display P3 is converted, and sRGB is not', async () => {
  expect(needsConversion(await profile('p3'))).toBe(true)
  expect(needsConversion(await profile('srgb'))).toBe(false)
})

test.each([
  ['sRGB IEC61966-2.1', false],
  ['sRGB', false],
  ['Adobe RGB (1998)', true],
  ['sRGB v4 ICC preference perceptual intent beta', true],
  ['', true],
])('a profile named %j is converted: %s', (name, converted) => {
  expect(needsConversion(named(name))).toBe(converted)
})

test('a profile for print says nothing about pixels on a screen', async () => {
  const cmyk = await profile('cmyk')
  expect(describesRgb(cmyk)).toBe(false)
  expect(needsConversion(cmyk)).toBe(false)
})

test('a damaged profile is answered without an error', async () => {
  const p3 = await profile('p3')
  for (let length = 0; length < p3.length; length += 7) needsConversion(p3.subarray(0, length))
  for (let at = 0; at < p3.length - 8; at += 5) needsConversion(Buffer.from(p3).fill(0xff, at, at + 8))
  expect(needsConversion(Buffer.alloc(0))).toBe(false)
})

const samplesOf = (count: number) => Uint16Array.from({ length: count * 3 }, (_, at) => (at * 7_919) % 65_536)

test.each<HdrColours>([
  { transfer: 'pq', primaries: 'bt2020' },
  { transfer: 'hlg', primaries: 'p3' },
])('thousands of rows of $transfer are mapped in the time of their pixels', colours => {
  const [rows, width] = [4_000, 8]
  const samples = samplesOf(rows * width)
  const [byRow, atOnce] = [Buffer.alloc(samples.length), Buffer.alloc(samples.length)]
  const step = width * 3
  const before = process.cpuUsage()
  for (let at = 0; at < samples.length; at += step)
    toneMap(samples.subarray(at, at + step), 3, colours, byRow.subarray(at, at + step))
  const { user, system } = process.cpuUsage(before)
  toneMap(samples, 3, colours, atOnce)
  expect(byRow.equals(atOnce)).toBe(true)
  // About 0.1 s; 20 s or more with a table for each row.
  if (process.env.LONG) expect((user + system) / 1e6).toBeLessThan(5)
})

test('black stays black, what is brighter than white is white, and alpha stays', () => {
  const out = Buffer.alloc(8)
  toneMap(
    Uint16Array.of(0, 0, 0, 0x8000, 65_535, 65_535, 65_535, 0xffff),
    4,
    { transfer: 'pq', primaries: 'bt2020' },
    out,
  )
  expect([...out]).toEqual([0, 0, 0, 128, 255, 255, 255, 255])
})
