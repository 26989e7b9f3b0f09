import { expect, test } from 'vitest'
import { dimensions, exposure, fileTitle, takenAt } from './file-facts.ts'

// Versions of Intl differ in the comma after the weekday.
const taken = (text: string) => takenAt(text, 'en-GB')?.replace(',', '')

test("the time taken is the camera's local time", () => {
  expect(taken('2024-06-14T23:30:00')).toBe('Friday 14 June 2024 at 23:30')
})

test('the UTC offset is shown if known', () => {
  expect(taken('2024-06-14T23:30:00+02:00')).toBe('Friday 14 June 2024 at 23:30 (UTC+2)')
  expect(taken('2024-06-14T23:30:00-03:30')).toBe('Friday 14 June 2024 at 23:30 (UTC−3:30)')
  expect(taken('2024-06-14T23:30:00Z')).toBe('Friday 14 June 2024 at 23:30 (UTC)')
})

test('an invalid date is undefined', () => expect(takenAt('2024-02-31T12:00:00')).toBeUndefined())

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
  const date = '2015-02-12T18:30:00'
  const known = { location: 'Santa Monica, United States', date, taken_at: `${date}-08:00` }
  expect(fileTitle(known, 'en-GB')).toBe('Santa Monica · 12 Feb 2015')
  expect(fileTitle({ ...known, location: null }, 'en-US')).toBe('Feb 12, 2015')
  expect(fileTitle({ ...known, taken_at: null }, 'en-GB')).toBe('Santa Monica')
  const partial = { ...known, taken_at: null, date_source: 'sidecar', date_precision: 'month' } as const
  expect(fileTitle(partial, 'en-GB')).toBe('Santa Monica · February 2015')
  expect(fileTitle({ ...partial, location: null, date_precision: 'year' }, 'en-GB')).toBe('2015')
  // The date of a copy says nothing about the photo.
  const copied = { ...known, location: null, taken_at: null, date_source: 'file', date_precision: 'time' } as const
  expect(fileTitle(copied, 'en-GB')).toBeUndefined()
})
