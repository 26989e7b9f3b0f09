import { expect, test } from 'vitest'
import { emptySelection, idsBetween, toggled, withAll } from './selection.ts'

const file = (id: number) => ({ id, index: id * 10 })

test('a file is selected and deselected', () => {
  const one = toggled(emptySelection, file(1))
  expect([...one.ids]).toEqual([1])
  expect(toggled(one, file(1))).toBe(emptySelection)
})

test('the anchor is the last file toggled', () => {
  const two = toggled(toggled(emptySelection, file(1)), file(2))
  expect(two.anchor).toEqual(file(2))
  expect(toggled(two, file(1)).anchor).toEqual(file(1))
})

test('a range is selected and deselected as a whole', () => {
  const chosen = withAll(toggled(emptySelection, file(9)), [1, 2, 3], true, file(3))
  expect([...chosen.ids].sort()).toEqual([1, 2, 3, 9])
  expect([...withAll(chosen, [2, 3, 4], false).ids].sort()).toEqual([1, 9])
})

test('deselecting the last file clears the anchor', () => {
  expect(withAll(withAll(emptySelection, [1, 2], true, file(2)), [1, 2], false, file(1))).toBe(emptySelection)
})

test('selections are immutable', () => {
  const one = toggled(emptySelection, file(1))
  withAll(one, [2, 3], true)
  expect([...one.ids]).toEqual([1])
})

test('the ids between two indexes are found in both directions', () => {
  const fileAt = (index: number) => ({ id: 100 + index })
  expect(idsBetween(2, 4, fileAt)).toEqual([102, 103, 104])
  expect(idsBetween(4, 2, fileAt)).toEqual([102, 103, 104])
  expect(idsBetween(3, 3, fileAt)).toEqual([103])
})

test('a range with files that are not loaded is undefined', () => {
  expect(idsBetween(1, 5, index => (index === 3 ? undefined : { id: index }))).toBeUndefined()
})
