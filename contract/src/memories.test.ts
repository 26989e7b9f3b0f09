import { expect, test } from 'vitest'
import { CardKey } from './memories.ts'

test.each([
  ['memory:2016-02-29', true],
  ['memory:2019-02-29', false],
  ['memory:2019-99-99', false],
  ['added:3:20411', true],
  ['added:0:20411', false],
  ['hearts:5', true],
  ['guests', true],
  ['hearts', false],
])('%s as the key of a card: %s', (key, isKey) => {
  expect(CardKey.safeParse(key).success).toBe(isKey)
})
