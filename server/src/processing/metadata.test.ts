import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ExifTool, type WriteTags } from 'exiftool-vendored'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { deepXmp, pngWithXmp } from '../../test/fixtures/bombs.ts'
import { signalDecoders } from '../../test/fixtures/decoders.ts'
import { startBench } from '../../test/processing/start.ts'
import { cameraName, metadataFromTags, noMetadata } from './metadata.ts'

const { processing, folder, warnings, logged } = startBench({ timeoutMs: 20_000 })

type Exif = Record<`IFD${0 | 1 | 2 | 3}`, Record<string, string>>

async function readPhoto(exif: Partial<Exif>, name = 'photo.jpg') {
  const path = join(folder, name)
  const photo = sharp({ create: { width: 40, height: 30, channels: 3, background: 'teal' } })
  writeFileSync(
    path,
    await photo
      .withExif(exif as Exif)
      .jpeg()
      .toBuffer(),
  )
  return processing.readMetadata(path)
}

async function writeTags(path: string, tags: Record<string, string | number>): Promise<void> {
  const writer = new ExifTool()
  await writer.write(path, tags as WriteTags, { writeArgs: ['-overwrite_original'] })
  await writer.end()
}

test('every field that a camera writes is read', async () => {
  const path = join(folder, 'complete.jpg')
  await sharp({ create: { width: 40, height: 30, channels: 3, background: 'teal' } })
    .jpeg()
    .toFile(path)
  await writeTags(path, {
    Make: 'Canon',
    Model: 'Canon EOS 7D',
    Software: 'Firmware 2.0',
    'Orientation#': 6,
    ModifyDate: '2024:06:02 08:00:00',
    DateTimeOriginal: '2024:06:01 12:34:56',
    SubSecTimeOriginal: '78',
    OffsetTimeOriginal: '+02:00',
    CreateDate: '2024:06:01 12:34:57',
    ExposureTime: '1/250',
    FNumber: 2.8,
    ISO: 400,
    FocalLength: 50,
    'Flash#': 1,
    'ColorSpace#': 1,
    'WhiteBalance#': 1,
    'MeteringMode#': 5,
    'ExposureMode#': 1,
    'SceneCaptureType#': 2,
    GPSLatitude: -33.8567,
    GPSLongitude: -70.5,
    GPSAltitude: -30.5,
    'GPSAltitudeRef#': 1,
    GPSDateStamp: '2024:06:01',
    GPSTimeStamp: '10:34:56',
  })
  const { metadata, takenAt, camera } = await processing.readMetadata(path)
  expect(metadata).toEqual({
    dateTimeOriginal: '2024-06-01T12:34:56.780+02:00',
    dateTimeDigitized: '2024-06-01T12:34:57',
    modifyDate: '2024-06-02T08:00:00',
    latitude: expect.closeTo(-33.8567, 3),
    longitude: expect.closeTo(-70.5, 3),
    altitude: -30.5,
    gpsTimestamp: '2024-06-01T10:34:56+00:00',
    make: 'Canon',
    model: 'Canon EOS 7D',
    software: 'Firmware 2.0',
    orientation: 6,
    exposureTime: 0.004,
    fNumber: 2.8,
    iso: 400,
    focalLength: 50,
    flash: true,
    originalWidth: 40,
    originalHeight: 30,
    colorSpace: 'sRGB',
    whiteBalance: 'Manual',
    meteringMode: 'Multi-segment',
    exposureMode: 'Manual',
    sceneCaptureType: 'Portrait',
  })
  expect(takenAt).toEqual({ local: '2024-06-01T12:34:56.780', offsetMinutes: 120 })
  expect(camera).toBe('Canon EOS 7D')
})

test('a camera without a zone gives a time without an offset', async () => {
  const { takenAt } = await readPhoto({ IFD2: { DateTimeOriginal: '2024:06:01 12:34:56' } })
  expect(takenAt).toEqual({ local: '2024-06-01T12:34:56', offsetMinutes: null })
})

test('a clock that was never set, and a position that was never found, are not known', async () => {
  const { metadata, takenAt } = await readPhoto({
    IFD2: { DateTimeOriginal: '0000:00:00 00:00:00' },
    IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '0/1 0/1 0/1', GPSLongitudeRef: 'E', GPSLongitude: '0/1 0/1 0/1' },
  })
  expect(takenAt).toBeNull()
  expect(metadata).toMatchObject({ dateTimeOriginal: null, latitude: null, longitude: null })
})

test('a picture without any of it gives its size alone', async () => {
  const { metadata, takenAt, camera } = await readPhoto({})
  expect(metadata).toMatchObject({ originalWidth: 40, originalHeight: 30, orientation: 1, make: null })
  expect([takenAt, camera]).toEqual([null, null])
})

test('a name with spaces, quotes and letters of any script is read like any other', async () => {
  const { takenAt } = await readPhoto(
    { IFD2: { DateTimeOriginal: '2024:06:01 12:34:56' } },
    "Zoë's 'été' 写真 🙂 -n.jpg",
  )
  expect(takenAt?.local).toBe('2024-06-01T12:34:56')
})

