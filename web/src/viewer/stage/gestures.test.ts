import { expect, test } from 'vitest'
import { classifySwipe } from './gestures.ts'

test.each([
  ['far to the left', { x: -120, y: 10, milliseconds: 900 }, 'next'],
  ['far to the right', { x: 120, y: -10, milliseconds: 900 }, 'previous'],
  ['a quick flick', { x: -40, y: 3, milliseconds: 60 }, 'next'],
  ['a slow little move', { x: -40, y: 3, milliseconds: 600 }, 'none'],
  ['far down', { x: 10, y: 140, milliseconds: 500 }, 'close'],
  ['far up', { x: 10, y: -140, milliseconds: 500 }, 'none'],
  ['across the corner', { x: 100, y: 95, milliseconds: 300 }, 'none'],
  ['a tap', { x: 2, y: 1, milliseconds: 90 }, 'none'],
] as const)('%s', (_, movement, swipe) => expect(classifySwipe(movement)).toBe(swipe))
