import { expect, test } from 'vitest'
import type { Day } from './days.ts'
import { Layout, type Measures } from './layout.ts'
import { samePlace } from './place.ts'

const measures: Measures = { columns: 4, rowPitch: 100, headingHeight: 40, bandGap: 10 }
const laid = (days: Day[], change: Partial<Measures> = {}) => ({
  layout: Layout.byDay(days, { ...measures, ...change }),
  days,
})
const day = (date: string, count: number): Day => ({ day: date, count })

const before = laid([day('2026-06-14', 8), day('2026-06-13', 12), day('2026-06-01', 8)])
/** The second row of 13 June, a little scrolled into. */
const position = before.layout.placeOf(12).top + 30

test('files that come on a newer day push nobody away from what they look at', () => {
  const now = laid([day('2026-06-15', 40), day('2026-06-14', 8), day('2026-06-13', 12), day('2026-06-01', 8)])
  expect(samePlace(before, now, position)).toBe(now.layout.placeOf(52).top + 30)
})

test('files that come on an older day move nothing', () => {
  const now = laid([day('2026-06-14', 8), day('2026-06-13', 12), day('2026-06-01', 99)])
  expect(samePlace(before, now, position)).toBe(position)
})

test('when the day itself is gone, the next older one is there', () => {
  const now = laid([day('2026-06-14', 8), day('2026-06-01', 8)])
  expect(samePlace(before, now, position)).toBe(now.layout.placeOf(8).top + 30)
})

test('when everything older is gone too, the end is', () => {
  const now = laid([day('2026-06-15', 4), day('2026-06-14', 8)])
  expect(samePlace(before, now, position)).toBe(now.layout.placeOf(11).top + 30)
})

test('a day that became shorter keeps its last file in sight', () => {
  const now = laid([day('2026-06-14', 8), day('2026-06-13', 2), day('2026-06-01', 8)])
  expect(samePlace(before, now, position)).toBe(now.layout.placeOf(9).top + 30)
})

test('the oldest first is found again likewise', () => {
  const oldest = laid([day('2026-06-01', 8), day('2026-06-13', 12), day('2026-06-14', 8)])
  const now = laid([day('2026-05-01', 4), day('2026-06-01', 8), day('2026-06-13', 12), day('2026-06-14', 8)])
  const at = oldest.layout.placeOf(12).top
  expect(samePlace(oldest, now, at)).toBe(now.layout.placeOf(16).top)
  const without = laid([day('2026-06-01', 8), day('2026-06-14', 8)])
  expect(samePlace(oldest, without, at)).toBe(without.layout.placeOf(8).top)
})

test('a turned phone shows the same photo in other columns', () => {
  const now = laid(before.days, { columns: 2, rowPitch: 200 })
  expect(samePlace(before, now, position)).toBe(now.layout.placeOf(12).top + 60)
})

test('a list without days goes by number', () => {
  const was = { layout: Layout.flat(40, measures), days: [] }
  const now = { layout: Layout.flat(30, measures), days: [] }
  expect(samePlace(was, now, 250)).toBe(250)
  expect(samePlace(was, { layout: Layout.flat(4, measures), days: [] }, 550)).toBe(50)
})

test('whoever is at a file stays with it, also where those at the top move otherwise', () => {
  const days = ['06-14', '06-13', '06-12', '06-11', '06-10', '06-09'].map(date => day(`2026-${date}`, 1))
  const was = laid(days, { columns: 2 })
  const now = laid([day('2026-06-15', 1), ...days], { columns: 2 })
  const at = was.layout.placeOf(2).top
  expect(samePlace(was, now, at)).toBe(at)
  expect(samePlace(was, now, at, 5)).toBe(at + now.layout.placeOf(6).top - was.layout.placeOf(5).top)
  expect(samePlace(was, now, at, 5)).not.toBe(at)
})
