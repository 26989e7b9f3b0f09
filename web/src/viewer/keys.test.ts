import { expect, test } from 'vitest'
import { meaningOf } from './keys.ts'

const press = { ctrlKey: false, metaKey: false, altKey: false }

test.each([
  ['ArrowLeft', 'previous'],
  ['ArrowRight', 'next'],
  [' ', 'slideshow'],
  ['+', 'zoomIn'],
  ['=', 'zoomIn'],
  ['-', 'zoomOut'],
  ['−', 'zoomOut'],
  ['r', 'rotate'],
  ['R', 'rotate'],
])('%s means %s', (key, meaning) => expect(meaningOf({ ...press, key })).toBe(meaning))

test('with Ctrl, Cmd or Alt a key belongs to the browser', () => {
  expect(meaningOf({ ...press, key: '+', ctrlKey: true })).toBeUndefined()
  expect(meaningOf({ ...press, key: 'r', metaKey: true })).toBeUndefined()
  expect(meaningOf({ ...press, key: 'ArrowLeft', altKey: true })).toBeUndefined()
})

test('other keys mean nothing', () => {
  expect(meaningOf({ ...press, key: 'a' })).toBeUndefined()
  expect(meaningOf({ ...press, key: 'Escape' })).toBeUndefined()
})
