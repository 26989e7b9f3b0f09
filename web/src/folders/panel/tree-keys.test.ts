import { expect, test } from 'vitest'
import type { Folder } from '#contract/folders.ts'
import { treeRows } from '../tree.ts'
import { findByTypeahead, focusAfterDelete, keyAction } from './tree-keys.ts'

const folders: Folder[] = [
  { id: 1, parent_id: null, name: 'Summer', level: 0, path: 'Summer', file_count: 0 },
  { id: 2, parent_id: 1, name: 'Beach', level: 1, path: 'Summer / Beach', file_count: 0 },
  { id: 3, parent_id: null, name: 'Spring', level: 0, path: 'Spring', file_count: 0 },
]
const rows = treeRows(folders, new Set(), 2)
const withSummerFolded = treeRows(folders, new Set([1]), 2)
const top = ['all', 'root'] as const

test('arrows move between items and stop at both ends', () => {
  expect(keyAction('ArrowDown', top, rows, 'all')).toEqual({ to: 'root' })
  expect(keyAction('ArrowDown', top, rows, 'root')).toEqual({ to: 1 })
  expect(keyAction('ArrowDown', top, rows, 1)).toEqual({ to: 2 })
  expect(keyAction('ArrowDown', top, rows, 3)).toEqual({ to: 3 })
  expect(keyAction('ArrowUp', top, rows, 1)).toEqual({ to: 'root' })
  expect(keyAction('ArrowUp', top, rows, 'root')).toEqual({ to: 'all' })
  expect(keyAction('ArrowUp', top, rows, 'all')).toEqual({ to: 'all' })
})

test('Home and End move to the first and the last item', () => {
  expect(keyAction('Home', top, rows, 3)).toEqual({ to: 'all' })
  expect(keyAction('End', top, rows, 'all')).toEqual({ to: 3 })
})

test('without folders every arrow stays at All Files (Root)', () => {
  for (const key of ['ArrowDown', 'ArrowUp', 'End']) expect(keyAction(key, ['all'], [], 'all')).toEqual({ to: 'all' })
})

test('Right expands and then enters; Left leaves or collapses', () => {
  expect(keyAction('ArrowRight', top, withSummerFolded, 1)).toEqual({ unfold: 1 })
  expect(keyAction('ArrowRight', top, rows, 1)).toEqual({ to: 2 })
  expect(keyAction('ArrowRight', top, rows, 2)).toBeUndefined()
  expect(keyAction('ArrowLeft', top, rows, 2)).toEqual({ to: 1 })
  expect(keyAction('ArrowLeft', top, rows, 1)).toEqual({ fold: 1 })
  expect(keyAction('ArrowLeft', top, withSummerFolded, 1)).toBeUndefined()
  for (const key of ['ArrowLeft', 'ArrowRight']) {
    for (const line of top) expect(keyAction(key, top, rows, line)).toBeUndefined()
  }
})

test('typeahead: one letter moves to the next match, more letters to the name they start', () => {
  expect(findByTypeahead(rows, 'all', 's')).toBe(1)
  expect(findByTypeahead(rows, 1, 's')).toBe(3)
  expect(findByTypeahead(rows, 3, 's')).toBe(1)
  expect(findByTypeahead(rows, 1, 'su')).toBe(1)
  expect(findByTypeahead(rows, 1, 'SP')).toBe(3)
  expect(findByTypeahead(rows, 1, 'x')).toBeUndefined()
})

test('after a deletion the focus moves to a neighbour', () => {
  expect(focusAfterDelete(folders, 1)).toBe(2)
  expect(focusAfterDelete(folders, 3)).toBe(2)
  expect(focusAfterDelete(folders.slice(0, 1), 1)).toBe('all')
})
