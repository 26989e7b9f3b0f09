import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { collapse, expand, parseCollapsed } from './collapsed-folders.ts'

const kept = new Map<string, string>()

beforeEach(() => {
  kept.clear()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  })
})

afterEach(() => {
  vi.unstubAllGlobals()
})

function remembered(): number[] {
  return [...parseCollapsed([...kept.values()].join())]
}

test('what is folded is remembered until it is unfolded', () => {
  collapse(7)
  collapse(9)
  collapse(7)
  expect(remembered()).toEqual([7, 9])
  expand(7, 8)
  expect(remembered()).toEqual([9])
})

test.each(['', 'nonsense', '1;2', '-3,0', '[]'])('a memory that cannot be read folds nothing: %s', text => {
  expect([...parseCollapsed(text)]).toEqual([])
})
