import { expect, test } from 'vitest'
import { columnsFor, densityStepsFrom, limitDensity, measuresOf, sizeFor } from './list-layout.ts'

test.each([
  [260, 2],
  [320, 3],
  [358, 3],
  [500, 3],
  [720, 4],
  [900, 5],
  [2_500, 5],
])('a grid %i px wide has %i columns', (width, columns) => {
  expect(columnsFor(width, 0)).toBe(columns)
})

test('the density changes the columns from one to five', () => {
  expect([-9, -2, -1, 0, 1, 2, 9].map(density => columnsFor(358, density))).toEqual([1, 1, 2, 3, 4, 5, 5])
})

test('the density goes from one photo in a row to an overview of years', () => {
  expect([-9, -1, 0, 1, 2, 3, 9].map(density => sizeFor(1_100, density))).toEqual([
    ...['one', 168, 124, 96, 64],
    ...['overview', 'overview'],
  ])
  expect([-9, -1, 0, 1, 2, 9].map(density => sizeFor(358, density))).toEqual([
    'one',
    124,
    96,
    64,
    'overview',
    'overview',
  ])
  expect(sizeFor(2_500, 0)).toBe(220)
  // Whatever the width is, each step changes something.
  for (const width of [200, 358, 508, 1_100, 2_200]) {
    const sizes = Array.from({ length: 30 }, (_, i) => sizeFor(width, i - 15))
    expect(new Set(sizes).size).toBe(sizes.filter((size, i) => size !== sizes[i - 1]).length)
  }
})

test('the overview has some hundred files on a screen', () => {
  for (const [width, height] of [
    [1_090, 770],
    [358, 640],
  ] as const) {
    const { arrangement, gap } = measuresOf({}, { view: 'proportions', names: true, width, density: 9, rem: 16 })
    const columns = arrangement.kind === 'squares' ? arrangement.columns : 0
    const rows = Math.floor((height - 80) / (width / columns + gap))
    expect(columns * rows).toBeGreaterThan(200)
    expect(columns * rows).toBeLessThan(400)
  }
})

test('a density beyond the smallest or largest size is limited', () => {
  const phone = { view: 'squares', width: 358 } as const
  expect([-9, -2, 1, 9].map(density => limitDensity(density, phone))).toEqual([-2, -2, 1, 2])
  const wide = { view: 'proportions', width: 1_100 } as const
  expect([-9, 0, 9].map(density => limitDensity(density, wide))).toEqual([-7, 0, 3])
})

test('photos can be made smaller and larger up to the limits, also from a density of a wider window', () => {
  const steps = (density: number, view: 'squares' | 'proportions' | 'list', width: number) => {
    const { smaller, larger } = densityStepsFrom(density, { view, width })
    return [smaller && 'smaller', larger && 'larger'].filter(Boolean)
  }
  expect(steps(0, 'squares', 1_100)).toEqual(['larger'])
  expect(steps(-1, 'squares', 1_100)).toEqual(['smaller', 'larger'])
  expect(steps(-4, 'squares', 1_100)).toEqual(['smaller'])
  expect(steps(-4, 'squares', 358)).toEqual(['smaller'])
  expect(steps(9, 'proportions', 1_100)).toEqual(['larger'])
  expect(steps(0, 'list', 1_100)).toEqual([])
})

test('names and larger fonts make rows taller', () => {
  const options = { view: 'squares', width: 900, density: 0 } as const
  const bare = measuresOf({}, { ...options, names: false, rem: 16 })
  const named = measuresOf({}, { ...options, names: true, rem: 16 })
  const large = measuresOf({}, { ...options, names: true, rem: 32 })
  expect(bare.captionHeight).toBe(0)
  expect(large.captionHeight).toBe(2 * named.captionHeight)
  expect(large.monthHeight).toBe(2 * named.monthHeight)
})

test('a row of the list is at least as tall as a touch target', () => {
  const rowHeight = (rem: number) => {
    const { arrangement } = measuresOf({}, { view: 'list', names: false, width: 900, density: 0, rem })
    return arrangement.kind === 'list' ? arrangement.rowHeight : 0
  }
  expect(rowHeight(10)).toBeGreaterThanOrEqual(44)
  expect(rowHeight(32)).toBe(112)
})
