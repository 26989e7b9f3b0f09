import { expect, test } from 'vitest'
import { formatDates } from './format.ts'

test.each([
  ['2024-06-14', '2024-06-14', '14 June 2024'],
  ['2024-06-02', '2024-06-14', '2–14 June 2024'],
  ['2024-06-14', '2024-08-01', 'June–August 2024'],
  ['2023-12-31', '2024-01-01', 'December 2023–January 2024'],
  ['1985-07', '1985-07', 'July 1985'],
  ['1985-07-03', '1985-07', 'July 1985'],
  ['1985-07', '1985-08-01', 'July–August 1985'],
  ['1974', '1974', '1974'],
  ['1974-01-05', '1974', '1974'],
  ['196X', '1974-01-05', '1960s–1974'],
  ['1964', '196X', '1960s'],
])('an album from %s to %s says %s', (first_date, last_date, text) => {
  // Whether there are spaces around the dash depends on the version of the language data.
  expect(formatDates({ first_date, last_date }, 'en-GB')?.replace(/\s*–\s*/u, '–')).toBe(text)
})

test('an empty album has no dates', () => {
  expect(formatDates({ first_date: null, last_date: null })).toBeUndefined()
})
