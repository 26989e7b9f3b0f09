import { describe, expect, test } from 'vitest'
import type { Day } from '../layout/days.ts'
import { PAGE_SIZE, type Page, pageAt, pagesBetween, pagesByDay, pagesByOffset } from './pages.ts'

const day = (date: string, count: number): Day => ({ day: date, count })
const asked = (pages: readonly Page[]) =>
  pages.map(({ ask }) => `${ask.from}…${ask.to}${ask.offset ? ` +${ask.offset}` : ''}`)

/** Asserts that every file is in exactly one page. */
function expectWhole(pages: readonly Page[], total: number) {
  let next = 0
  for (const page of pages) {
    const fits = page.start === next && page.count > 0 && page.count <= PAGE_SIZE && page.ask.limit >= page.count
    if (!fits) throw new Error(`A page does not fit: ${JSON.stringify(page)}`)
    next += page.count
  }
  expect(next).toBe(total)
}

describe('pages by day', () => {
  test('cover a small year in one page', () => {
    const pages = pagesByDay([day('2026-06-14', 30), day('2026-01-02', 20), day('2019-12-31', 5)])
    expect(asked(pages)).toEqual(['2026-01-02…2026-06-14', '2019-12-31…2019-12-31'])
    expectWhole(pages, 55)
  })

  test('cover a larger year month by month', () => {
    const pages = pagesByDay([day('2026-06-14', 60), day('2026-06-01', 30), day('2026-05-30', 80)])
    expect(asked(pages)).toEqual(['2026-06-01…2026-06-14', '2026-05-30…2026-05-30'])
    expectWhole(pages, 170)
  })

  test('group the days of a large month', () => {
    const pages = pagesByDay([day('2026-06-14', 60), day('2026-06-13', 30), day('2026-06-12', 80)])
    expect(asked(pages)).toEqual(['2026-06-13…2026-06-14', '2026-06-12…2026-06-12'])
  })

  test('split a large day by offset', () => {
    const pages = pagesByDay([day('2026-06-14', 250), day('2026-06-13', 3)])
    expect(asked(pages)).toEqual([
      '2026-06-14…2026-06-14',
      '2026-06-14…2026-06-14 +100',
      '2026-06-14…2026-06-14 +200',
      '2026-06-13…2026-06-13',
    ])
    expectWhole(pages, 253)
  })

  test('have ascending bounds in either order', () => {
    const pages = pagesByDay([day('2025-01-01', 1), day('2025-03-01', 1)])
    expect(pages[0]?.ask).toMatchObject({ from: '2025-01-01', to: '2025-03-01' })
  })

  test('are unchanged outside the month of a new file', () => {
    const before = [day('2026-06-14', 90), day('2026-06-13', 40), day('2026-05-30', 99), day('2026-04-01', 70)]
    const after = [day('2026-06-14', 95), day('2026-06-13', 45), day('2026-05-30', 99), day('2026-04-01', 70)]
    expect(asked(pagesByDay(after)).slice(-2)).toEqual(asked(pagesByDay(before)).slice(-2))
  })

  test('handle a month of 30,000 files', () => {
    const days = Array.from({ length: 400 }, (_, i) => {
      const date = new Date(Date.UTC(2026, 5, 30) - i * 86_400_000).toISOString().slice(0, 10)
      return day(date, date.startsWith('2026-03') ? 1_000 : 1 + (i % 30))
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
