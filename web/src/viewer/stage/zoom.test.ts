import { describe, expect, test } from 'vitest'
import { atRest, canPan, fitted, nextStep, panned, turned, wheelFactor, within, zoomed } from './zoom.ts'

const stage = { width: 1000, height: 800 }

describe('a picture at 1×', () => {
  test('is as large as the stage takes it', () => {
    expect(fitted({ width: 4000, height: 2000 }, stage, 0)).toEqual({ width: 1000, height: 500 })
    expect(fitted({ width: 1000, height: 4000 }, stage, 0)).toEqual({ width: 200, height: 800 })
  })
  test('fits on its side too', () => {
    expect(fitted({ width: 4000, height: 2000 }, stage, 90)).toEqual({ width: 800, height: 400 })
    expect(fitted({ width: 4000, height: 2000 }, stage, 270)).toEqual({ width: 800, height: 400 })
    expect(fitted({ width: 4000, height: 2000 }, stage, 180)).toEqual({ width: 1000, height: 500 })
  })
  test('is not blown up past twice its size', () => {
    expect(fitted({ width: 60, height: 40 }, stage, 0)).toEqual({ width: 120, height: 80 })
  })
  test('has no size on a stage without one', () => {
    expect(fitted({ width: 60, height: 40 }, { width: 0, height: 0 }, 0)).toEqual({ width: 0, height: 0 })
  })
})

describe('the steps of the buttons', () => {
  test.each([
    [1, 1, 1.5],
    [1, -1, 0.5],
    [0.5, -1, 0.5],
    [5, 1, 5],
    [4.5, 1, 5],
    [1.7, 1, 2],
    [1.7, -1, 1.5],
    [2.0001, 1, 2.5],
    [1.9999, -1, 1.5],
  ] as const)('from %d in direction %d to %d', (from, direction, to) => expect(nextStep(from, direction)).toBe(to))
})

describe('zooming', () => {
  test('leaves what is under the pointer where it is', () => {
    const pointer = { x: 200, y: -100 }
    const before = { scale: 1.5, x: 30, y: 40, turn: 0 }
    const after = zoomed(before, 3, pointer)
    const spot = (look: typeof before) => [(pointer.x - look.x) / look.scale, (pointer.y - look.y) / look.scale]
    expect(spot(after)).toEqual(spot(before))
  })
  test('ends at half and at five times the size', () => {
    expect(zoomed(atRest, 9, { x: 0, y: 0 }).scale).toBe(5)
    expect(zoomed(atRest, 0.1, { x: 0, y: 0 }).scale).toBe(0.5)
  })
  test('by a wheel goes up and down alike, and never by much at once', () => {
    const notch = { deltaMode: 0, ctrlKey: false }
    expect(wheelFactor({ ...notch, deltaY: -100 }) * wheelFactor({ ...notch, deltaY: 100 })).toBeCloseTo(1)
    expect(wheelFactor({ ...notch, deltaY: -10_000 })).toBeLessThan(2)
    expect(wheelFactor({ deltaY: -3, deltaMode: 1, ctrlKey: false })).toBeCloseTo(
      wheelFactor({ ...notch, deltaY: -48 }),
    )
  })
})

describe('moving the picture about', () => {
  const box = { width: 1000, height: 500 }
  test('is possible where there is more of it than the stage shows', () => {
    expect(canPan(atRest, box, stage)).toBe(false)
    expect(canPan({ ...atRest, scale: 2 }, box, stage)).toBe(true)
  })
  test('is impossible at 1× for a photo of any size on a screen of any size, so that it can be swiped', () => {
    const photos = [
      [3024, 4032],
      [4032, 3024],
      [3000, 4000],
      [2268, 4032],
      [1080, 2400],
      [9000, 12000],
    ].map(([width = 0, height = 0]) => ({ width, height }))
    const screens = Array.from({ length: 200 }, (_, i) => ({ width: 320 + i, height: 500 + 2.5 * i }))
    for (const photo of photos) {
      for (const screen of screens) {
        for (const turn of [0, 90]) {
          const pannable = canPan({ ...atRest, turn }, fitted(photo, screen, turn), screen)
          expect({ photo, screen, turn, pannable }).toEqual({ photo, screen, turn, pannable: false })
        }
      }
    }
    expect(canPan({ ...atRest, scale: 1.01 }, { width: 390, height: 520 }, { width: 390, height: 700 })).toBe(true)
  })
  test('ends at its edges', () => {
    const far = panned({ ...atRest, scale: 2 }, { x: 10_000, y: -10_000 })
    expect(within(far, box, stage)).toEqual({ scale: 2, x: 500, y: -100, turn: 0 })
  })
  test('ends at the edges of the turned picture', () => {
    const far = panned({ ...atRest, scale: 2, turn: 90 }, { x: 10_000, y: 10_000 })
    expect(within(far, { width: 800, height: 400 }, stage)).toEqual({ scale: 2, x: 0, y: 400, turn: 90 })
  })
  test('brings back to the middle what is smaller than the stage', () => {
    expect(within({ ...atRest, scale: 0.5, x: 40, y: 9 }, box, stage)).toEqual({ ...atRest, scale: 0.5 })
  })
  test('a turn keeps in sight what was looked at', () => {
    expect(turned({ scale: 3, x: 120, y: 30, turn: 0 })).toEqual({ scale: 3, x: -30, y: 120, turn: 90 })
    expect(turned({ ...atRest, turn: 270 }).turn).toBe(360)
  })
})
