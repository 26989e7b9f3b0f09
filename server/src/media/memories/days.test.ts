import { expect, test } from 'vitest'
import { dateOfDay, daysInOtherYears } from './days.ts'

const latest = (today: string, day?: string) => daysInOtherYears(today, day).map(dateOfDay).slice(-3)

test('are those of earlier years, and of this year if the day is over', () => {
  expect(latest('2026-11-17')).toEqual(['2023-11-17', '2024-11-17', '2025-11-17'])
  expect(latest('2026-11-17', '12-25')).toEqual(['2023-12-25', '2024-12-25', '2025-12-25'])
  expect(latest('2026-11-17', '03-10')).toEqual(['2024-03-10', '2025-03-10', '2026-03-10'])
})

test('a leap day is remembered on the 28th of February in years without one', () => {
  expect(latest('2026-02-28')).toEqual(['2024-02-28', '2024-02-29', '2025-02-28'])
  expect(latest('2028-02-28')).toEqual(['2025-02-28', '2026-02-28', '2027-02-28'])
  expect(latest('2028-02-29')).toEqual(['2016-02-29', '2020-02-29', '2024-02-29'])
  // Asked for by itself it is only that day.
  expect(latest('2026-11-17', '02-28')).toEqual(['2024-02-28', '2025-02-28', '2026-02-28'])
})
