import { expect, test } from 'vitest'
import { relativeTime } from './relative-time.ts'

const moment = '2026-06-14T23:30:00.000Z'
const at = Date.parse(moment)
const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000]

test.each([
  [0, 'Just now'],
  [59 * second, 'Just now'],
  [minute, '1m ago'],
  [59 * minute + 59 * second, '59m ago'],
  [hour, '1h ago'],
  [23 * hour + 59 * minute, '23h ago'],
  [day, '1d ago'],
  [7 * day - second, '6d ago'],
  [7 * day, 'Jun 14, 2026'],
  [400 * day, 'Jun 14, 2026'],
])('after %i ms it says %s', (passed, expected) => {
  expect(relativeTime(moment, at + passed, 'en-US', 'UTC')).toBe(expected)
})

test('a moment in the future, by a faster clock, was just now', () => {
  expect(relativeTime(moment, at - 5 * minute)).toBe('Just now')
})

test.each([
  ['Europe/Lisbon', 'pt-PT', '15/06/2026'],
  ['America/Los_Angeles', 'en-US', 'Jun 14, 2026'],
  ['Asia/Tokyo', 'ja-JP', '2026/06/15'],
])('the date is the one in %s, as it is written there', (zone, language, expected) => {
  expect(relativeTime(moment, at + 30 * day, language, zone)).toBe(expected)
})
