import { expect, test } from 'vitest'
import { proportionOf, ratioOf, squareProportion } from './proportions.ts'

test.each([
  [3024, 4032],
  [4032, 3024],
  [1920, 1080],
  [1000, 1000],
  [6000, 4000],
  [1080, 2340],
  [1, 3],
])('%i × %i is kept within 1.5 %%', (width, height) => {
  const error = ratioOf(proportionOf(width, height)) / (width / height)
  expect(Math.abs(error - 1)).toBeLessThan(0.015)
})

test('common proportions are exact', () => {
  expect(ratioOf(proportionOf(4, 3))).toBeCloseTo(4 / 3, 10)
  expect(ratioOf(proportionOf(9, 16))).toBeCloseTo(9 / 16, 10)
  expect(ratioOf(squareProportion)).toBe(1)
})

test('a panorama, a strip and an unknown size have a proportion too', () => {
  expect(ratioOf(proportionOf(20_000, 1_000))).toBeCloseTo(3.76, 2)
  expect(ratioOf(proportionOf(1, 65_535))).toBeCloseTo(1 / 3.76, 2)
  expect(proportionOf(null, null)).toBe(squareProportion)
  expect(proportionOf(0, 10)).toBe(squareProportion)
})

test('no proportion is escaped in JSON', () => {
  for (let width = 1; width < 500; width++) {
    const proportion = proportionOf(width, 100)
    expect(JSON.stringify(proportion)).toBe(`"${proportion}"`)
  }
})
