import { expect, test } from 'vitest'
import { formatDays } from './format.ts'

test.each([
  ['2024-06-14', '2024-06-14', '14 June 2024'],
  ['2024-06-02', '2024-06-14', '2–14 June 2024'],
  ['2024-06-14', '2024-08-01', 'June–August 2024'],
  ['2023-12-31', '2024-01-01', 'December 2023–January 2024'],
])('an album from %s to %s says %s', (first_day, last_day, text) => {
  // Whether there are spaces around the dash depends on the version of the language data.
  expect(formatDays({ first_day, last_day }, 'en-GB')?.replace(/\s*–\s*/u, '–')).toBe(text)
})

test('an empty album has no dates', () => {
  expect(formatDays({ first_day: null, last_day: null })).toBeUndefined()
})
