import { expect, test } from 'vitest'
import { coordinates, dimensions, exposure, length, takenAt } from './facts.ts'

// Versions of Intl differ in the comma behind the weekday.
const taken = (text: string) => takenAt(text, 'en-GB')?.replace(',', '')

test('a photo was taken when its camera said, wherever it is looked at', () => {
  expect(taken('2024-06-14T23:30:00')).toBe('Friday 14 June 2024 at 23:30')
})

test('the zone is named where the camera knew it', () => {
  expect(taken('2024-06-14T23:30:00+02:00')).toBe('Friday 14 June 2024 at 23:30 (UTC+2)')
  expect(taken('2024-06-14T23:30:00-03:30')).toBe('Friday 14 June 2024 at 23:30 (UTC−3:30)')
  expect(taken('2024-06-14T23:30:00Z')).toBe('Friday 14 June 2024 at 23:30 (UTC)')
})

test('nonsense is no date', () => expect(takenAt('2024-02-31T12:00:00')).toBeUndefined())

test('dimensions, with megapixels where there are any', () => {
  expect(dimensions({ width: 6000, height: 4000 })).toBe('6000 × 4000, 24 megapixels')
  expect(dimensions({ width: 64, height: 48 })).toBe('64 × 48')
  expect(dimensions({ width: null, height: 48 })).toBeUndefined()
})

test('exposure as photographers write it', () => {
  expect(exposure({ exposureTime: 0.004, fNumber: 2.8, iso: 400, focalLength: 35, flash: true })).toBe(
    '1/250 s · f/2.8 · ISO 400 · 35 mm · flash',
  )
  expect(exposure({ exposureTime: 2.5, flash: false })).toBe('2.5 s')
  expect(exposure({})).toBeUndefined()
})

test('coordinates by hemisphere', () => {
  expect(coordinates(48.85837, 2.294481)).toBe('48.8584° N, 2.2945° E')
  expect(coordinates(-33.8568, -151.2153)).toBe('33.8568° S, 151.2153° W')
})

test('lengths of films', () => {
  expect([7, 750, 3723].map(length)).toEqual(['0:07', '12:30', '1:02:03'])
})
