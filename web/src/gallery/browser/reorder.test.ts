import { expect, test } from 'vitest'
import { dropTarget } from './reorder.ts'

const files = [{ id: 10 }, { id: 11 }, { id: 12 }, undefined]
const target = (index: number, ...dropped: number[]) =>
  dropTarget(at => files[at], { index, total: 4, dropped: new Set(dropped) })

test('files are dropped before the one that the line marks, or the next that stays', () => {
  expect(target(1, 12)).toBe(11)
  expect(target(1, 11)).toBe(12)
})

test('a drop behind the last file goes to the end', () => {
  expect(target(4, 10)).toBeNull()
})

test('a file that is not loaded yet is no target', () => {
  expect(target(2, 12)).toBeUndefined()
})
