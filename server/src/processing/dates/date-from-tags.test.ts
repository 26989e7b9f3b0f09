import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ExifTool, type WriteTags } from 'exiftool-vendored'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startBench } from '../../../test/processing/start.ts'
import { type ClipFolder, h264, openClipFolder, picture } from '../../../test/processing/video-clips.ts'
import { metadataFromTags } from '../metadata.ts'
import { parsePartialDate } from './date-from-tags.ts'

const { processing, folder } = startBench({ homeTimeZone: 'America/New_York' })
const writer = new ExifTool()
let clipFolder: ClipFolder

beforeAll(async () => {
  clipFolder = await openClipFolder()
})
afterAll(async () => {
  await writer.end()
  await clipFolder[Symbol.asyncDispose]()
})

const SUMMER = ['-metadata', 'creation_time=2024-07-02T01:34:56Z']
const WINTER = ['-metadata', 'creation_time=2024-01-15T01:34:56Z']
const codecs: Record<string, string[]> = { mp4: h264, mov: h264, mkv: h264, '3gp': ['-c:v', 'h263'], wmv: [] }

async function readClip(extension: string, args: string[], name?: string) {
  const source = extension === '3gp' ? picture('176x144', 1) : picture('64x48', 1)
  const path = await clipFolder.make(`clip.${extension}`, ...source, ...(codecs[extension] ?? []), ...args)
  return processing.readMetadata(path, { name })
}

test.each(['mp4', 'mov', '3gp', 'mkv', 'wmv'])('a %s without a zone is in the time of home', async extension => {
  const summer = await readClip(extension, SUMMER)
  expect(summer.takenAt).toEqual({ local: '2024-07-01T21:34:56', offsetMinutes: -240 })
  expect(summer.metadata.dateTimeOriginal).toBe('2024-07-01T21:34:56-04:00')
  const winter = await readClip(extension, WINTER)
  expect(winter.takenAt).toEqual({ local: '2024-01-14T20:34:56', offsetMinutes: -300 })
})

test.each([
  ['Paris', '+48.8584+002.2945/', '2024-07-02T03:34:56', 120, '2024-01-15T02:34:56', 60],
  ['Sydney', '-33.8567+151.2152/', '2024-07-02T11:34:56', 600, '2024-01-15T12:34:56', 660],
  ['Kathmandu', '+27.7172+085.3240/', '2024-07-02T07:19:56', 345, '2024-01-15T07:19:56', 345],
])('a video of %s is in the time of the place', async (_, place, summer, summerOffset, winter, winterOffset) => {
  const location = ['-metadata', `location=${place}`]
  // The position takes precedence over the name.
  const read = await readClip('mp4', [...SUMMER, ...location], 'VID_20240702_023456.mp4')
  expect(read.takenAt).toEqual({ local: summer, offsetMinutes: summerOffset })
  const { takenAt } = await readClip('mp4', [...WINTER, ...location])
  expect(takenAt).toEqual({ local: winter, offsetMinutes: winterOffset })
})

test('a zone that a phone wrote down counts more than its place', async () => {
  const { takenAt } = await readClip('mov', [
    ...SUMMER,
    ...['-movflags', 'use_metadata_tags', '-metadata', 'com.apple.quicktime.creationdate=2024-07-02T10:34:56+0900'],
    ...['-metadata', 'com.apple.quicktime.location.ISO6709=+48.8584+002.2945/'],
  ])
  expect(takenAt).toEqual({ local: '2024-07-02T10:34:56', offsetMinutes: 540 })
})

test('a tag that has room for a zone but says UTC tells none', async () => {
  const { takenAt } = await readClip('mov', [
    ...SUMMER,
    ...['-movflags', 'use_metadata_tags', '-metadata', 'com.apple.quicktime.creationdate=2024-07-02T01:34:56Z'],
  ])
  expect(takenAt).toEqual({ local: '2024-07-01T21:34:56', offsetMinutes: -240 })
})

test.each([
  ['VID_20240702_033456.mp4', '2024-07-02T03:34:56', 120],
  // The name is two seconds earlier than the header.
  ['VID_20240702_070454.mp4', '2024-07-02T07:04:56', 330],
  // Pixel phones use UTC in names, which reveals no zone; nor does a name with another day.
  ['PXL_20240702_013456789.mp4', '2024-07-01T21:34:56', -240],
  ['VID_20190101_123456.mp4', '2024-07-01T21:34:56', -240],
  ['IMG-20240702-WA0001.mp4', '2024-07-01T21:34:56', -240],
])('the name %s tells the zone', async (name, local, offsetMinutes) => {
  expect((await readClip('mp4', SUMMER, name)).takenAt).toEqual({ local, offsetMinutes })
})

test('the end of a long film in its header and the beginning in its name tell the zone too', () => {
  const tags = { 'QuickTime:CreateDate': '2024:07:02 02:14:56', 'QuickTime:Duration': 2_400 }
  const { takenAt } = metadataFromTags(tags, { name: '20240702_033456.mp4', homeTimeZone: 'UTC' })
  expect(takenAt).toEqual({ local: '2024-07-02T04:14:56', offsetMinutes: 120 })
})

test('a GoPro writes its local time where UTC belongs', () => {
  const tags = { 'QuickTime:CreateDate': '2024:07:02 09:34:56', 'QuickTime:HandlerDescription': 'GoPro AVC' }
  const { takenAt } = metadataFromTags(tags, { name: 'GX010001.MP4', homeTimeZone: 'Europe/Berlin' })
  expect(takenAt).toEqual({ local: '2024-07-02T09:34:56', offsetMinutes: null })
})

