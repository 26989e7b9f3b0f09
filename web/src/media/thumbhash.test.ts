import { rgbaToThumbHash } from 'thumbhash'
import { expect, test } from 'vitest'
import { backgroundColour, blurredPicture } from './thumbhash.ts'

function hashOf(red: number, alpha = 255): string {
  const pixels = Uint8Array.from({ length: 8 * 6 * 4 }, (_, i) => (i % 4 === 0 ? red : i % 4 === 3 ? alpha : 40))
  return Buffer.from(rgbaToThumbHash(8, 6, pixels)).toString('base64')
}

test('a hash is decoded to a data URL', () => {
  expect(blurredPicture(hashOf(200))).toMatch(/^data:image\/png;base64,/)
})

test('a hash is decoded to its average colour', () => {
  const [red = 0, green = 0, blue = 0] = backgroundColour(hashOf(200))?.match(/\d+/g)?.map(Number) ?? []
  expect(Math.abs(red - 200) + Math.abs(green - 40) + Math.abs(blue - 40)).toBeLessThan(20)
})

test('a transparent image has a light colour and no blurred placeholder', () => {
  for (const alpha of [0, 128, 254]) {
    expect(backgroundColour(hashOf(200, alpha))).toBe('var(--behind-transparency)')
    expect(blurredPicture(hashOf(200, alpha))).toBeUndefined()
  }
})

test('the decoded image is cached', () => {
  expect(blurredPicture(hashOf(90))).toBe(blurredPicture(hashOf(90)))
})

test('different hashes give different images after the cache is full', () => {
  const first = blurredPicture(hashOf(1))
  for (let red = 0; red < 256; red++) blurredPicture(hashOf(red))
  expect(blurredPicture(hashOf(1))).toBe(first)
  expect(blurredPicture(hashOf(250))).not.toBe(first)
})

test.each(['', 'not base64!', 'AA==', 'abc'])('an invalid hash gives no image: %o', text => {
  expect(blurredPicture(text)).toBeUndefined()
  expect(backgroundColour(text)).toBeUndefined()
})
