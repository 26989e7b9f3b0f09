import { useQuery } from '@tanstack/react-query'
import { addNote, deleteNote, notesOfFile, updateNote } from '#contract/notes.ts'
import { useAction } from '../kit/action.ts'
import { query } from '../kit/queries.ts'
import { texts } from './texts.ts'

const refresh = [notesOfFile]

export function useNotes(fileId: number) {
  return useQuery(query(notesOfFile, { params: { id: fileId } }, texts.loadFailed))
}

/** What the family wrote first about a file: the best there is to say to somebody who cannot see it. */
export function useFirstNote(fileId: number): string | undefined {
  return useNotes(fileId).data?.[0]?.content
}

export function useAddNote() {
  return useAction(addNote, { ...texts.add, refresh })
}

export function useUpdateNote() {
  const { success, failure } = texts.edit
  return useAction(updateNote, { success, failure, refresh })
}

export function useDeleteNote() {
  const { success, failure } = texts.delete
  return useAction(deleteNote, { success, failure, refresh })
}
