import { expect, test } from 'vitest'
import type { Day } from './days.ts'
import { Layout } from './layout.ts'
import { keepPosition, positionShowing } from './scroll-anchor.ts'
import { testDay, testMeasures } from './test-layouts.ts'

const measures = testMeasures()
const laid = (days: Day[], columns = 4) => ({
  layout: Layout.byDay(days, testMeasures({ width: 400 }, { kind: 'squares', columns })),
  days,
})

const before = laid([testDay('2026-06-14', 8), testDay('2026-06-13', 12), testDay('2026-06-01', 8)])
/** The second row of 13 June, slightly scrolled. */
const position = before.layout.rowOf(12).top + 30

test('files added on a newer day do not move the visible ones', () => {
  const now = laid([
    testDay('2026-06-15', 40),
    testDay('2026-06-14', 8),
    testDay('2026-06-13', 12),
    testDay('2026-06-01', 8),
  ])
  expect(keepPosition(before, now, position)).toBe(now.layout.rowOf(52).top + 30)
})

test('files added on an older day move nothing', () => {
  const now = laid([testDay('2026-06-14', 8), testDay('2026-06-13', 12), testDay('2026-06-01', 99)])
  expect(keepPosition(before, now, position)).toBe(position)
})

test('a deleted day is replaced by the next older one', () => {
  const now = laid([testDay('2026-06-14', 8), testDay('2026-06-01', 8)])
  expect(keepPosition(before, now, position)).toBe(now.layout.rowOf(8).top + 30)
})

test('without older days the position is the end', () => {
  const now = laid([testDay('2026-06-15', 4), testDay('2026-06-14', 8)])
  expect(keepPosition(before, now, position)).toBe(now.layout.rowOf(11).top + 30)
})

test('in a day with fewer files its last one stays visible', () => {
  const now = laid([testDay('2026-06-14', 8), testDay('2026-06-13', 2), testDay('2026-06-01', 8)])
  expect(keepPosition(before, now, position)).toBe(now.layout.rowOf(9).top + 30)
})

test('ascending order works the same way', () => {
  const oldest = laid([testDay('2026-06-01', 8), testDay('2026-06-13', 12), testDay('2026-06-14', 8)])
  const now = laid([
    testDay('2026-05-01', 4),
    testDay('2026-06-01', 8),
    testDay('2026-06-13', 12),
    testDay('2026-06-14', 8),
  ])
  const at = oldest.layout.rowOf(12).top
  expect(keepPosition(oldest, now, at)).toBe(now.layout.rowOf(16).top)
  const without = laid([testDay('2026-06-01', 8), testDay('2026-06-14', 8)])
  expect(keepPosition(oldest, without, at)).toBe(without.layout.rowOf(8).top)
})

test('another number of columns shows the same photo', () => {
  const now = laid(before.days, 2)
  expect(keepPosition(before, now, position)).toBe(now.layout.rowOf(12).top + 60)
})

test('a list without days uses the index', () => {
  const was = { layout: Layout.flat(40, measures), days: [] }
  const now = { layout: Layout.flat(30, measures), days: [] }
  expect(keepPosition(was, now, 250)).toBe(250)
  expect(keepPosition(was, { layout: Layout.flat(4, measures), days: [] }, 550)).toBe(50)
})

test('the focused file keeps its position', () => {
  const days = ['06-14', '06-13', '06-12', '06-11', '06-10', '06-09'].map(date => testDay(`2026-${date}`, 1))
  const was = laid(days, 2)
  const now = laid([testDay('2026-06-15', 1), ...days], 2)
  const at = was.layout.rowOf(2).top
  expect(keepPosition(was, now, at)).toBe(at)
  expect(keepPosition(was, now, at, 5)).toBe(at + now.layout.rowOf(6).top - was.layout.rowOf(5).top)
  expect(keepPosition(was, now, at, 5)).not.toBe(at)
})

test('a file is scrolled no further than to be whole on the screen, with its heading', () => {
  const { layout } = before
  const screen = { height: 400, insets: { top: 50, bottom: 20 } }
  const row = layout.rowOf(12)
  const lowest = row.top + row.height + 8 - 380
  expect(positionShowing(layout, 12, lowest - 60, screen)).toBe(lowest)
  expect(positionShowing(layout, 12, lowest + 60, screen)).toBe(lowest + 60)
  const heading = layout.topWithHeading(8)
  expect(positionShowing(layout, 8, heading + 90, screen)).toBe(heading - 58)
  expect(positionShowing(layout, 8, heading - 70, screen)).toBe(heading - 70)
})
