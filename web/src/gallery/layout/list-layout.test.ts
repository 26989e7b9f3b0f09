import { expect, test } from 'vitest'
import { columnsFor, gridMeasures, listMeasures, tileSide } from './list-layout.ts'

test.each([
  [320, 2],
  [358, 2],
  [420, 2],
  [500, 3],
  [720, 4],
  [900, 5],
  [2_500, 5],
])('a grid %i px wide has %i columns', (width, columns) => {
  expect(columnsFor(width, false)).toBe(columns)
})

test('with names there is one column on the narrowest screens', () => {
  expect(columnsFor(358, true)).toBe(1)
  expect(columnsFor(420, true)).toBe(2)
  expect(columnsFor(900, true)).toBe(5)
})

test('tiles and gaps fill the width to within a pixel per tile', () => {
  for (const width of [358, 421, 719, 1_037]) {
    const columns = columnsFor(width, false)
    const used = columns * tileSide(width, columns) + (columns - 1) * 8
    expect(used).toBeLessThanOrEqual(width)
    expect(width - used).toBeLessThan(columns)
  }
})

test('names and larger fonts make rows taller', () => {
  const bare = gridMeasures({ width: 900, names: false, rem: 16 })
  const named = gridMeasures({ width: 900, names: true, rem: 16 })
  const large = gridMeasures({ width: 900, names: true, rem: 32 })
  expect(named.rowPitch).toBeGreaterThan(bare.rowPitch)
  expect(large.rowPitch).toBeGreaterThan(named.rowPitch)
  expect(large.headingHeight).toBe(2 * named.headingHeight)
})

test('a row of the list is at least as tall as a touch target', () => {
  expect(listMeasures(10).rowPitch).toBeGreaterThanOrEqual(44)
  expect(listMeasures(32).rowPitch).toBe(112)
})
