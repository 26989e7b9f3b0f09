import { expect, test } from 'vitest'
import { Layout } from '../layout/layout.ts'
import { testMeasures } from '../layout/test-layouts.ts'
import { targetIndex } from './key-navigation.ts'

/** Rows of 4, 4 and 2. */
const layout = Layout.flat(10, testMeasures())
const press = (key: string, from: number, ctrl = false) => targetIndex({ key, ctrl }, layout, from, 2)

test.each([
  ['ArrowRight', 3, 4],
  ['ArrowRight', 9, 9],
  ['ArrowLeft', 4, 3],
  ['ArrowLeft', 0, 0],
  ['ArrowDown', 1, 5],
  ['ArrowDown', 7, 9],
  ['ArrowUp', 9, 5],
  ['ArrowUp', 2, 2],
  ['PageDown', 0, 8],
  ['PageUp', 9, 1],
  ['Home', 6, 4],
  ['End', 5, 7],
  ['End', 8, 9],
])('%s moves from file %i to file %i', (key, from, to) => {
  expect(press(key, from)).toBe(to)
})

test('Ctrl+Home and Ctrl+End move to the first and last file', () => {
  expect(press('Home', 6, true)).toBe(0)
  expect(press('End', 2, true)).toBe(9)
})

test('other keys are ignored', () => {
  expect(press('a', 2)).toBeUndefined()
  expect(press('Enter', 2)).toBeUndefined()
})
