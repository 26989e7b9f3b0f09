import { expect, test } from 'vitest'
import type { GridFile } from '#contract/grid.ts'
import { Layout } from '../layout/layout.ts'
import type { LaidOutList } from '../layout/list-layout.ts'
import { testDay, testMeasures } from '../layout/test-layouts.ts'
import { type CurrentFile, followFile } from './current-cell.ts'

const measures = testMeasures()

/** A list of files by id, one group per day. */
function listOf(days: Record<string, number[]>, listName = 'all') {
  const counts = Object.entries(days).map(([day, ids]) => testDay(day, ids.length))
  const layout = Layout.byDay(counts, measures)
  const list: LaidOutList = { listName, layout, days: counts, height: layout.height, scale: '' }
  const files = Object.values(days)
    .flat()
    .map(id => ({ id }) as GridFile)
  return { list, fileAt: (index: number) => files[index] }
}

const before = listOf({ '2026-06-14': [9, 8], '2026-06-13': [7, 6, 5], '2026-06-12': [4] })
const atSix: CurrentFile = { list: before.list, index: 3, id: 6 }
const nothingHere = () => undefined

test('without a choice, or in another list, there is no current file', () => {
  expect(followFile(null, before.list, before.fileAt)).toBeNull()
  const another = listOf({ '2026-06-13': [7, 6, 5] }, 'found')
  expect(followFile(atSix, another.list, another.fileAt)).toBeNull()
})

test('the id is filled in once its page is loaded', () => {
  const unknown = { ...atSix, id: undefined }
  expect(followFile(unknown, before.list, nothingHere)).toBe(unknown)
  expect(followFile(unknown, before.list, before.fileAt)).toEqual(atSix)
  expect(followFile(atSix, before.list, before.fileAt)).toBe(atSix)
})

test('files added on another day shift the index before their page is loaded', () => {
  const now = listOf({ '2026-06-15': [11, 10], '2026-06-14': [9, 8], '2026-06-13': [7, 6, 5] })
  expect(followFile(atSix, now.list, nothingHere)).toEqual({ list: now.list, index: 5, id: 6 })
  expect(followFile(atSix, now.list, now.fileAt)).toEqual({ list: now.list, index: 5, id: 6 })
})

test('a file added before it on the same day shifts the index once its page is loaded', () => {
  const now = listOf({ '2026-06-14': [9, 8], '2026-06-13': [7, 10, 6, 5] })
  const stale = followFile(atSix, now.list, before.fileAt)
  expect(stale).toEqual({ list: now.list, index: 3, id: 6 })
  expect(followFile(stale, now.list, now.fileAt)).toEqual({ list: now.list, index: 4, id: 6 })
})

test('a deleted file is replaced by the next one, or the previous one at the end', () => {
  const now = listOf({ '2026-06-14': [9, 8], '2026-06-13': [7, 5], '2026-06-12': [4] })
  expect(followFile(atSix, now.list, now.fileAt)).toEqual({ list: now.list, index: 3, id: 5 })
  const shorter = listOf({ '2026-06-14': [9, 8], '2026-06-13': [7] })
  expect(followFile({ list: before.list, index: 5, id: 4 }, shorter.list, shorter.fileAt)).toEqual({
    list: shorter.list,
    index: 2,
    id: 7,
  })
})
