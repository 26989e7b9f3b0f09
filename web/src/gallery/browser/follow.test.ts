import { expect, test } from 'vitest'
import type { MediaFile } from '#contract/media.ts'
import type { LaidOutList } from '../layout/arrange.ts'
import { Layout, type Measures } from '../layout/layout.ts'
import { type Chosen, follow } from './follow.ts'

const measures: Measures = { columns: 2, rowPitch: 100, headingHeight: 40, bandGap: 10 }

/** A list of files known by their number, a day a group. */
function listOf(days: Record<string, number[]>, listName = 'all') {
  const counts = Object.entries(days).map(([day, ids]) => ({ day, count: ids.length }))
  const layout = Layout.byDay(counts, measures)
  const list: LaidOutList = { listName, layout, days: counts, height: layout.height }
  const files = Object.values(days)
    .flat()
    .map(id => ({ id }) as MediaFile)
  return { list, fileAt: (index: number) => files[index] }
}

const before = listOf({ '2026-06-14': [9, 8], '2026-06-13': [7, 6, 5], '2026-06-12': [4] })
const atSix: Chosen = { list: before.list, index: 3, id: 6 }
const nothingHere = () => undefined

test('nothing is chosen until somebody chooses, nor of another list', () => {
  expect(follow(null, before.list, before.fileAt)).toBeNull()
  const another = listOf({ '2026-06-13': [7, 6, 5] }, 'found')
  expect(follow(atSix, another.list, another.fileAt)).toBeNull()
})

test('which file it is gets known with its page, and then nothing changes', () => {
  const unknown = { ...atSix, id: undefined }
  expect(follow(unknown, before.list, nothingHere)).toBe(unknown)
  expect(follow(unknown, before.list, before.fileAt)).toEqual(atSix)
  expect(follow(atSix, before.list, before.fileAt)).toBe(atSix)
})

test('files that come on another day take it along at once, before their page has come', () => {
  const now = listOf({ '2026-06-15': [11, 10], '2026-06-14': [9, 8], '2026-06-13': [7, 6, 5] })
  expect(follow(atSix, now.list, nothingHere)).toEqual({ list: now.list, index: 5, id: 6 })
  expect(follow(atSix, now.list, now.fileAt)).toEqual({ list: now.list, index: 5, id: 6 })
})

test('a file that comes before it on its own day takes it along when its page has come', () => {
  const now = listOf({ '2026-06-14': [9, 8], '2026-06-13': [7, 10, 6, 5] })
  const stale = follow(atSix, now.list, before.fileAt)
  expect(stale).toEqual({ list: now.list, index: 3, id: 6 })
  expect(follow(stale, now.list, now.fileAt)).toEqual({ list: now.list, index: 4, id: 6 })
})

test('a file that is gone leaves its place to the next, and the last one to the one before', () => {
  const now = listOf({ '2026-06-14': [9, 8], '2026-06-13': [7, 5], '2026-06-12': [4] })
  expect(follow(atSix, now.list, now.fileAt)).toEqual({ list: now.list, index: 3, id: 5 })
  const shorter = listOf({ '2026-06-14': [9, 8], '2026-06-13': [7] })
  expect(follow({ list: before.list, index: 5, id: 4 }, shorter.list, shorter.fileAt)).toEqual({
    list: shorter.list,
    index: 2,
    id: 7,
  })
})
