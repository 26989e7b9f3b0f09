import { expect, test } from 'vitest'
import { initialOf } from './Avatar.tsx'

test('the initial is the first letter, in capitals', () => {
  expect(initialOf('  ada Okafor')).toBe('A')
})

test('a combining accent stays with its letter', () => {
  expect(initialOf('e\u0301lodie')).toBe('E\u0301')
})

test('an emoji of several code points is not split', () => {
  expect(initialOf('👩‍👧 Family')).toBe('👩‍👧')
})

test('a person without a name gets a question mark', () => {
  expect(initialOf('   ')).toBe('?')
})
