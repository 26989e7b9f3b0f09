import { expect, test } from 'vitest'
import { dimensions, exposure, fileTitle, tileTitle } from './file-facts.ts'

test('dimensions include megapixels', () => {
  const rotation = null
  expect(dimensions({ width: 6000, height: 4000, rotation })).toBe('6000 × 4000, 24 megapixels')
  expect(dimensions({ width: 64, height: 48, rotation })).toBe('64 × 48')
  expect(dimensions({ width: null, height: 48, rotation })).toBeUndefined()
})

test('dimensions are those of the saved rotation, also until the variants are made again', () => {
  const size = { width: 64, height: 48 }
  expect(dimensions({ ...size, rotation: { saved: 90, variants: 0, url: 0 } })).toBe('48 × 64')
  expect(dimensions({ ...size, rotation: { saved: 90, variants: 90, url: 0 } })).toBe('64 × 48')
  expect(dimensions({ ...size, rotation: { saved: 180, variants: 0, url: 0 } })).toBe('64 × 48')
})

test('exposure is written in photographic notation', () => {
  expect(exposure({ exposureTime: 0.004, fNumber: 2.8, iso: 400, focalLength: 35, flash: true })).toBe(
    '1/250 s · f/2.8 · ISO 400 · 35 mm · flash',
  )
  expect(exposure({ exposureTime: 2.5, flash: false })).toBe('2.5 s')
  expect(exposure({})).toBeUndefined()
})

test('the title is the place and the day, as far as they are known', () => {
  const edtf = '2015-02-12T18:30:00'
  const known = { location: 'Santa Monica, United States', edtf, taken_at: `${edtf}-08:00` }
  expect(fileTitle(known, 'en-GB')).toBe('Santa Monica · 12 Feb 2015')
  expect(fileTitle({ ...known, location: null }, 'en-US')).toBe('Feb 12, 2015')
  expect(fileTitle({ ...known, taken_at: null }, 'en-GB')).toBe('Santa Monica')
  const partial = { ...known, edtf: '2015-02', taken_at: null, date_source: 'sidecar' } as const
  expect(fileTitle(partial, 'en-GB')).toBe('Santa Monica · February 2015')
  expect(fileTitle({ ...partial, location: null, edtf: '1950~', date_source: 'person' }, 'en-GB')).toBe('About 1950')
  // The date of a copy may say nothing about the photo.
  const copied = { ...known, location: null, taken_at: null, date_source: 'file' } as const
  expect(fileTitle(copied, 'en-GB')).toBeUndefined()
})

test('the title of a file that is not loaded has what its tile knows', () => {
  const tile = { file_type: 'image', ratio: 1, thumbhash: null, url: undefined, original_name: 'IMG_1.jpg' } as const
  expect(tileTitle({ ...tile, day: '2015-02-12', location: 'Santa Monica, United States' }, 'en-GB')).toBe(
    'Santa Monica · 12 Feb 2015',
  )
  expect(tileTitle({ ...tile, day: '1974', edtf: '1974-22' }, 'en-GB')).toBe('Summer 1974')
  expect(tileTitle({ ...tile, day: '196X' }, 'en-GB')).toBe('1960s')
  expect(tileTitle({ ...tile, day: 'XXXX' }, 'en-GB')).toBe('IMG_1.jpg')
})
