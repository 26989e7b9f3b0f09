import { expect, test } from 'vitest'
import type { Folder } from '#contract/folders.ts'
import { ancestorsOf, canMove, filterFolders, indentPx, topItems, treeRows, validParents } from './tree.ts'

/*
 * 1 Summer
 *   2 Beach
 *     3 Évora
 * 4 Winter
 */
const folders = [
  folder(1, null, 'Summer', 0),
  folder(2, 1, 'Beach', 1),
  folder(3, 2, 'Évora', 2),
  folder(4, null, 'Winter', 0),
]
const byId = new Map(folders.map(one => [one.id, one]))

function folder(id: number, parent_id: number | null, name: string, level: number): Folder {
  const path = parent_id === null ? name : `… / ${name}`
  return { id, parent_id, name, level, path, file_count: 0 }
}

function idsInSight(...folded: number[]): number[] {
  return treeRows(folders, new Set(folded), 2).map(row => row.folder.id)
}

test('every folder is in sight until one is folded, which hides all that lies in it', () => {
  expect(idsInSight()).toEqual([1, 2, 3, 4])
  expect(idsInSight(2)).toEqual([1, 2, 4])
  expect(idsInSight(1)).toEqual([1, 4])
})

test('a folder that was folded within another is still folded when that one unfolds', () => {
  expect(idsInSight(1, 2)).toEqual([1, 4])
  expect(idsInSight(2)).toEqual([1, 2, 4])
})

test('folding a folder without children changes nothing, and nothing says it could be expanded', () => {
  const rows = treeRows(folders, new Set([4]), 2)
  expect(rows.at(-1)).toMatchObject({ hasChildren: false, expanded: false })
  expect(rows).toHaveLength(4)
})

test('each line knows its position among its siblings, which the lines above the folders count among', () => {
  const places = treeRows(folders, new Set(), 2).map(({ position, siblings }) => [position, siblings])
  expect(places).toEqual([
    [3, 4],
    [1, 1],
    [1, 1],
    [4, 4],
  ])
})

test('files in no folder have a line of their own where there are folders, and while that line is open', () => {
  expect(topItems(folders, 'all')).toEqual(['all', 'root'])
  expect(topItems([], 'all')).toEqual(['all'])
  expect(topItems([], 'root')).toEqual(['all', 'root'])
})

test('the folders around a folder are found from the inside out', () => {
  expect(ancestorsOf(byId, 3)).toEqual([2, 1])
  expect(ancestorsOf(byId, 4)).toEqual([])
})

test('a folder can go anywhere but into itself, into what lies in it, and where it is already', () => {
  expect(canMove(byId, 1, 4)).toBe(true)
  expect(canMove(byId, 3, null)).toBe(true)
  expect(canMove(byId, 3, 1)).toBe(true)
  expect(canMove(byId, 1, 1)).toBe(false)
  expect(canMove(byId, 1, 3)).toBe(false)
  expect(canMove(byId, 2, 1)).toBe(false)
  expect(canMove(byId, 1, null)).toBe(false)
  expect(canMove(byId, 99, 1)).toBe(false)
})

test('only folders that make no circle are offered as a new home', () => {
  expect(validParents(folders, byId, 2).map(({ id }) => id)).toEqual([1, 4])
  expect(validParents(folders, byId, 4).map(({ id }) => id)).toEqual([1, 2, 3])
})

test.each([
  ['evora', [3]],
  ['ÉVO', [3]],
  ['win', [4]],
  ['… evora', [3]],
  ['beach evora', []],
  ['  ', [1, 2, 3, 4]],
])('a search finds folders whatever the case, the accents and the order of words: %s', (search, found) => {
  expect(filterFolders(folders, search).map(({ id }) => id)).toEqual(found)
})

test('twelve levels deep a line of 260 pixels has room for a name, and no level is set in less than the one above', () => {
  expect(indentPx(12)).toBeLessThan(110)
  expect(indentPx(500)).toBeLessThan(130)
  for (let level = 1; level < 40; level++) expect(indentPx(level)).toBeGreaterThanOrEqual(indentPx(level - 1))
})
