import { expect, test } from 'vitest'
import { daysIn } from './days.ts'

test('a month has its first and last day, and a day itself', () => {
  expect(daysIn('2026-06')).toEqual({ from: '2026-06-01', to: '2026-06-30' })
  expect(daysIn('2024-02')).toEqual({ from: '2024-02-01', to: '2024-02-29' })
  expect(daysIn('2026-06-14')).toEqual({ from: '2026-06-14', to: '2026-06-14' })
})
