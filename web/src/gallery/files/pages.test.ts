import { describe, expect, test } from 'vitest'
import { DAY } from '#contract/limits.ts'
import { testDay } from '../layout/test-layouts.ts'
import { PAGE_SIZE, type Page, pageAt, pagesBetween, pagesByDay, pagesByOffset } from './pages.ts'

const dateOf = (key = 0) => new Date(key * DAY).toISOString().slice(0, 10)
const asked = (pages: readonly Page[]) =>
  pages.map(({ query }) => `${dateOf(query.from)}…${dateOf(query.to)}${query.offset ? ` +${query.offset}` : ''}`)

/** Asserts that every file is in exactly one page. */
function expectWhole(pages: readonly Page[], total: number) {
  let next = 0
  for (const page of pages) {
    const fits = page.start === next && page.count > 0 && page.count <= PAGE_SIZE && page.query.limit >= page.count
    if (!fits) throw new Error(`A page does not fit: ${JSON.stringify(page)}`)
    next += page.count
  }
  expect(next).toBe(total)
}

describe('pages by day', () => {
  test('cover a small year in one page', () => {
    const pages = pagesByDay([testDay('2026-06-14', 30), testDay('2026-01-02', 20), testDay('2019-12-31', 5)])
    expect(asked(pages)).toEqual(['2026-01-02…2026-06-14', '2019-12-31…2019-12-31'])
    expectWhole(pages, 55)
  })

  test('cover a larger year month by month', () => {
    const pages = pagesByDay([testDay('2026-06-14', 60), testDay('2026-06-01', 30), testDay('2026-05-30', 80)])
    expect(asked(pages)).toEqual(['2026-06-01…2026-06-14', '2026-05-30…2026-05-30'])
    expectWhole(pages, 170)
  })

  test('group the days of a large month', () => {
    const pages = pagesByDay([testDay('2026-06-14', 60), testDay('2026-06-13', 30), testDay('2026-06-12', 80)])
    expect(asked(pages)).toEqual(['2026-06-13…2026-06-14', '2026-06-12…2026-06-12'])
  })

  test('split a large day by offset', () => {
    const pages = pagesByDay([testDay('2026-06-14', 250), testDay('2026-06-13', 3)])
    expect(asked(pages)).toEqual([
      '2026-06-14…2026-06-14',
      '2026-06-14…2026-06-14 +100',
      '2026-06-14…2026-06-14 +200',
      '2026-06-13…2026-06-13',
    ])
    expectWhole(pages, 253)
  })

  test('have ascending bounds in either order', () => {
    const pages = pagesByDay([testDay('2025-01-01', 1), testDay('2025-03-01', 1)])
    expect(asked(pages)).toEqual(['2025-01-01…2025-03-01'])
  })

  test('are unchanged outside the month of a new file', () => {
    const before = [
      testDay('2026-06-14', 90),
      testDay('2026-06-13', 40),
      testDay('2026-05-30', 99),
      testDay('2026-04-01', 70),
    ]
    const after = [
      testDay('2026-06-14', 95),
      testDay('2026-06-13', 45),
      testDay('2026-05-30', 99),
      testDay('2026-04-01', 70),
    ]
    expect(asked(pagesByDay(after)).slice(-2)).toEqual(asked(pagesByDay(before)).slice(-2))
  })

  test('handle a month of 30,000 files', () => {
    const days = Array.from({ length: 400 }, (_, i) => {
      const date = new Date(Date.UTC(2026, 5, 30) - i * 86_400_000).toISOString().slice(0, 10)
      return testDay(date, date.startsWith('2026-03') ? 1_000 : 1 + (i % 30))
    })
    expectWhole(
      pagesByDay(days),
      days.reduce((sum, { count }) => sum + count, 0),
    )
  })

  test('of an empty list are empty', () => {
    expect(pagesByDay([])).toEqual([])
  })
})

test('pages by offset contain every file once', () => {
  expectWhole(pagesByOffset(1_001), 1_001)
  expect(pagesByOffset(0)).toEqual([])
})

test('the pages of a range are those that contain its files', () => {
  const pages = pagesByOffset(1_000)
  expect(pagesBetween(pages, 150, 320).map(page => page.start)).toEqual([100, 200, 300])
  expect(pagesBetween(pages, 0, 0).map(page => page.start)).toEqual([0])
  expect(pagesBetween(pages, 999, 999).map(page => page.start)).toEqual([900])
  expect(pagesBetween([], 0, 10)).toEqual([])
})

test('the page of a file is found', () => {
  const pages = pagesByOffset(1_000)
  expect(pageAt(pages, 0)?.start).toBe(0)
  expect(pageAt(pages, 99)?.start).toBe(0)
  expect(pageAt(pages, 100)?.start).toBe(100)
  expect(pageAt([], 5)).toBeUndefined()
})
