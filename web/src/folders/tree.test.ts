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

test('a collapsed folder hides all its descendants', () => {
  expect(idsInSight()).toEqual([1, 2, 3, 4])
  expect(idsInSight(2)).toEqual([1, 2, 4])
  expect(idsInSight(1)).toEqual([1, 4])
})

test('a collapsed folder stays collapsed when its parent is expanded', () => {
  expect(idsInSight(1, 2)).toEqual([1, 4])
  expect(idsInSight(2)).toEqual([1, 2, 4])
})

test('a folder counts the files of all folders below it, visible or not', () => {
  const filled = folders.map(one => ({ ...one, file_count: one.id }))
  const counts = (...folded: number[]) => treeRows(filled, new Set(folded), 2).map(({ fileCount }) => fileCount)
  expect(counts()).toEqual([6, 5, 3, 4])
  expect(counts(1)).toEqual([6, 4])
})

test('a folder without children cannot be collapsed', () => {
  const rows = treeRows(folders, new Set([4]), 2)
  expect(rows.at(-1)).toMatchObject({ hasChildren: false, expanded: false })
  expect(rows).toHaveLength(4)
})

test('each row has its position among its siblings, including the items above the folders', () => {
  const places = treeRows(folders, new Set(), 2).map(({ position, siblings }) => [position, siblings])
  expect(places).toEqual([
    [3, 4],
    [1, 1],
    [1, 1],
    [4, 4],
  ])
})

test('files in no folder have an item of their own if there are folders or if it is selected', () => {
  expect(topItems(folders, 'all')).toEqual(['all', 'root'])
  expect(topItems([], 'all')).toEqual(['all'])
  expect(topItems([], 'root')).toEqual(['all', 'root'])
})

test('ancestors are listed from the inside out', () => {
  expect(ancestorsOf(byId, 3)).toEqual([2, 1])
  expect(ancestorsOf(byId, 4)).toEqual([])
})

test('a folder cannot be moved into itself, its descendants or its current parent', () => {
  expect(canMove(byId, 1, 4)).toBe(true)
  expect(canMove(byId, 3, null)).toBe(true)
  expect(canMove(byId, 3, 1)).toBe(true)
  expect(canMove(byId, 1, 1)).toBe(false)
  expect(canMove(byId, 1, 3)).toBe(false)
  expect(canMove(byId, 2, 1)).toBe(false)
  expect(canMove(byId, 1, null)).toBe(false)
  expect(canMove(byId, 99, 1)).toBe(false)
})

test('only folders that make no cycle are valid parents', () => {
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
])('a search ignores case, accents and the order of words: %s', (search, found) => {
  expect(filterFolders(folders, search).map(({ id }) => id)).toEqual(found)
})

test('the indent grows with every level and leaves room for a name at level twelve', () => {
  expect(indentPx(12)).toBeLessThan(110)
  expect(indentPx(500)).toBeLessThan(130)
  for (let level = 1; level < 40; level++) expect(indentPx(level)).toBeGreaterThanOrEqual(indentPx(level - 1))
})
