import { expect, test } from 'vitest'
import { commandFor } from './viewer-keys.ts'

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
  ['e', 'fullscreen'],
  ['Delete', 'delete'],
])('the key %s triggers %s', (key, command) => expect(commandFor({ ...press, key })).toBe(command))

test('keys with Ctrl, Cmd or Alt are ignored', () => {
  expect(commandFor({ ...press, key: '+', ctrlKey: true })).toBeUndefined()
  expect(commandFor({ ...press, key: 'r', metaKey: true })).toBeUndefined()
  expect(commandFor({ ...press, key: 'ArrowLeft', altKey: true })).toBeUndefined()
})

test('other keys are ignored', () => {
  expect(commandFor({ ...press, key: 'a' })).toBeUndefined()
  expect(commandFor({ ...press, key: 'Escape' })).toBeUndefined()
})
