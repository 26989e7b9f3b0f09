import { expect, test } from 'vitest'
import type { Folder } from '#contract/folders.ts'
import { texts } from '../texts.ts'
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

test('the heading of a folder says what is in its folders, too', () => {
  expect(texts.filesAndBelow(0, 66)).toBe('66 files in its folders')
  expect(texts.filesAndBelow(1, 66)).toBe('1 file, 66 more in its folders')
})
