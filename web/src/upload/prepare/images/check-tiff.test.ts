import sharp from 'sharp'
import { expect, test } from 'vitest'
import { checkTiff } from './check-tiff.ts'

const picture = sharp({ create: { width: 8, height: 6, channels: 3, background: 'red' } })

async function refusalOf(file: Buffer | Uint8Array): Promise<string | undefined> {
  return checkTiff(new Blob([new Uint8Array(file)])).then(
    () => undefined,
    (error: Error) => error.message,
  )
}

/** A TIFF of one directory, whose entries are these. */
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

test('photos and scans of a usual kind are accepted, in either byte order', async () => {
  expect(await refusalOf(await picture.clone().tiff().toBuffer())).toBeUndefined()
  expect(await refusalOf(await picture.clone().tiff({ compression: 'lzw' }).toBuffer())).toBeUndefined()
  expect(
    await refusalOf(await picture.clone().toColourspace('rgb16').tiff({ compression: 'lzw' }).toBuffer()),
  ).toBeUndefined()
  expect(await refusalOf(await picture.clone().toColourspace('b-w').tiff().toBuffer())).toBeUndefined()
  for (const little of [true, false]) expect(await refusalOf(tiffWith(rgb, little))).toBeUndefined()
})

test.each<[string, Entries]>([
  ['a DNG', [...rgb, [0xc612, 1, 4, 1]]],
  ['a RAW file, whose first picture is a preview', [...rgb, [0x14a, 4, 2, 900]]],
  ['nothing to see', []],
])('%s is a kind that is left to the server', async (_, entries) => {
  expect(await refusalOf(tiffWith(entries))).toBe('This browser cannot open pictures of this kind.')
})

test.each<[string, Entries]>([
  ['CMYK', [...size, [0x106, 3, 1, 5]]],
  ['Lab', [...size, [0x106, 3, 1, 8]]],
  ['a camera’s colour filter', [...size, [0x106, 3, 1, 32803]]],
  ['grey with a profile', [...size, [0x106, 3, 1, 1], [0x8773, 7, 500, 900]]],
  ['floating point', [...rgb, [0x153, 3, 1, 3]]],
])('%s has colours that are left to the server', async (_, entries) => {
  expect(await refusalOf(tiffWith(entries))).toBe('This browser does not know the colours of this picture.')
})

test('floating point is also found where each channel says so', async () => {
  const entries: Entries = [...rgb, [0x153, 3, 3, 0]]
  const each = Uint8Array.of(3, 0, 3, 0, 3, 0)
  const head = tiffWith(entries)
  // Three numbers of two bytes have no room in the entry, which says where they are instead.
  new DataView(head.buffer).setUint32(head.length - 4, head.length, true)
  expect(await refusalOf(Buffer.concat([head, each]))).toBe('This browser does not know the colours of this picture.')
})

test('a huge scan is left to the server', async () => {
  const huge: Entries = [
    [0x100, 4, 1, 20_000],
    [0x101, 4, 1, 20_000],
    [0x106, 3, 1, 2],
  ]
  expect(await refusalOf(tiffWith(huge))).toBe('This picture is too large for this browser.')
})

test('a directory that is cut off or lies outside the file is no error of its own', async () => {
  const whole = tiffWith(rgb)
  for (let bytes = 0; bytes < whole.length; bytes++) {
    expect(String(await refusalOf(whole.subarray(0, bytes)))).toMatch(/^This browser|^undefined$/)
  }
})
