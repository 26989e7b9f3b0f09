import { expect, test } from 'vitest'
import { GestureRecogniser } from './gestures.ts'

/** On an element of 200 × 100 pixels. */
function recognise(longestTap?: number) {
  const captured: number[] = []
  const element = {
    getBoundingClientRect: () => ({ left: 0, top: 0, width: 200, height: 100 }),
    setPointerCapture: (id: number) => captured.push(id),
  } as unknown as HTMLElement
  const recogniser = new GestureRecogniser(() => element, longestTap)
  const event = (pointerId: number, clientX: number, clientY: number, timeStamp: number, type = '') => ({
    pointerId,
    clientX,
    clientY,
    timeStamp,
    type,
  })
  return {
    captured,
    press: (...at: Parameters<typeof event>) => recogniser.press(event(...at), { capture: false }),
    move: (...at: Parameters<typeof event>) => recogniser.move(event(...at)),
    release: (...at: Parameters<typeof event>) => recogniser.release(event(...at)),
  }
}

test('a trembling finger taps, and two quick taps near each other are a double tap', () => {
  const { press, move, release, captured } = recognise()
  press(1, 100, 50, 0)
  expect(move(1, 103, 54, 20)).toBeUndefined()
  expect(release(1, 103, 54, 40)).toMatchObject({ tap: 'single', moved: false, end: { x: 3, y: 4 } })
  press(1, 110, 60, 150)
  expect(release(1, 110, 60, 200)?.tap).toBe('double')
  press(1, 110, 60, 250)
  expect(release(1, 110, 60, 300)?.tap).toBe('single')
  press(1, 180, 60, 350)
  expect(release(1, 180, 60, 400)?.tap).toBe('single')
  press(1, 180, 60, 900)
  expect(release(1, 180, 60, 950)?.tap).toBe('single')
  expect(captured).toEqual([])
})

test('a press that is held for long or is cancelled is no tap', () => {
  const { press, release } = recognise(350)
  press(1, 100, 50, 0)
  expect(release(1, 100, 50, 349)?.tap).toBe('single')
  press(1, 100, 50, 1_000)
  expect(release(1, 100, 50, 1_350)?.tap).toBeUndefined()
  press(1, 100, 50, 2_000)
  expect(release(1, 100, 50, 2_010, 'pointercancel')?.tap).toBeUndefined()
})

test('a drag is measured from its start, captures the pointer, and has the velocity of its last moments', () => {
  const { press, move, release, captured } = recognise()
  press(1, 100, 50, 0)
  expect(move(1, 110, 50, 10)).toMatchObject({ pointers: 1, start: { x: 0, y: 0 }, by: { x: 10, y: 0 }, factor: 1 })
  expect(captured).toEqual([1])
  // Back to where it began: still a drag.
  expect(move(1, 100, 50, 500)).toMatchObject({ by: { x: 0, y: 0 } })
  move(1, 120, 40, 540)
  expect(release(1, 120, 40, 550)).toMatchObject({ moved: true, tap: undefined, velocity: { x: 0.5, y: -0.25 } })
  press(1, 100, 50, 600)
  move(1, 150, 50, 620)
  expect(release(1, 150, 50, 900)?.velocity).toEqual({ x: 0, y: 0 })
})

test('two fingers pinch around their middle, and the one that stays goes on from there', () => {
  const { press, move, release } = recognise()
  press(1, 80, 50, 0)
  press(2, 120, 50, 10)
  expect(move(2, 160, 50, 20)).toMatchObject({ pointers: 2, start: { x: 0, y: 0 }, by: { x: 20, y: 0 }, factor: 2 })
  expect(release(2, 160, 50, 30)).toMatchObject({ pointers: 1, pinched: true, tap: undefined })
  expect(move(1, 90, 50, 40)).toMatchObject({ pointers: 1, by: { x: 10, y: 0 }, factor: 1, pinched: true })
  expect(release(1, 90, 50, 50)).toMatchObject({ pointers: 0, pinched: true, tap: undefined })
  press(1, 80, 50, 100)
  expect(release(1, 80, 50, 110)).toMatchObject({ pinched: false, tap: 'single' })
})

test('pointers that are not down are ignored', () => {
  const { press, move, release } = recognise()
  expect(move(1, 100, 50, 0)).toBeUndefined()
  expect(release(1, 100, 50, 10)).toBeUndefined()
  press(1, 100, 50, 20)
  expect(move(2, 180, 50, 30)).toBeUndefined()
  expect(release(2, 180, 50, 40)).toBeUndefined()
})
