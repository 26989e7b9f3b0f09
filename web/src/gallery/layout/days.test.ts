import { expect, test } from 'vitest'
import { daysOf } from './days.ts'

test('files sorted by date are grouped by day', () => {
  const files = ['2026-06-14T23:59:59', '2026-06-14T00:00:00', '2026-06-13T12:00:00.5', '1931-01-01T00:00:00']
  expect(daysOf(files.map(date => ({ date })))).toEqual([
    { day: '2026-06-14', count: 2 },
    { day: '2026-06-13', count: 1 },
    { day: '1931-01-01', count: 1 },
  ])
  expect(daysOf([])).toEqual([])
})
