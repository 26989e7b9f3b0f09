import { expect, test } from 'vitest'
import type { Folder } from '#contract/folders.ts'
import { filesBelow } from './queries.ts'

const folder = (id: number, parent_id: number | null, file_count: number): Folder => ({
  id,
  parent_id,
  file_count,
  name: `Folder ${id}`,
  path: `Folder ${id}`,
  level: 0,
})

test('the files of all folders below a folder are counted, without its own', () => {
  const folders = [folder(1, null, 5), folder(2, 1, 60), folder(3, 2, 6), folder(4, null, 100)]
  expect(filesBelow(folders, 1)).toBe(66)
  expect(filesBelow(folders, 3)).toBe(0)
})
