import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import * as albums from '#contract/albums.ts'
import * as notes from '#contract/notes.ts'
import { toIso } from '../kit/clock.ts'
import { serve } from '../kit/serve.ts'
import { albumCommentsBy, notesBy } from './comments.sql.ts'
import { addComment, deleteComment, listComments, type RestoreDeps, restoreComment, updateComment } from './comments.ts'
import { albumSubject, mediaSubject } from './subjects.ts'

function commentOf({ content, client_id }: z.infer<typeof notes.NewNote>) {
  return { content, clientId: client_id }
}

export function commentRoutes(app: FastifyInstance, deps: RestoreDeps): void {
  const { query: handle } = deps.db

  serve(app, notes.notesOfFile, ({ params, query }) => listComments(handle, mediaSubject, params.id, query))
  serve(app, notes.notesByPerson, async ({ params, query }) => {
    const found = await notesBy(handle, params.id, query)
    return found.map(note => ({ ...note, created_at: toIso(note.created_at) }))
  })
  serve(app, notes.addNote, ({ caller, params, body }) =>
    addComment(deps, mediaSubject, { authorId: caller.id, subjectId: params.id, ...commentOf(body) }),
  )
  serve(app, notes.updateNote, ({ caller, params, body }) => updateComment(deps, mediaSubject, caller, params.id, body))
  serve(app, notes.deleteNote, ({ caller, params }) => deleteComment(deps, mediaSubject, caller, params.id))
  serve(app, notes.restoreNote, ({ caller, params }) => restoreComment(deps, mediaSubject, caller, params.id))

  serve(app, albums.listAlbumComments, ({ params, query }) => listComments(handle, albumSubject, params.id, query))
  serve(app, albums.albumCommentsByPerson, async ({ params, query }) => {
    const found = await albumCommentsBy(handle, params.id, query)
    return found.map(comment => ({ ...comment, created_at: toIso(comment.created_at) }))
  })
  serve(app, albums.addAlbumComment, ({ caller, params, body }) =>
    addComment(deps, albumSubject, { authorId: caller.id, subjectId: params.id, ...commentOf(body) }),
  )
  serve(app, albums.updateAlbumComment, ({ caller, params, body }) =>
    updateComment(deps, albumSubject, caller, params.id, body),
  )
  serve(app, albums.deleteAlbumComment, ({ caller, params }) => deleteComment(deps, albumSubject, caller, params.id))
  serve(app, albums.restoreAlbumComment, ({ caller, params }) => restoreComment(deps, albumSubject, caller, params.id))
}
