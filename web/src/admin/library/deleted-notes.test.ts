import { expect, test } from 'vitest'
import { deletedNotes } from './deleted-notes.ts'

test('a note can be restored from the line of its last deletion, unless a newer line has restored it', () => {
  const lines = [
    { id: 9, act: 'note.delete', before: { note_id: 1, author_id: 2, content: 'Hello' } },
    { id: 8, act: 'note.restore', before: { note_id: 1 } },
    { id: 7, act: 'note.restore', before: { note_id: 2 } },
    { id: 6, act: 'note.delete', before: { note_id: 2, author_id: 2, content: 'Again' } },
    { id: 5, act: 'note.delete', before: { note_id: 1, author_id: 2, content: 'Hello' } },
    { id: 4, act: 'media.delete', before: { name: 'A.jpg' } },
    { id: 3, act: 'note.add', before: null },
  ]
  expect([...deletedNotes(lines)]).toEqual([[9, 1]])
})
