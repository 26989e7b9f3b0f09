import sharp from 'sharp'
import { expect, test } from 'vitest'
import { recogniseImage } from './recognise.ts'

const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })

test.each(['jpeg', 'png', 'webp', 'gif', 'avif', 'tiff'] as const)('%s is recognised by its bytes', async format => {
  expect(recogniseImage(await picture.clone().toFormat(format).toBuffer())).toBe(format)
})

test('a picture of a phone is HEIC whatever brand comes first', () => {
  const ftyp = (...brands: string[]) =>
    Buffer.from(
      `\0\0\0${String.fromCharCode(12 + brands.length * 4)}ftyp${brands[0]}\0\0\0\0${brands.slice(1).join('')}`,
    )
  expect(recogniseImage(ftyp('heic', 'mif1'))).toBe('heic')
  expect(recogniseImage(ftyp('mif1', 'heic'))).toBe('heic')
  expect(recogniseImage(ftyp('mif1', 'avif'))).toBe('avif')
  // Minimised ("mini"): the codec is named where others have a version.
  expect(recogniseImage(Buffer.from('\0\0\0\x10ftypmif3avif'))).toBe('avif')
  expect(recogniseImage(Buffer.from('\0\0\0\x10ftypmif3heic'))).toBe('heic')
  expect(recogniseImage(ftyp('crx ', 'mif1'))).toBeUndefined()
  expect(recogniseImage(ftyp('isom', 'mp42'))).toBeUndefined()
})

test('what browsers do not decode is not recognised', async () => {
  expect(recogniseImage(await picture.clone().tiff({ bigtiff: true }).toBuffer())).toBeUndefined()
  expect(recogniseImage(Buffer.from('II*\0\x10\0\0\0CR\x02\0'))).toBeUndefined()
  expect(recogniseImage(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toBeUndefined()
  expect(recogniseImage(new Uint8Array())).toBeUndefined()
})
