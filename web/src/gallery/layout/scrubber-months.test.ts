import { describe, expect, test } from 'vitest'
import { Layout } from './layout.ts'
import { monthAt, nextYear, scrubberMonths, yearLabels } from './scrubber-months.ts'
import { testDay, testMeasures } from './test-layouts.ts'

const measures = testMeasures()

const days = [
  testDay('2026-06-14', 8),
  testDay('2026-06-01', 4),
  testDay('2026-05-30', 4),
  testDay('2026-04-02', 4),
  testDay('2025-12-24', 20),
  testDay('2024-08-01', 4),
]
const layout = Layout.byDay(days, measures)
const months = scrubberMonths(days, layout)

test('every month has one month at the headings of its first file', () => {
  expect(months.map(month => month.month)).toEqual(['2026-06', '2026-05', '2026-04', '2025-12', '2024-08'])
  expect(months[0]?.top).toBe(0)
  expect(months[3]?.top).toBe(layout.topWithHeading(20))
})

test('months that start in one row have one month', () => {
  const short = ['2026-06-14', '2026-05-30', '2026-04-02', '2026-03-01', '2026-02-11'].map(day => testDay(day, 1))
  expect(scrubberMonths(short, Layout.byDay(short, measures)).map(month => month.month)).toEqual(['2026-06', '2026-03'])
})

describe('the month at a position', () => {
  test('is the last one that starts above it', () => {
    expect(monthAt(months, 0)).toBe(0)
    expect(monthAt(months, -500)).toBe(0)
    expect(monthAt(months, (months[3]?.top ?? 0) + 250)).toBe(3)
    expect(monthAt(months, 99_999)).toBe(4)
  })
})

describe('the next and previous year', () => {
  test('start at their first month', () => {
    expect(nextYear(months, 0, 1)).toBe(3)
    expect(nextYear(months, 3, 1)).toBe(4)
    expect(nextYear(months, 4, -1)).toBe(3)
    expect(nextYear(months, 3, -1)).toBe(0)
  })

  test('stop at the ends', () => {
    expect(nextYear(months, 4, 1)).toBe(4)
    expect(nextYear(months, 1, -1)).toBe(0)
  })
})

describe('the year labels', () => {
  test('are placed where the years start', () => {
    const labels = yearLabels(months, layout.height, 0)
    expect(labels.map(label => label.text)).toEqual(['2026', '2025', '2024'])
    expect(labels[1]?.at).toBeCloseTo((months[3]?.top ?? 0) / layout.height)
  })

  test('are omitted where they would overlap', () => {
    const crowded = Array.from({ length: 64 }, (_, i) => ({ month: `${2026 - i}-06`, top: i }))
    const labels = yearLabels(crowded, 64, 0.125)
    expect(labels).toHaveLength(8)
    for (const [i, label] of labels.entries())
      expect(label.at - (labels[i - 1]?.at ?? -1)).toBeGreaterThanOrEqual(0.125)
  })
})