test('a file that is no picture leaves nothing known and nothing broken', async () => {
  const path = join(folder, 'noise.jpg')
  writeFileSync(path, Buffer.from('no picture at all'))
  expect(await processing.readMetadata(path)).toMatchObject({ takenAt: null, camera: null })
  expect(await processing.readMetadata(join(folder, 'missing.jpg'))).toEqual(noMetadata)
  expect(logged).toContain('The metadata of a file could not be read.')
  expect(warnings).toEqual([])
  const { takenAt } = await readPhoto({ IFD2: { DateTimeOriginal: '2024:06:01 12:34:56' } })
  expect(takenAt).not.toBeNull()
})

test('XMP that is nested too deeply is not read, the rest is, and admins are warned of nothing', async () => {
  const path = join(folder, 'deep.png')
  writeFileSync(path, await pngWithXmp(deepXmp(100)))
  const { metadata, ...rest } = await processing.readMetadata(path)
  expect(metadata).toMatchObject({ originalWidth: 64, originalHeight: 48, make: null })
  expect({ metadata: {}, ...rest }).toEqual(noMetadata)
  expect(warnings).toEqual([])
})

test('files are inspected in a decoder process, within its limit of time, and that can be cancelled', async () => {
  const exif = { IFD2: { DateTimeOriginal: '2024:06:01 12:34:56' } }
  expect((await readPhoto(exif)).takenAt).not.toBeNull()
  // Simulates a file that takes forever.
  expect(signalDecoders('SIGSTOP')).toBeGreaterThan(0)
  expect(await readPhoto(exif)).toEqual(noMetadata)
  expect((await readPhoto(exif)).takenAt).not.toBeNull()
  expect(signalDecoders('SIGSTOP')).toBeGreaterThan(0)
  const signal = AbortSignal.timeout(500)
  await expect(processing.readMetadata(join(folder, 'photo.jpg'), { signal })).rejects.toMatchObject({
    failure: 'cancelled',
  })
}, 120_000)

test.each([
  ['a zone of its own', { 'QuickTime:CreationDate': '2024:06:01 14:34:56+02:00' }, '2024-06-01T14:34:56', 120],
  ['UTC, as the format prescribes', { 'QuickTime:CreateDate': '2024:06:01 12:34:56' }, '2024-06-01T12:34:56', 0],
  [
    'UTC and the zone of the phone',
    { 'QuickTime:CreateDate': '2024:06:01 23:34:56', 'QuickTime:AndroidTimeZone': '+0530' },
    '2024-06-02T05:04:56',
    330,
  ],
  ['summer time in words', { 'H264:DateTimeOriginal': '2012:07:01 10:00:00+02:00 DST' }, '2012-07-01T10:00:00', 120],
])('a film with %s is dated', (_what, tags, local, offsetMinutes) => {
  expect(metadataFromTags(tags).takenAt).toEqual({ local, offsetMinutes })
})

test.each(['MakerNotes', 'SigmaRaw'])('a camera that only knows %s is believed', group => {
  const tags = { [`${group}:DateTimeOriginal`]: '2003:11:10 17:39:26' }
  expect(metadataFromTags(tags).takenAt).toEqual({ local: '2003-11-10T17:39:26', offsetMinutes: null })
  const { takenAt } = metadataFromTags({ ...tags, 'EXIF:DateTimeOriginal': '2004:01:01 10:00:00' })
  expect(takenAt?.local).toBe('2004-01-01T10:00:00')
})

test('a video with the date of the epoch is undated', () => {
  expect(metadataFromTags({ 'QuickTime:CreateDate': '0000:00:00 00:00:00' }).takenAt).toBeNull()
  expect(metadataFromTags({ 'QuickTime:CreateDate': '1904:01:01 00:00:00' }).takenAt).toBeNull()
})

test('a film tells its length, its position and its phone', () => {
  const film = metadataFromTags({
    'QuickTime:Duration': 12.5,
    'Composite:Rotation': 90,
    'Composite:GPSLatitude': 48.8584,
    'Composite:GPSLongitude': 2.2945,
    'QuickTime:AndroidMake': 'Google',
    'QuickTime:AndroidModel': 'Pixel 8',
  })
  expect(film).toMatchObject({ duration: 12.5, rotation: 90, camera: 'Google Pixel 8' })
  expect(film.metadata).toMatchObject({ latitude: 48.8584, longitude: 2.2945 })
})

test.each([
  ['Canon', 'Canon EOS R6', 'Canon EOS R6'],
  ['NIKON CORPORATION', 'NIKON D750', 'NIKON D750'],
  ['NIKON', 'COOLPIX P6000', 'NIKON COOLPIX P6000'],
  ['Apple', 'iPhone 7', 'Apple iPhone 7'],
  ['OLYMPUS IMAGING CORP.', 'E-M10', 'OLYMPUS E-M10'],
  ['SAMSUNG', null, 'SAMSUNG'],
  [null, 'DMC-TZ7', 'DMC-TZ7'],
  [null, null, null],
])('%s and %s are the camera %s', (make, model, camera) => {
  expect(cameraName(make, model)).toBe(camera)
})
