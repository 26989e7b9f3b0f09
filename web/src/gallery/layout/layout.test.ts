import { describe, expect, test } from 'vitest'
import type { Day } from './days.ts'
import { Layout, type Measures } from './layout.ts'

const measures: Measures = { columns: 4, rowPitch: 100, headingHeight: 40, bandGap: 10 }

const day = (date: string, count: number): Day => ({ day: date, count })

/** 3 + 1 files side by side, then 9 in three rows, then 2. */
const days = [day('2026-06-14', 3), day('2026-06-13', 1), day('2026-06-12', 9), day('2026-05-01', 2)]
const layout = Layout.byDay(days, measures)

/** Twenty years with one to forty files a day. */
const many = Array.from({ length: 7_000 }, (_, i) => {
  const date = new Date(Date.UTC(2026, 5, 14) - i * 86_400_000).toISOString().slice(0, 10)
  return day(date, 1 + ((i * 7919) % 40))
})

describe('a layout by day', () => {
  test('computes the number of files and rows and the height', () => {
    expect(layout.total).toBe(15)
    // Three lines of headings, and 1 + 3 + 1 rows of files.
    expect(layout.rowCount).toBe(8)
    expect(layout.height).toBe(3 * (40 + 10) + 5 * 100)
  })

  test('puts days side by side that fit into one row', () => {
    const [headings] = layout.rowsBetween(0, 1)
    expect(headings?.headings).toEqual([
      { day: '2026-06-14', count: 3, column: 0, columns: 3 },
      { day: '2026-06-13', count: 1, column: 3, columns: 1 },
    ])
  })

  test('gives the remaining columns to the last heading', () => {
    const headings = layout.rowsBetween(0, layout.height).flatMap(row => row.headings)
    expect(headings.at(-1)).toEqual({ day: '2026-05-01', count: 2, column: 0, columns: 4 })
  })

  test('starts a new row for a day that does not fit', () => {
    const apart = Layout.byDay([day('2026-06-14', 3), day('2026-06-13', 2)], measures)
    expect(apart.placeOf(3)).toEqual({ top: 40 + 100 + 10 + 40, row: 4, column: 0 })
  })

  test('never puts a day next to one with several rows', () => {
    const apart = Layout.byDay([day('2026-06-14', 5), day('2026-06-13', 1)], measures)
    expect(apart.placeOf(5).row).toBeGreaterThan(apart.placeOf(4).row + 1)
  })

  test.each([
    [0, { top: 40, row: 2, column: 0 }],
    [3, { top: 40, row: 2, column: 3 }],
    [4, { top: 190, row: 4, column: 0 }],
    [9, { top: 290, row: 5, column: 1 }],
    [12, { top: 390, row: 6, column: 0 }],
    [13, { top: 540, row: 8, column: 0 }],
  ])('computes the position of file %i', (index, place) => {
    expect(layout.placeOf(index)).toEqual(place)
  })

  test('rejects an index out of range', () => {
    expect(() => layout.placeOf(15)).toThrow(RangeError)
    expect(() => layout.placeOf(-1)).toThrow(RangeError)
  })
})

describe('the rows of a range', () => {
  test('are those that intersect it', () => {
    const rows = layout.rowsBetween(200, 295)
    expect(rows.map(({ number, first, count }) => ({ number, first, count }))).toEqual([
      { number: 4, first: 4, count: 4 },
      { number: 5, first: 8, count: 4 },
    ])
  })

  test('are empty above and below the list', () => {
    expect(layout.rowsBetween(-500, -100)).toEqual([])
    expect(layout.rowsBetween(5_000, 6_000)).toEqual([])
  })

  test('contain every file once and in order for any number of columns', () => {
    for (const columns of [1, 2, 3, 4, 5]) {
      const whole = Layout.byDay(days, { ...measures, columns })
      const indexes = whole
        .rowsBetween(0, whole.height)
        .flatMap(({ first, count }) => Array.from({ length: count }, (_, i) => first + i))
      expect(indexes).toEqual(Array.from({ length: whole.total }, (_, i) => i))
    }
  })

  test('are numbered consecutively', () => {
    const whole = Layout.byDay(many, measures)
    const rows = whole.rowsBetween(0, whole.height)
    expect(rows.map(row => row.number)).toEqual(Array.from({ length: whole.rowCount }, (_, i) => i + 1))
    const upsideDown = rows.filter((row, i) => i > 0 && row.top <= (rows[i - 1]?.top ?? 0))
    expect(upsideDown).toEqual([])
  })

  test('agree with the positions of their files', () => {
    const whole = Layout.byDay(many, measures)
    for (let top = 0; top < whole.height; top += 98_765) {
      for (const row of whole.rowsBetween(top, top + 900).filter(({ count }) => count > 0)) {
        expect(whole.placeOf(row.first)).toEqual({ top: row.top, row: row.number, column: 0 })
        expect(whole.rowOf(row.first + row.count - 1)).toEqual(row)
      }
    }
  })
})

describe('the visible files', () => {
  test('start with the first file at or below the top of the screen', () => {
    expect(layout.indexAt(-300)).toBe(0)
    expect(layout.indexAt(45)).toBe(0)
    expect(layout.indexAt(160)).toBe(4)
    expect(layout.indexAt(300)).toBe(8)
    expect(layout.indexAt(99_999)).toBe(14)
  })

  test('end with the last file above the bottom of the screen', () => {
    expect(layout.lastIndexAt(-300)).toBe(0)
    expect(layout.lastIndexAt(45)).toBe(3)
    expect(layout.lastIndexAt(160)).toBe(3)
    expect(layout.lastIndexAt(300)).toBe(11)
    expect(layout.lastIndexAt(99_999)).toBe(14)
  })
})

test('the headings are included for the first row of a day only', () => {
  expect(layout.topWithHeading(3)).toBe(0)
  expect(layout.topWithHeading(5)).toBe(150)
  expect(layout.topWithHeading(9)).toBe(290)
})

describe('moving up and down', () => {
  test('keeps the column across days', () => {
    expect(layout.inNextRow(2, 1)).toBe(6)
    expect(layout.inNextRow(6, -1)).toBe(2)
    expect(layout.inNextRow(6, 1)).toBe(10)
  })

  test('goes to the last file of a shorter row', () => {
    expect(layout.inNextRow(10, 1)).toBe(12)
    expect(layout.inNextRow(12, 1)).toBe(13)
  })

  test('stays in place at either end', () => {
    expect(layout.inNextRow(1, -1)).toBe(1)
    expect(layout.inNextRow(14, 1)).toBe(14)
  })
})

describe('a flat layout', () => {
  test('has rows without headings', () => {
    const flat = Layout.flat(10, measures)
    expect(flat.height).toBe(300)
    expect(flat.rowsBetween(0, 300).map(row => row.count)).toEqual([4, 4, 2])
    expect(flat.placeOf(9)).toEqual({ top: 200, row: 3, column: 1 })
  })

  test('of an empty list has no height', () => {
    expect(Layout.flat(0, measures)).toMatchObject({ total: 0, height: 0, rowCount: 0 })
  })
})
