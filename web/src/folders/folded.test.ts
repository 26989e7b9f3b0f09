import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { fold, parseFolded, unfold } from './folded.ts'

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
  return [...parseFolded([...kept.values()].join())]
}

test('what is folded is remembered until it is unfolded', () => {
  fold(7)
  fold(9)
  fold(7)
  expect(remembered()).toEqual([7, 9])
  unfold(7, 8)
  expect(remembered()).toEqual([9])
})

test.each(['', 'nonsense', '1;2', '-3,0', '[]'])('a memory that cannot be read folds nothing: %s', text => {
  expect([...parseFolded(text)]).toEqual([])
})
