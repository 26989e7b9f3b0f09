import { expect, test } from 'vitest'
import { classifySwipe } from './gestures.ts'

test.each([
  ['far to the left', { axis: 'x', distance: -120 }, -0.1, 'left'],
  ['far to the right', { axis: 'x', distance: 120 }, 0.1, 'right'],
  ['far, then at rest', { axis: 'x', distance: 120 }, 0, 'right'],
  ['a quick flick', { axis: 'x', distance: -40 }, -0.7, 'left'],
  ['a slow little move', { axis: 'x', distance: -40 }, -0.1, 'none'],
  ['far to the left and quickly back', { axis: 'x', distance: -200 }, 0.9, 'none'],
  ['far down', { axis: 'y', distance: 140 }, 0.2, 'down'],
  ['a flick down', { axis: 'y', distance: 50 }, 0.8, 'down'],
  ['far up', { axis: 'y', distance: -140 }, -0.2, 'up'],
  ['a tremble', { axis: 'x', distance: 9 }, 2, 'none'],
] as const)('%s', (_, movement, velocity, direction) => expect(classifySwipe(movement, velocity)).toBe(direction))
