import { expect, test } from 'vitest'
import { turnedStyle } from './turned.ts'

test('an image that is turned sideways has the other sides of its box', () => {
  const box = { width: 300, height: 400 }
  expect(turnedStyle(box, 0)).toBeUndefined()
  expect(turnedStyle(box, -90)).toMatchObject({ width: 400, height: 300, rotate: '270deg' })
  expect(turnedStyle(box, 180)).toMatchObject({ width: 300, height: 400, rotate: '180deg' })
})
