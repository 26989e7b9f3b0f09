import { expect, test } from 'vitest'
import type { Day } from './days.ts'
import { Layout, type Measures } from './layout.ts'
import { keepPosition } from './place.ts'

const measures: Measures = { columns: 4, rowPitch: 100, headingHeight: 40, bandGap: 10 }
const laid = (days: Day[], change: Partial<Measures> = {}) => ({
  layout: Layout.byDay(days, { ...measures, ...change }),
  days,
})
const day = (date: string, count: number): Day => ({ day: date, count })

const before = laid([day('2026-06-14', 8), day('2026-06-13', 12), day('2026-06-01', 8)])
/** The second row of 13 June, slightly scrolled. */
const position = before.layout.placeOf(12).top + 30

test('files added on a newer day do not move the visible ones', () => {
  const now = laid([day('2026-06-15', 40), day('2026-06-14', 8), day('2026-06-13', 12), day('2026-06-01', 8)])
  expect(keepPosition(before, now, position)).toBe(now.layout.placeOf(52).top + 30)
})

test('files added on an older day move nothing', () => {
  const now = laid([day('2026-06-14', 8), day('2026-06-13', 12), day('2026-06-01', 99)])
  expect(keepPosition(before, now, position)).toBe(position)
})

test('a deleted day is replaced by the next older one', () => {
  const now = laid([day('2026-06-14', 8), day('2026-06-01', 8)])
  expect(keepPosition(before, now, position)).toBe(now.layout.placeOf(8).top + 30)
})

test('without older days the position is the end', () => {
  const now = laid([day('2026-06-15', 4), day('2026-06-14', 8)])
  expect(keepPosition(before, now, position)).toBe(now.layout.placeOf(11).top + 30)
})

test('in a day with fewer files its last one stays visible', () => {
  const now = laid([day('2026-06-14', 8), day('2026-06-13', 2), day('2026-06-01', 8)])
  expect(keepPosition(before, now, position)).toBe(now.layout.placeOf(9).top + 30)
})

test('ascending order works the same way', () => {
  const oldest = laid([day('2026-06-01', 8), day('2026-06-13', 12), day('2026-06-14', 8)])
  const now = laid([day('2026-05-01', 4), day('2026-06-01', 8), day('2026-06-13', 12), day('2026-06-14', 8)])
  const at = oldest.layout.placeOf(12).top
  expect(keepPosition(oldest, now, at)).toBe(now.layout.placeOf(16).top)
  const without = laid([day('2026-06-01', 8), day('2026-06-14', 8)])
  expect(keepPosition(oldest, without, at)).toBe(without.layout.placeOf(8).top)
})

test('another number of columns shows the same photo', () => {
  const now = laid(before.days, { columns: 2, rowPitch: 200 })
  expect(keepPosition(before, now, position)).toBe(now.layout.placeOf(12).top + 60)
})

test('a list without days uses the index', () => {
  const was = { layout: Layout.flat(40, measures), days: [] }
  const now = { layout: Layout.flat(30, measures), days: [] }
  expect(keepPosition(was, now, 250)).toBe(250)
  expect(keepPosition(was, { layout: Layout.flat(4, measures), days: [] }, 550)).toBe(50)
})

test('the focused file keeps its position', () => {
  const days = ['06-14', '06-13', '06-12', '06-11', '06-10', '06-09'].map(date => day(`2026-${date}`, 1))
  const was = laid(days, { columns: 2 })
  const now = laid([day('2026-06-15', 1), ...days], { columns: 2 })
  const at = was.layout.placeOf(2).top
  expect(keepPosition(was, now, at)).toBe(at)
  expect(keepPosition(was, now, at, 5)).toBe(at + now.layout.placeOf(6).top - was.layout.placeOf(5).top)
  expect(keepPosition(was, now, at, 5)).not.toBe(at)
})
