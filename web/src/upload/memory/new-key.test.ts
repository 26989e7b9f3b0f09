import { expect, onTestFinished, test } from 'vitest'
import { newKey } from './new-key.ts'

test('keys are made where a browser makes no UUIDs, and no two are alike', () => {
  const makeUuid = crypto.randomUUID
  Object.defineProperty(crypto, 'randomUUID', { value: undefined, configurable: true })
  onTestFinished(() => {
    Object.defineProperty(crypto, 'randomUUID', { value: makeUuid, configurable: true })
  })
  const keys = Array.from({ length: 100 }, newKey)
  expect(new Set(keys).size).toBe(100)
  expect(keys.every(key => /^[0-9a-f]{32}$/.test(key))).toBe(true)
})
