import { z } from 'zod'
import { ClientId, Id, IdInPath, IdInText, inText, isVisible, Moment, withoutControlCharacters } from './common.ts'
import { endpoint } from './endpoint.ts'
import { comments, lengths } from './limits.ts'
import { refusal } from './refusal.ts'

export const Note = z.object({
  id: Id,
  content: z.string(),
  username: z.string().describe('Who wrote it'),
  name: z.string().describe("The writer's name"),
  created_at: Moment,
  edited_at: Moment.nullable(),
})
export type Note = z.infer<typeof Note>

export const NoteContent = z
  .string()
  .overwrite(withoutControlCharacters)
  .trim()
  .max(lengths.note, refusal('notes.tooLong', { count: lengths.note }))
  .refine(isVisible, refusal('notes.empty'))

export const NewNote = z.object({
  content: NoteContent,
  client_id: ClientId.optional().describe("The writer's own id of it: sending it again answers the first one"),
})

export const NoteChange = z.object({
  content: NoteContent,
  expected: NoteContent.optional().describe('For an undo: the text that is taken back; 409 if it has another by now'),
})

export const PageOfComments = z.object({
  limit: inText(z.number().int().min(1).max(comments.page)).default(comments.page),
  before: IdInText.optional().describe('Only those with a lower id than this one'),
})

export const notesOfFile = endpoint({
  method: 'GET',
  path: '/api/notes/media/:id',
  summary: 'The latest notes on a file, oldest first',
  act: 'media.see',
  offline: true,
  params: IdInPath,
  query: PageOfComments,
  answer: z.array(Note),
})

export const PageOfPerson = z.object({
  limit: inText(z.number().int().min(1).max(100)).default(20),
  before: IdInText.optional().describe('Only older ones than the one with this id'),
})

const NoteOfPerson = Note.pick({ id: true, content: true, created_at: true }).extend({
  media_id: Id,
  media_name: z.string(),
})

export const notesByPerson = endpoint({
  method: 'GET',
  path: '/api/users/:id/notes',
  summary: 'The notes that a person wrote, newest first; none on deleted files',
  act: 'media.see',
  params: IdInPath,
  query: PageOfPerson,
  answer: z.array(NoteOfPerson),
})

export const addNote = endpoint({
  method: 'POST',
  path: '/api/notes/media/:id',
  summary: 'Write a note on a file',
  act: 'notes.write',
  params: IdInPath,
  body: NewNote,
  status: 201,
  answer: Note,
})

export const updateNote = endpoint({
  method: 'PUT',
  path: '/api/notes/:id',
  summary: 'Change a note; the last change wins. A viewer may change only their own',
  act: 'notes.write',
  params: IdInPath,
  body: NoteChange,
  answer: Note,
})

export const deleteNote = endpoint({
  method: 'DELETE',
  path: '/api/notes/:id',
  summary: 'Delete a note; a viewer may delete only their own',
  act: 'notes.write',
  params: IdInPath,
})

export const restoreNote = endpoint({
  method: 'POST',
  path: '/api/notes/:id/restore',
  summary: 'Bring back a deleted note, for as long as deleted files: who deleted it, its author or an admin',
  act: 'notes.write',
  params: IdInPath,
  answer: Note,
})
