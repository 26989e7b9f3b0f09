import { expect, test } from 'vitest'
import { jsonDepth } from '#contract/limits.ts'
import { isTooDeep } from './json-depth.ts'

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

test('counts lists and objects, whatever stands between them', () => {
  expect(isTooDeep(nested(jsonDepth))).toBe(false)
  expect(isTooDeep(nested(jsonDepth + 1))).toBe(true)
  expect(isTooDeep('{"a":'.repeat(jsonDepth + 1))).toBe(true)
  expect(isTooDeep(`[${Array(1_000).fill('[]').join(',')}]`)).toBe(false)
})

test('brackets in texts do not count, quotes that are escaped end no text', () => {
  expect(isTooDeep(JSON.stringify('['.repeat(1_000)))).toBe(false)
  expect(isTooDeep(JSON.stringify(`"\\"${'['.repeat(1_000)}`))).toBe(false)
  expect(isTooDeep(JSON.stringify('\\') + nested(jsonDepth + 1))).toBe(true)
})