test.each([
  ['AVCHD', 'H264:DateTimeOriginal', '2012:07:01 10:00:00', null],
  ['AVCHD with a zone', 'H264:DateTimeOriginal', '2012:07:01 10:00:00+02:00 DST', 120],
  ['AVI', 'RIFF:DateTimeOriginal', '2012:07:01 10:00:00', null],
  ['Sony MP4', 'XML:CreationDateValue', '2012:07:01 10:00:00+02:00', 120],
])('local time of %s stays as it is', (_, tag, text, offsetMinutes) => {
  const { takenAt } = metadataFromTags({ [tag]: text }, { name: '', homeTimeZone: 'America/New_York' })
  expect(takenAt).toEqual({ local: '2012-07-01T10:00:00', offsetMinutes })
})

async function readPhoto(tags: Record<string, string | number>, format: 'jpg' | 'png' = 'jpg') {
  const path = join(folder, `photo.${format}`)
  const photo = sharp({ create: { width: 40, height: 30, channels: 3, background: 'teal' } })
  writeFileSync(path, await photo.toFormat(format === 'jpg' ? 'jpeg' : 'png').toBuffer())
  await writer.write(path, tags as WriteTags, { writeArgs: ['-overwrite_original'] })
  return processing.readMetadata(path)
}

test.each([
  [
    'IPTC day and time',
    { 'IPTC:DateCreated': '1985:07:12', 'IPTC:TimeCreated': '12:34:56+02:00' },
    '1985-07-12T12:34:56',
    120,
  ],
  [
    'GPS time and place',
    { GPSDateStamp: '2024:07:02', GPSTimeStamp: '01:34:56', ...gps(48.8584, 2.2945) },
    '2024-07-02T03:34:56',
    120,
  ],
  ['GPS time alone', { GPSDateStamp: '2024:07:02', GPSTimeStamp: '01:34:56' }, '2024-07-01T21:34:56', -240],
  [
    'an offset as GMT+02:00',
    { 'EXIF:DateTimeOriginal': '2020:01:02 10:11:12', 'OffsetTimeOriginal#': 'GMT+02:00' },
    '2020-01-02T10:11:12',
    120,
  ],
  [
    'EXIF before everything else',
    { 'EXIF:DateTimeOriginal': '2020:01:02 10:11:12', 'XMP-photoshop:DateCreated': '1985' },
    '2020-01-02T10:11:12',
    null,
  ],
])('a photo with %s is dated', async (_, tags, local, offsetMinutes) => {
  const { takenAt, takenOn } = await readPhoto(tags)
  expect(takenAt).toEqual({ local, offsetMinutes })
  expect(takenOn).toBeNull()
})

function gps(latitude: number, longitude: number) {
  return { GPSLatitude: latitude, GPSLatitudeRef: 'N', GPSLongitude: longitude, GPSLongitudeRef: 'E' }
}

test('the creation time of a PNG is its date', async () => {
  const { takenAt } = await readPhoto({ 'PNG:CreationTime': '2020:01:02 10:11:12+02:00' }, 'png')
  expect(takenAt).toEqual({ local: '2020-01-02T10:11:12', offsetMinutes: 120 })
})

test.each([
  ['XMP year', { 'XMP-photoshop:DateCreated': '1985' }, '1985-01-01T00:00:00', 'year'],
  ['XMP month', { 'XMP-photoshop:DateCreated': '1985:07' }, '1985-07-01T00:00:00', 'month'],
  ['XMP day', { 'XMP-photoshop:DateCreated': '1985:07:12' }, '1985-07-12T00:00:00', 'day'],
  ['IPTC day', { 'IPTC:DateCreated': '1985:07:12' }, '1985-07-12T00:00:00', 'day'],
  ['IPTC year', { 'IPTC:DateCreated#': '19850000' }, '1985-01-01T00:00:00', 'year'],
  // The date of the scan is not the date of the photo.
  [
    'year of a scan',
    { 'XMP-photoshop:DateCreated': '1985', CreateDate: '2020:01:02 10:11:12' },
    '1985-01-01T00:00:00',
    'year',
  ],
])('an %s stays what it is', async (_, tags, local, precision) => {
  const { takenAt, takenOn, metadata } = await readPhoto(tags)
  expect(takenOn).toEqual({ local, precision })
  expect([takenAt, metadata.dateTimeOriginal]).toEqual([null, null])
})

test.each([
  ['1970', '1970-01-01', 'year'],
  ['1985:07:00 00:00:00', '1985-07-01', 'month'],
  ['1985:07:  ', '1985-07-01', 'month'],
  ['1985:07:12 00:00', '1985-07-12', 'day'],
])('%j is of %s', (text, day, precision) => {
  expect(parsePartialDate(text)).toEqual({ local: `${day}T00:00:00`, precision })
})

test.each([
  '',
  '0000',
  '1700',
  '9999',
  '85',
  '1985:13',
  '1985:02:30',
  '1985:00:12',
  '0000:00:00 00:00:00',
  '1970:01:01 00:00:00',
  'July',
])('%j is no date', text => expect(parsePartialDate(text)).toBeUndefined())

test('an XMP sidecar is read like a file', async () => {
  const path = join(folder, 'photo.jpg.xmp')
  await readPhoto({ 'XMP-exif:DateTimeOriginal': '2001:02:03 04:05:06', ...gps(48.8584, 2.2945) })
  await writer.write(path, { 'XMP-exif:DateTimeOriginal': '2001:02:03 04:05:06' } as WriteTags, { writeArgs: [] })
  const copy = join(folder, 'without-extension')
  copyFileSync(path, copy)
  expect((await processing.readMetadata(copy)).takenAt?.local).toBe('2001-02-03T04:05:06')
})
