import { describe, expect, test } from 'vitest'
import { MAX_PAGE_HEIGHT, ScrollSpace } from './scroll-space.ts'

const SCREEN = 900

function space(length: number): ScrollSpace {
  const made = new ScrollSpace()
  made.resize(length, SCREEN)
  return made
}

test('a short list is scrolled without mapping', () => {
  const short = space(50_000)
  expect(short.height).toBe(50_000)
  short.scrolledTo(12_345)
  expect(short).toMatchObject({ position: 12_345, shift: 0 })
  expect(short.goTo(40_000)).toBe(40_000)
})

describe('a list of forty million pixels', () => {
  const length = 4 * MAX_PAGE_HEIGHT

  test('has a page height that every browser supports', () => {
    expect(space(length).height).toBe(MAX_PAGE_HEIGHT)
  })

  test('starts and ends with the page', () => {
    const long = space(length)
    long.scrolledTo(0)
    expect(long.position).toBe(0)
    long.scrolledTo(MAX_PAGE_HEIGHT - SCREEN)
    expect(long.position).toBeCloseTo(length - SCREEN)
  })

  test('has its middle in the middle of the scrollbar', () => {
    const long = space(length)
    long.scrolledTo((MAX_PAGE_HEIGHT - SCREEN) / 2)
    expect(long.position).toBeCloseTo((length - SCREEN) / 2)
  })

  test('scrolls by the distance of the wheel', () => {
    const long = space(length)
    long.scrolledTo(5_000_000)
    const { position } = long
    long.scrolledTo(5_000_120)
    expect(long.position).toBe(position + 120)
    long.scrolledTo(5_000_000)
    expect(long.position).toBe(position)
  })

  test('scrolls to any position', () => {
    const long = space(length)
    for (const place of [0, 1, 777_777, 23_456_789, length - SCREEN]) {
      const at = long.goTo(place)
      expect(at).toBeGreaterThanOrEqual(0)
      expect(at).toBeLessThanOrEqual(MAX_PAGE_HEIGHT - SCREEN)
      expect(long.position).toBeCloseTo(place)
    }
  })

  test('continues when the wheel reaches the end of the page', () => {
    const long = space(length)
    let at = MAX_PAGE_HEIGHT - 4 * SCREEN
    long.scrolledTo(at)
    // Jumps up a little in the list, then scrolls down for a long time.
    long.goTo(long.position - 1_000_000)
    at = MAX_PAGE_HEIGHT - 4 * SCREEN
    let atEdge = false
    let { position } = long
    for (let turn = 0; turn < 400 && !atEdge; turn++) {
      at = long.position - long.shift + 700
      atEdge = long.scrolledTo(at)
      expect(long.position).toBeCloseTo(position + 700)
      position = long.position
    }
    const continued = long.goTo(long.position)
    expect(long.position).toBeCloseTo(position)
    expect(continued).toBeLessThanOrEqual(MAX_PAGE_HEIGHT - SCREEN)
  })

  test('needs no correction at its own ends', () => {
    const long = space(length)
    expect(long.scrolledTo(0)).toBe(false)
    expect(long.scrolledTo(MAX_PAGE_HEIGHT - SCREEN)).toBe(false)
  })

  test('needs a correction at the top of the page', () => {
    const long = space(length)
    long.scrolledTo(3 * SCREEN)
    long.goTo(long.position)
    const { shift } = long
    expect(shift).toBeGreaterThan(SCREEN)
    expect(long.scrolledTo(SCREEN / 2)).toBe(true)
  })

  test('does not shift the content above it', () => {
    const long = space(length)
    long.scrolledTo(-200)
    expect(long.position).toBe(-200)
  })
})

test('a list that became short again is scrolled without mapping', () => {
  const shrunk = space(4 * MAX_PAGE_HEIGHT)
  shrunk.scrolledTo(5_000_000)
  shrunk.resize(10_000, SCREEN)
  expect(shrunk.shift).toBe(0)
})
