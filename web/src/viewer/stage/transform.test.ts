import { describe, expect, test } from 'vitest'
import {
  canPan,
  clampToStage,
  fitSize,
  identity,
  nextZoomStep,
  panBy,
  rotated,
  wheelFactor,
  zoomAt,
} from './transform.ts'

const stage = { width: 1000, height: 800 }

describe('an image at 1×', () => {
  test('fits the stage', () => {
    expect(fitSize({ width: 4000, height: 2000 }, stage, 0)).toEqual({ width: 1000, height: 500 })
    expect(fitSize({ width: 1000, height: 4000 }, stage, 0)).toEqual({ width: 200, height: 800 })
  })
  test('fits the stage when rotated', () => {
    expect(fitSize({ width: 4000, height: 2000 }, stage, 90)).toEqual({ width: 800, height: 400 })
    expect(fitSize({ width: 4000, height: 2000 }, stage, 270)).toEqual({ width: 800, height: 400 })
    expect(fitSize({ width: 4000, height: 2000 }, stage, 180)).toEqual({ width: 1000, height: 500 })
  })
  test('is enlarged at most twice', () => {
    expect(fitSize({ width: 60, height: 40 }, stage, 0)).toEqual({ width: 120, height: 80 })
  })
  test('has no size on a stage without size', () => {
    expect(fitSize({ width: 60, height: 40 }, { width: 0, height: 0 }, 0)).toEqual({ width: 0, height: 0 })
  })
})

describe('zoom steps', () => {
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
  ] as const)('from %d in direction %d to %d', (from, direction, to) => expect(nextZoomStep(from, direction)).toBe(to))
})

describe('zooming', () => {
  test('keeps the point under the pointer in place', () => {
    const pointer = { x: 200, y: -100 }
    const before = { scale: 1.5, x: 30, y: 40, rotation: 0 }
    const after = zoomAt(before, 3, pointer)
    const spot = (transform: typeof before) => [
      (pointer.x - transform.x) / transform.scale,
      (pointer.y - transform.y) / transform.scale,
    ]
    expect(spot(after)).toEqual(spot(before))
  })
  test('is limited to 0.5× and 5×', () => {
    expect(zoomAt(identity, 9, { x: 0, y: 0 }).scale).toBe(5)
    expect(zoomAt(identity, 0.1, { x: 0, y: 0 }).scale).toBe(0.5)
  })
  test('by wheel is symmetric and limited per event', () => {
    const notch = { deltaMode: 0, ctrlKey: false }
    expect(wheelFactor({ ...notch, deltaY: -100 }) * wheelFactor({ ...notch, deltaY: 100 })).toBeCloseTo(1)
    expect(wheelFactor({ ...notch, deltaY: -10_000 })).toBeLessThan(2)
    expect(wheelFactor({ deltaY: -3, deltaMode: 1, ctrlKey: false })).toBeCloseTo(
      wheelFactor({ ...notch, deltaY: -48 }),
    )
  })
})

describe('panning', () => {
  const box = { width: 1000, height: 500 }
  test('is possible where the image overflows the stage', () => {
    expect(canPan(identity, box, stage)).toBe(false)
    expect(canPan({ ...identity, scale: 2 }, box, stage)).toBe(true)
  })
  test('is impossible at 1× for any photo on any screen, so that it can be swiped', () => {
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
        for (const rotation of [0, 90]) {
          const pannable = canPan({ ...identity, rotation }, fitSize(photo, screen, rotation), screen)
          expect({ photo, screen, rotation, pannable }).toEqual({ photo, screen, rotation, pannable: false })
        }
      }
    }
    expect(canPan({ ...identity, scale: 1.01 }, { width: 390, height: 520 }, { width: 390, height: 700 })).toBe(true)
  })
  test('stops at the edges', () => {
    const far = panBy({ ...identity, scale: 2 }, { x: 10_000, y: -10_000 })
    expect(clampToStage(far, box, stage)).toEqual({ scale: 2, x: 500, y: -100, rotation: 0 })
  })
  test('stops at the edges of the rotated image', () => {
    const far = panBy({ ...identity, scale: 2, rotation: 90 }, { x: 10_000, y: 10_000 })
    expect(clampToStage(far, { width: 800, height: 400 }, stage)).toEqual({ scale: 2, x: 0, y: 400, rotation: 90 })
  })
  test('recentres an image smaller than the stage', () => {
    expect(clampToStage({ ...identity, scale: 0.5, x: 40, y: 9 }, box, stage)).toEqual({ ...identity, scale: 0.5 })
  })
  test('and rotating keeps the same point in view', () => {
    expect(rotated({ scale: 3, x: 120, y: 30, rotation: 0 })).toEqual({ scale: 3, x: -30, y: 120, rotation: 90 })
    expect(rotated({ ...identity, rotation: 270 }).rotation).toBe(360)
  })
})
