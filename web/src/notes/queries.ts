import { useQuery } from '@tanstack/react-query'
import { addNote, deleteNote, type Note, notesOfFile, restoreNote, updateNote } from '#contract/notes.ts'
import { useAction } from '../kit/action.ts'
import { call } from '../kit/api.ts'
import type { Change } from '../kit/changes.ts'
import { query } from '../kit/queries.ts'
import { undoStep } from '../kit/undo.ts'
import { texts } from './texts.ts'

export function useNotes(fileId: number) {
  return useQuery(query(notesOfFile, { params: { id: fileId } }, texts.notes.loadFailed))
}

/** The first note serves as the photo's alternative text. */
export function useFirstNote(fileId: number): string | undefined {
  return useNotes(fileId).data?.[0]?.content
}

function notesOf(fileId: number): Change[] {
  return [{ kind: 'notes', media_id: fileId }]
}

export function useAddNote(fileId: number) {
  return useAction(addNote, {
    ...texts.notes.add,
    changes: notesOf(fileId),
    undo: ({ id }) => [undoStep(() => call(deleteNote, { params: { id } }))],
  })
}

export function useUpdateNote(fileId: number, before: Note) {
  const { success, failure } = texts.notes.edit
  return useAction(updateNote, {
    success,
    failure,
    changes: notesOf(fileId),
    undo: ({ content: expected }, { params }) => [
      undoStep(() => call(updateNote, { params, body: { content: before.content, expected } })),
    ],
  })
}

export function useDeleteNote(fileId: number) {
  const { success, failure } = texts.notes.delete
  return useAction(deleteNote, {
    success,
    failure,
    changes: notesOf(fileId),
    undo: (_, { params }) => [undoStep(() => call(restoreNote, { params }))],
  })
}
