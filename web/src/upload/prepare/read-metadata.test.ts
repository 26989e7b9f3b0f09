import sharp from 'sharp'
import { expect, test } from 'vitest'
import { readMetadata } from './read-metadata.ts'

const exif = {
  IFD0: { Make: 'Canon', Model: 'EOS R6', Software: 'Firmware 1.8', DateTime: '2024:06:02 08:00:00' },
  IFD2: {
    DateTimeOriginal: '2024:06:01 12:34:56',
    SubSecTimeOriginal: '78',
    OffsetTimeOriginal: '+02:00',
    ExposureTime: '1/250',
    FNumber: '28/10',
    ISOSpeedRatings: '400',
    FocalLength: '50/1',
    Flash: '9',
    WhiteBalance: '1',
  },
  IFD3: {
    GPSLatitudeRef: 'N',
    GPSLatitude: '51/1 30/1 0/1',
    GPSLongitudeRef: 'W',
    GPSLongitude: '0/1 7/1 30/1',
    GPSAltitudeRef: '0',
    GPSAltitude: '35/1',
    GPSDateStamp: '2024:06:01',
    GPSTimeStamp: '10/1 34/1 56/1',
  },
}

function photo(width = 64, height = 48) {
  return sharp({ create: { width, height, channels: 3, background: 'teal' } }).withExif(exif)
}

test.each(['jpeg', 'webp', 'png', 'avif'] as const)('camera metadata is read from %s', async format => {
  const metadata = await readMetadata(new Blob([await photo().toFormat(format).toBuffer()]))
  expect(metadata).toMatchObject({
    dateTimeOriginal: '2024-06-01T12:34:56.780+02:00',
    modifyDate: '2024-06-02T08:00:00',
    latitude: 51.5,
    longitude: -0.125,
    altitude: 35,
    gpsTimestamp: '2024-06-01T10:34:56+00:00',
    make: 'Canon',
    model: 'EOS R6',
    software: 'Firmware 1.8',
    orientation: 1,
    exposureTime: 0.004,
    fNumber: 2.8,
    iso: 400,
    focalLength: 50,
    flash: true,
  })
})

test('at most five chunks of 64 KiB are read, and usually one', async () => {
  const noise = Buffer.alloc(2_000 * 1_500 * 3, 0).map((_, at) => (at * 2_654_435_761) >>> 24)
  const raw = { width: 2_000, height: 1_500, channels: 3 } as const
  const large = await sharp(noise, { raw }).withExif(exif).jpeg({ quality: 95 }).toBuffer()
  expect(large.length).toBeGreaterThan(1_000_000)
  const watched = watch(large)
  expect(await readMetadata(watched.blob)).toMatchObject({
    model: 'EOS R6',
    originalWidth: 2_000,
    originalHeight: 1_500,
  })
  expect(watched.reads).toEqual([[0, 65_536]])
})

test('reading stops after five chunks', async () => {
  const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0xff, 0xff]), Buffer.alloc(65_533)])
  const endless = Buffer.concat([Buffer.from([0xff, 0xd8]), ...Array<Buffer>(20).fill(comment)])
  const watched = watch(endless)
  await readMetadata(watched.blob)
  expect(watched.reads).toHaveLength(5)
  expect(watched.reads.every(([start, end]) => end - start <= 65_536)).toBe(true)
})

test.each([
  ['nothing at all', Buffer.alloc(0)],
  ['a text', Buffer.from('Dear diary')],
  ['a JPEG that ends at once', Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0xff, 0xff, 0x45, 0x78])],
  ['a HEIC without a picture', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic\0\0\0\x10meta', 'latin1')],
])('%s has empty metadata and does not throw', async (_, content) => {
  const metadata = await readMetadata(new Blob([content]))
  expect(metadata).toMatchObject({ dateTimeOriginal: null, make: null, latitude: null, orientation: 1 })
})

test('an invalid date or position is dropped', async () => {
  const odd = photo().withExif({
    IFD0: { Make: 'Canon' },
    IFD2: { DateTimeOriginal: '2024:13:45 99:99:99' },
    IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '0/1 0/1 0/1', GPSLongitudeRef: 'E', GPSLongitude: '0/1 0/1 0/1' },
  })
  const metadata = await readMetadata(new Blob([await odd.jpeg().toBuffer()]))
  expect(metadata).toMatchObject({ make: 'Canon', dateTimeOriginal: null, latitude: null, longitude: null })
})

test('an offset written as GMT+02:00 is parsed', async () => {
  const odd = sharp({ create: { width: 64, height: 48, channels: 3, background: 'teal' } }).withExif({
    IFD2: { DateTimeOriginal: '2024:06:01 12:34:56', OffsetTimeOriginal: 'GMT+02:00' },
  })
  const metadata = await readMetadata(new Blob([await odd.jpeg().toBuffer()]))
  expect(metadata.dateTimeOriginal).toBe('2024-06-01T12:34:56+02:00')
})

/** A blob that records which parts of it are read. */
function watch(content: Buffer): { blob: Blob; reads: [start: number, end: number][] } {
  const reads: [number, number][] = []
  const blob = new Blob([new Uint8Array(content)])
  const slice = blob.slice.bind(blob)
  blob.slice = (start = 0, end = content.length) => {
    reads.push([start, end])
    return slice(start, end)
  }
  return { blob, reads }
}
