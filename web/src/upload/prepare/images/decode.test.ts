import sharp from 'sharp'
import { expect, test } from 'vitest'
import { checkTiff, detectFormat } from './decode.ts'

const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: 'red' } })

test.each(['jpeg', 'png', 'webp', 'gif', 'avif', 'tiff'] as const)('%s is detected by its content', async format => {
  expect(detectFormat(await picture.clone().toFormat(format).toBuffer())).toBe(format)
})

test("a phone's image is HEIC regardless of the order of brands", () => {
  const ftyp = (...brands: string[]) =>
    Buffer.from(
      `\0\0\0${String.fromCharCode(12 + brands.length * 4)}ftyp${brands[0]}\0\0\0\0${brands.slice(1).join('')}`,
    )
  expect(detectFormat(ftyp('heic', 'mif1'))).toBe('heic')
  expect(detectFormat(ftyp('mif1', 'heic'))).toBe('heic')
  expect(detectFormat(ftyp('mif1', 'avif'))).toBe('avif')
  // Minimised ("mini"): the codec's brand replaces the version.
  expect(detectFormat(Buffer.from('\0\0\0\x10ftypmif3avif'))).toBe('avif')
  expect(detectFormat(Buffer.from('\0\0\0\x10ftypmif3heic'))).toBe('heic')
  expect(detectFormat(ftyp('crx ', 'mif1'))).toBeUndefined()
  expect(detectFormat(ftyp('isom', 'mp42'))).toBeUndefined()
})

test('formats that browsers cannot decode are not detected', async () => {
  expect(detectFormat(await picture.clone().tiff({ bigtiff: true }).toBuffer())).toBeUndefined()
  expect(detectFormat(Buffer.from('II*\0\x10\0\0\0CR\x02\0'))).toBeUndefined()
  expect(detectFormat(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))).toBeUndefined()
  expect(detectFormat(new Uint8Array())).toBeUndefined()
})

const pixels8x6 = sharp({ create: { width: 8, height: 6, channels: 3, background: 'red' } })

async function refusalOf(file: Buffer | Uint8Array): Promise<string | undefined> {
  return checkTiff(new Blob([new Uint8Array(file)])).then(
    () => undefined,
    (error: Error) => error.message,
  )
}

/** A TIFF with one directory of these entries. */
function tiffWith(entries: [tag: number, type: number, count: number, value: number][], little = true): Uint8Array {
  const view = new DataView(new ArrayBuffer(10 + entries.length * 12))
  view.setUint16(0, little ? 0x4949 : 0x4d4d)
  view.setUint16(2, 42, little)
  view.setUint32(4, 8, little)
  view.setUint16(8, entries.length, little)
  for (const [index, [tag, type, count, value]] of entries.entries()) {
    const at = 10 + index * 12
    view.setUint16(at, tag, little)
    view.setUint16(at + 2, type, little)
    view.setUint32(at + 4, count, little)
    if (type === 3) view.setUint16(at + 8, value, little)
    else view.setUint32(at + 8, value, little)
  }
  return new Uint8Array(view.buffer)
}

type Entries = Parameters<typeof tiffWith>[0]
const size: Entries = [
  [0x100, 3, 1, 4_000],
  [0x101, 4, 1, 3_000],
]
const rgb: Entries = [...size, [0x106, 3, 1, 2]]

test('ordinary photos and scans are accepted in both byte orders', async () => {
  expect(await refusalOf(await pixels8x6.clone().tiff().toBuffer())).toBeUndefined()
  expect(await refusalOf(await pixels8x6.clone().tiff({ compression: 'lzw' }).toBuffer())).toBeUndefined()
  expect(
    await refusalOf(await pixels8x6.clone().toColourspace('rgb16').tiff({ compression: 'lzw' }).toBuffer()),
  ).toBeUndefined()
  expect(await refusalOf(await pixels8x6.clone().toColourspace('b-w').tiff().toBuffer())).toBeUndefined()
  for (const little of [true, false]) expect(await refusalOf(tiffWith(rgb, little))).toBeUndefined()
})

test.each<[string, Entries]>([
  ['a DNG', [...rgb, [0xc612, 1, 4, 1]]],
  ['a RAW file, whose first picture is a preview', [...rgb, [0x14a, 4, 2, 900]]],
  ['nothing to see', []],
])('%s is an unknown format and left to the server', async (_, entries) => {
  expect(await refusalOf(tiffWith(entries))).toBe('unknownPicture')
})

test.each<[string, Entries]>([
  ['CMYK', [...size, [0x106, 3, 1, 5]]],
  ['Lab', [...size, [0x106, 3, 1, 8]]],
  ['a camera’s colour filter', [...size, [0x106, 3, 1, 32803]]],
  ['grey with a profile', [...size, [0x106, 3, 1, 1], [0x8773, 7, 500, 900]]],
  ['floating point', [...rgb, [0x153, 3, 1, 3]]],
])('%s has unsupported colours and is left to the server', async (_, entries) => {
  expect(await refusalOf(tiffWith(entries))).toBe('colours')
})

test('floating-point samples are detected per channel', async () => {
  const entries: Entries = [...rgb, [0x153, 3, 3, 0]]
  const each = Uint8Array.of(3, 0, 3, 0, 3, 0)
  const head = tiffWith(entries)
  // Three 2-byte values do not fit into the entry, which holds their offset instead.
  new DataView(head.buffer).setUint32(head.length - 4, head.length, true)
  expect(await refusalOf(Buffer.concat([head, each]))).toBe('colours')
})

test('a huge scan is left to the server', async () => {
  const huge: Entries = [
    [0x100, 4, 1, 20_000],
    [0x101, 4, 1, 20_000],
    [0x106, 3, 1, 2],
  ]
  expect(await refusalOf(tiffWith(huge))).toBe('tooLarge')
})

test('a truncated or misplaced directory does not throw an unexpected error', async () => {
  const whole = tiffWith(rgb)
  for (let bytes = 0; bytes < whole.length; bytes++) {
    expect(String(await refusalOf(whole.subarray(0, bytes)))).toMatch(/^(unknownPicture|colours|undefined)$/)
  }
})
