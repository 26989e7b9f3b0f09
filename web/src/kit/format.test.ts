import { expect, test } from 'vitest'
import {
  formatBadge,
  formatCount,
  formatDate,
  formatDateAndTime,
  formatKinds,
  formatPhotos,
  formatSize,
} from './format.ts'

test('dates are formatted in the given language', () => {
  expect(formatDate('2026-06-14T12:00:00Z', 'en-US')).toBe('June 14, 2026')
  expect(formatDate('2026-06-14T12:00:00Z', 'en-GB')).toBe('14 June 2026')
  expect(formatDate('2026-06-14T12:00:00Z', 'de')).toBe('14. Juni 2026')
})

test('date and time include the weekday', () => {
  expect(formatDateAndTime('2026-06-14T12:00:00Z', 'en-GB')).toMatch(/Sunday,? 14 June 2026.*\d\d:\d\d/)
})

test('large counts are grouped', () => {
  expect(formatCount(12480, 'en')).toBe('12,480')
  expect(formatCount(12480, 'de')).toBe('12.480')
})

test.each([
  [0, '0 Bytes'],
  [1, '1 Bytes'],
  [1023, '1,023 Bytes'],
  [1024, '1 KB'],
  [1536, '1.5 KB'],
  [150 * 1024, '150 KB'],
  [1024 * 1024 - 1, '1 MB'],
  [2.44 * 1024 ** 2, '2.4 MB'],
  [214 * 1024 ** 3, '214 GB'],
  [5000 * 1024 ** 3, '5,000 GB'],
])('%d bytes are shown as %s', (bytes, text) => {
  expect(formatSize(bytes, 'en')).toBe(text)
})

test('sizes use the decimal separator of the language', () => {
  expect(formatSize(1536, 'de')).toBe('1,5 KB')
})

test('a badge counts up to 99', () => {
  expect([1, 99, 100, 12_480].map(count => formatBadge(count, 'en'))).toEqual(['1', '99', '99+', '99+'])
})

test('photos and videos are counted apart, without what there is none of', () => {
  expect([0, 1, 1200].map(formatPhotos)).toEqual(['0 photos', '1 photo', '1,200 photos'])
  expect(formatKinds(10, 2)).toBe('10 photos and 2 videos')
  expect(formatKinds(1, 0)).toBe('1 photo')
  expect(formatKinds(0, 1)).toBe('1 video')
  expect(formatKinds(0, 0)).toBe('No photos')
})
