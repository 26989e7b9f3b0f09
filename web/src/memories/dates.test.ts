import { expect, test } from 'vitest'
import { daysOfMonth, formatMonthDay, sinceWhen, stepMonthDay } from './dates.ts'
import { texts } from './texts.ts'

const now = new Date(2026, 10, 17, 12)
const since = (...date: [number, number, number, number?]) =>
  texts.top.added({ count: 12, ...sinceWhen(new Date(...date).toISOString(), now, 'en-GB') })

test('says since when as people do', () => {
  expect(since(2026, 10, 17, 9)).toBe('12 photos added since 09:00')
  expect(since(2026, 10, 16, 23)).toBe('12 photos added since yesterday')
  expect(since(2026, 10, 15, 1)).toBe('12 photos added since Sunday')
  expect(since(2026, 10, 10, 1)).toBe('12 photos added since 10 November')
  expect(since(2025, 10, 10, 1)).toBe('12 photos added since 10 November 2025')
})

test('steps through all days of a year, the leap day included', () => {
  expect(stepMonthDay('12-31', 1)).toBe('01-01')
  expect(stepMonthDay('01-01', -1)).toBe('12-31')
  expect(stepMonthDay('02-28', 1)).toBe('02-29')
  expect(stepMonthDay('03-01', -1)).toBe('02-29')
  expect(daysOfMonth(2)).toBe(29)
  expect(formatMonthDay('02-29', 'en-GB')).toBe('29 February')
})
