import { expect, test } from 'vitest'
import { daysOfMonth, formatMonthDay, stepMonthDay } from './dates.ts'

test('steps through all days of a year, the leap day included', () => {
  expect(stepMonthDay('12-31', 1)).toBe('01-01')
  expect(stepMonthDay('01-01', -1)).toBe('12-31')
  expect(stepMonthDay('02-28', 1)).toBe('02-29')
  expect(stepMonthDay('03-01', -1)).toBe('02-29')
  expect(daysOfMonth(2)).toBe(29)
  expect(formatMonthDay('02-29', 'en-GB')).toBe('29 February')
})
