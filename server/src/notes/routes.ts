import type { FastifyInstance } from 'fastify'
import {
  addNote as addNoteEndpoint,
  deleteNote as deleteNoteEndpoint,
  notesByPerson,
  notesOfFile as notesOfFileEndpoint,
  restoreNote as restoreNoteEndpoint,
  updateNote as updateNoteEndpoint,
} from '#contract/notes.ts'
import { toIso } from '../kit/clock.ts'
import { serve } from '../kit/serve.ts'
import { notesBy } from './notes.sql.ts'
import { addNote, deleteNote, notesOfFile, type RestoreDeps, restoreNote, updateNote } from './notes.ts'

export function noteRoutes(app: FastifyInstance, deps: RestoreDeps): void {
  serve(app, notesOfFileEndpoint, ({ params }) => notesOfFile(deps.db.query, params.id))
  serve(app, notesByPerson, async ({ params, query }) => {
    const notes = await notesBy(deps.db.query, params.id, query)
    return notes.map(note => ({ ...note, created_at: toIso(note.created_at) }))
  })
  serve(app, addNoteEndpoint, ({ caller, params, body }) => addNote(deps, caller.id, params.id, body.content))
  serve(app, updateNoteEndpoint, ({ caller, params, body }) => updateNote(deps, caller, params.id, body))
  serve(app, deleteNoteEndpoint, ({ caller, params }) => deleteNote(deps, caller, params.id))
  serve(app, restoreNoteEndpoint, ({ caller, params }) => restoreNote(deps, caller, params.id))
}
