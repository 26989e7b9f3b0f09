import { expect, onTestFinished, test } from 'vitest'
import { randomId } from './pending-uploads.ts'

test('ids are unique and do not need crypto.randomUUID', () => {
  const makeUuid = crypto.randomUUID
  Object.defineProperty(crypto, 'randomUUID', { value: undefined, configurable: true })
  onTestFinished(() => {
    Object.defineProperty(crypto, 'randomUUID', { value: makeUuid, configurable: true })
  })
  const keys = Array.from({ length: 100 }, randomId)
  expect(new Set(keys).size).toBe(100)
  expect(keys.every(key => /^[0-9a-f]{32}$/.test(key))).toBe(true)
})
