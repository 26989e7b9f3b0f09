import { expect, test } from 'vitest'
import { searchWords } from './filter-labels.ts'

const names = {
  tag: (id: number) => (id === 1 ? 'Cornwall' : null),
  folder: () => 'Summer',
  person: () => 'Rose',
  isMe: (id: number) => id === 1,
}

test('says the search of a smart album in words', () => {
  const search = {
    type: 'video',
    search: 'beach',
    area: 'Norway',
    tag: 1,
    hearted_by: 1,
    uploader: 2,
    year: 2019,
  } as const
  expect(searchWords(search, names)).toBe(
    'videos · “beach” · Norway · tag Cornwall · loved by you · added by Rose · 2019',
  )
  expect(searchWords({ folder_id: 'root', undated: 'true' }, names)).toBe('in no folder · undated')
  expect(searchWords({ folder_id: 3, type: 'image' }, names)).toBe('photos · in the folder Summer')
})

test('waits for names, and says which are gone', () => {
  expect(searchWords({ tag: 1 }, { ...names, tag: () => undefined })).toBeUndefined()
  expect(searchWords({ tag: 9 }, names)).toBe('a tag that nothing has')
})
