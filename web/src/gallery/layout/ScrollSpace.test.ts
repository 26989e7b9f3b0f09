import { describe, expect, test } from 'vitest'
import { FURTHEST, ScrollSpace } from './ScrollSpace.ts'

const SCREEN = 900

function space(length: number): ScrollSpace {
  const made = new ScrollSpace()
  made.fit(length, SCREEN)
  return made
}

test('a list that a browser can scroll is scrolled as it is', () => {
  const short = space(50_000)
  expect(short.height).toBe(50_000)
  short.scrolledTo(12_345)
  expect(short).toMatchObject({ position: 12_345, shift: 0 })
  expect(short.goTo(40_000)).toBe(40_000)
})

describe('a list of forty million pixels', () => {
  const length = 4 * FURTHEST

  test('has a page that every browser can scroll', () => {
    expect(space(length).height).toBe(FURTHEST)
  })

  test('begins at its beginning and ends at its end', () => {
    const long = space(length)
    long.scrolledTo(0)
    expect(long.position).toBe(0)
    long.scrolledTo(FURTHEST - SCREEN)
    expect(long.position).toBeCloseTo(length - SCREEN)
  })

  test('has its middle in the middle of the scrollbar', () => {
    const long = space(length)
    long.scrolledTo((FURTHEST - SCREEN) / 2)
    expect(long.position).toBeCloseTo((length - SCREEN) / 2)
  })

  test('moves under the wheel by what the wheel says', () => {
    const long = space(length)
    long.scrolledTo(5_000_000)
    const { position } = long
    long.scrolledTo(5_000_120)
    expect(long.position).toBe(position + 120)
    long.scrolledTo(5_000_000)
    expect(long.position).toBe(position)
  })

  test('brings any place to the top of the screen', () => {
    const long = space(length)
    for (const place of [0, 1, 777_777, 23_456_789, length - SCREEN]) {
      const at = long.goTo(place)
      expect(at).toBeGreaterThanOrEqual(0)
      expect(at).toBeLessThanOrEqual(FURTHEST - SCREEN)
      expect(long.position).toBeCloseTo(place)
    }
  })

  test('does not end where the page ends: whoever wheels there is put back to where the page goes on', () => {
    const long = space(length)
    let at = FURTHEST - 4 * SCREEN
    long.scrolledTo(at)
    // Somebody jumps a little up in the list and then wheels down for a long time.
    long.goTo(long.position - 1_000_000)
    at = FURTHEST - 4 * SCREEN
    let stranded = false
    let { position } = long
    for (let turn = 0; turn < 400 && !stranded; turn++) {
      at = long.position - long.shift + 700
      stranded = long.scrolledTo(at)
      expect(long.position).toBeCloseTo(position + 700)
      position = long.position
    }
    const continued = long.goTo(long.position)
    expect(long.position).toBeCloseTo(position)
    expect(continued).toBeLessThanOrEqual(FURTHEST - SCREEN)
  })

  test('is not stranded at its own ends', () => {
    const long = space(length)
    expect(long.scrolledTo(0)).toBe(false)
    expect(long.scrolledTo(FURTHEST - SCREEN)).toBe(false)
  })

  test('is stranded at the top of the page when it is not at its own', () => {
    const long = space(length)
    long.scrolledTo(3 * SCREEN)
    long.goTo(long.position)
    const { shift } = long
    expect(shift).toBeGreaterThan(SCREEN)
    expect(long.scrolledTo(SCREEN / 2)).toBe(true)
  })

  test('shows the page above it as it is', () => {
    const long = space(length)
    long.scrolledTo(-200)
    expect(long.position).toBe(-200)
  })
})

test('a list that became short again is scrolled as it is', () => {
  const shrunk = space(4 * FURTHEST)
  shrunk.scrolledTo(5_000_000)
  shrunk.fit(10_000, SCREEN)
  expect(shrunk.shift).toBe(0)
})
