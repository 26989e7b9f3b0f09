import { expect, test } from 'vitest'
import type { GridFile } from '#contract/grid.ts'
import { loadedList } from './files.ts'

test('a heading that occurs twice is two groups, so that each photo is under its own', () => {
  const files = ['196X', '1966-05-03', '196X', '196X'].map((day, i) => ({ id: i, day, ratio: 1 }) as GridFile)
  const { timeline } = loadedList(files, true)
  expect(timeline.days).toEqual([
    { day: '196X', count: 1, key: 0 },
    { day: '1966-05-03', count: 1, key: 1 },
    { day: '196X', count: 2, key: 2 },
  ])
  expect(loadedList(files, false).timeline.days).toEqual([])
})
