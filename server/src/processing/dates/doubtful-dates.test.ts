import { expect, test } from 'vitest'
import { type ExtractedMetadata, metadataFromTags, withSidecar } from '../metadata.ts'

const home = { name: 'a.mp4', homeTimeZone: 'Europe/Berlin' }
const camera = { 'EXIF:Make': 'Canon', 'EXIF:Model': 'EOS R6' }

test('a clock that was not set is used only if no other tag has a date', () => {
  const unset = { 'EXIF:DateTimeOriginal': '1970:01:01 00:00:00' }
  expect(metadataFromTags(unset, home).takenAt?.local).toBe('1970-01-01T00:00:00')
  const withOther = { ...unset, 'EXIF:CreateDate': '2019:05:06 07:08:09' }
  expect(metadataFromTags(withOther, home).takenAt?.local).toBe('2019-05-06T07:08:09')
  const counted = { ...camera, 'EXIF:DateTimeOriginal': '1980:02:03 04:05:06' }
  const located = { ...counted, 'Composite:GPSDateTime': '2019:05:06 07:08:09Z' }
  expect(metadataFromTags(located, home).takenAt?.local).toBe('2019-05-06T09:08:09')
})

test.each([
  ['a scan without a camera', {}],
  ['a scanner', { 'EXIF:Make': 'EPSON', 'EXIF:Model': 'Perfection V600' }],
  ['a photo of a print that somebody has dated', { ...camera, 'EXIF:CreateDate': '2021:01:02 03:04:05' }],
])('%s may be from 1970', (_, tags) => {
  const dated = {
    ...tags,
    'EXIF:DateTimeOriginal': '1970:07:01 12:00:00',
    'Composite:GPSDateTime': '2021:01:02 03:04:05Z',
  }
  expect(metadataFromTags(dated, home).takenAt?.local).toBe('1970-07-01T12:00:00')
})

test.each(['-3', '1e308', '0', 'Infinity', '5e99'])('a duration of %s is none', duration => {
  expect(metadataFromTags({ 'QuickTime:Duration': duration }, home).duration).toBeNull()
})

function dateWith(sidecar: Record<string, string>): Pick<ExtractedMetadata, 'takenAt'> & { fromSidecar: boolean } {
  const video = metadataFromTags({ 'QuickTime:CreateDate': '2024:07:01 22:34:56', 'QuickTime:Duration': '3' }, home)
  const { metadata, dateFromSidecar } = withSidecar(video, metadataFromTags(sidecar))
  return { takenAt: metadata.takenAt, fromSidecar: dateFromSidecar }
}

test.each(['2024:07:01 22:34:56', '2024:07:01 22:34:56Z', '2024:07:02 00:34:56', '2024:07:01 22:34:56.40'])(
  'a sidecar that says %s does not change the date of a video with a zone',
  text => {
    const takenAt = { local: '2024-07-02T00:34:56', offsetMinutes: 120 }
    expect(dateWith({ 'XMP:DateTimeOriginal': text })).toEqual({ takenAt, fromSidecar: false })
  },
)

test.each([
  ['2024:07:01 20:00:00', '2024-07-01T20:00:00', null],
  ['2024:07:01 23:34:56+01:00', '2024-07-01T23:34:56', 60],
])('a sidecar that says %s corrects it', (text, local, offsetMinutes) => {
  expect(dateWith({ 'XMP:DateTimeOriginal': text })).toEqual({ takenAt: { local, offsetMinutes }, fromSidecar: true })
})

test('a sidecar with a clock that was not set changes nothing', () => {
  expect(dateWith({ 'XMP:DateTimeOriginal': '1970:01:01 00:00:00' }).fromSidecar).toBe(false)
})
