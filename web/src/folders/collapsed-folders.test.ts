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

test('collapsed folders are stored until they are expanded', () => {
  collapse(7)
  collapse(9)
  collapse(7)
  expect(remembered()).toEqual([7, 9])
  expand(7, 8)
  expect(remembered()).toEqual([9])
})

test.each(['', 'nonsense', '1;2', '-3,0', '[]'])('an unreadable value collapses nothing: %s', text => {
  expect([...parseCollapsed(text)]).toEqual([])
})
