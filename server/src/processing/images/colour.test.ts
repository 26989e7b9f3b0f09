import sharp from 'sharp'
import { expect, test } from 'vitest'
import { describesRgb, needsConversion } from './colour.ts'

async function profile(name: 'srgb' | 'p3' | 'cmyk'): Promise<Buffer> {
  const picture = sharp({ create: { width: 2, height: 2, channels: 3, background: 'teal' } })
  const { icc } = await sharp(await picture.withIccProfile(name).jpeg().toBuffer()).metadata()
  if (!icc) throw new Error('sharp made no profile')
  return icc
}

/** A profile with nothing in it but its name, in the older of the two spellings. */
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
