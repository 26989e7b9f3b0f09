import { expect, test } from 'vitest'
import { rotatedStyle } from './rotated.ts'

test('an image that is rotated sideways has the other sides of its box', () => {
  const box = { width: 300, height: 400 }
  expect(rotatedStyle(box, 0)).toBeUndefined()
  expect(rotatedStyle(box, -90)).toMatchObject({ width: 400, height: 300, rotate: '270deg' })
  expect(rotatedStyle(box, 180)).toMatchObject({ width: 300, height: 400, rotate: '180deg' })
})
