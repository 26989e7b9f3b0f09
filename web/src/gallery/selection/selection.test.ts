import { expect, test } from 'vitest'
import { idsBetween, nothing, toggled, withAll } from './selection.ts'

const file = (id: number) => ({ id, index: id * 10 })

test('a file is selected, and then it is not', () => {
  const one = toggled(nothing, file(1))
  expect([...one.ids]).toEqual([1])
  expect(toggled(one, file(1))).toBe(nothing)
})

test('the next range begins at the file that was last chosen or left out', () => {
  const two = toggled(toggled(nothing, file(1)), file(2))
  expect(two.anchor).toEqual(file(2))
  expect(toggled(two, file(1)).anchor).toEqual(file(1))
})

test('a range is chosen and left out as a whole, and everything else stays', () => {
  const chosen = withAll(toggled(nothing, file(9)), [1, 2, 3], true, file(3))
  expect([...chosen.ids].sort()).toEqual([1, 2, 3, 9])
  expect([...withAll(chosen, [2, 3, 4], false).ids].sort()).toEqual([1, 9])
})

test('when the last file is left out, nothing is left, no beginning of a range either', () => {
  expect(withAll(withAll(nothing, [1, 2], true, file(2)), [1, 2], false, file(1))).toBe(nothing)
})

test('choosing changes no selection that was made before', () => {
  const one = toggled(nothing, file(1))
  withAll(one, [2, 3], true)
  expect([...one.ids]).toEqual([1])
})

test('the files between two places are known in either direction', () => {
  const fileAt = (index: number) => ({ id: 100 + index })
  expect(idsBetween(2, 4, fileAt)).toEqual([102, 103, 104])
  expect(idsBetween(4, 2, fileAt)).toEqual([102, 103, 104])
  expect(idsBetween(3, 3, fileAt)).toEqual([103])
})

test('where one of them has not come yet, they are not known', () => {
  expect(idsBetween(1, 5, index => (index === 3 ? undefined : { id: index }))).toBeUndefined()
})
