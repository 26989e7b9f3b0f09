import { expect, test } from 'vitest'
import { formatCount, formatDate, formatDateAndTime } from './format.ts'

test('a date reads as people write it in their language', () => {
  expect(formatDate('2026-06-14T12:00:00Z', 'en-US')).toBe('June 14, 2026')
  expect(formatDate('2026-06-14T12:00:00Z', 'en-GB')).toBe('14 June 2026')
  expect(formatDate('2026-06-14T12:00:00Z', 'de')).toBe('14. Juni 2026')
})

test('the exact moment names the day of the week and the time', () => {
  expect(formatDateAndTime('2026-06-14T12:00:00Z', 'en-GB')).toMatch(/Sunday,? 14 June 2026.*\d\d:\d\d/)
})

test('large counts are grouped', () => {
  expect(formatCount(12480, 'en')).toBe('12,480')
  expect(formatCount(12480, 'de')).toBe('12.480')
})
