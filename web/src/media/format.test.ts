import { expect, test } from 'vitest'
import { formatCoordinates, formatDuration } from './format.ts'

test.each([
  [0, '0:00'],
  [7.4, '0:07'],
  [59.6, '1:00'],
  [750, '12:30'],
  [3_723, '1:02:03'],
])('a video of %d seconds shows %s', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text)
})

test('coordinates are written with their hemispheres', () => {
  expect(formatCoordinates(48.85837, 2.294481)).toBe('48.8584° N, 2.2945° E')
  expect(formatCoordinates(-33.8568, -151.2153)).toBe('33.8568° S, 151.2153° W')
})
