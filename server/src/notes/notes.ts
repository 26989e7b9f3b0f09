import type { AuditAct } from '#contract/audit.ts'
import type { ParsedInput } from '#contract/endpoint.ts'
import { DAY } from '#contract/limits.ts'
import type { Note, updateNote as updateNoteEndpoint } from '#contract/notes.ts'
import { can, canEditNote } from '#contract/rights.ts'
import { recordAudit } from '../audit/public.ts'
import type { Database } from '../db/database.ts'
import type { Handle, NoteRow, Tx } from '../db/schema.ts'
import { type Clock, toIso } from '../kit/clock.ts'
import { AppError } from '../kit/errors.ts'
import type { Caller } from '../kit/serve.ts'
import { announce } from '../live/announce.ts'
import {
  findActiveMedia,
  type LockedMedia,
  lockActiveMedia,
  noSuchFile,
  shareLockActiveMedia,
} from '../media/public.ts'
import { notifyOfNote } from '../notifications/public.ts'
import {
  type DeletedNote,
  deleteNoteRow,
  findDeletion,
  insertNote,
  noteById,
  notesOf,
  type ShownNote,
  shownNote,
  updateNoteRow,
} from './notes.sql.ts'

export interface NoteDeps {
  db: Database
  clock: Clock
}

type Editor = Pick<Caller, 'id' | 'role'>

export interface RestoreDeps extends NoteDeps {
  trashDays: number
}

export async function notesOfFile(handle: Handle, mediaId: number): Promise<Note[]> {
  if (!(await findActiveMedia(handle, mediaId))) throw noSuchFile()
  return (await notesOf(handle, mediaId)).map(presentNote)
}

export async function addNote(deps: NoteDeps, actorId: number, mediaId: number, content: string): Promise<Note> {
  const { db, clock } = deps
  return db.transaction(async tx => {
    // A shared lock is enough, because concurrent notes are separate rows.
    const file = await shareLockActiveMedia(db, tx, mediaId)
    if (!file) throw noSuchFile()
    const note = { media_id: mediaId, author_id: actorId, content, created_at: clock() }
    const id = await insertNote(tx, note)
    await notesChanged(deps, tx, mediaId, { at: clock(), actorId, act: 'note.add' })
    await notifyOfNote(deps, tx, { actorId, noteId: id, content, file })
    return presentNote(await shownNote(tx, id))
  })
}

/** Members may edit every note, viewers their own, and the last edit wins. The audit log keeps the old content. */
export async function updateNote(
  deps: NoteDeps,
  caller: Editor,
  id: number,
  { content, expected }: ParsedInput<typeof updateNoteEndpoint>['body'],
): Promise<Note> {
  const { db, clock } = deps
  return db.transaction(async tx => {
    const { note, file } = await takeNote(db, tx, caller, id)
    if (expected !== undefined && note.content !== expected) {
      throw new AppError('conflict', 'This note has been changed since.')
    }
    if (note.content !== content) {
      await updateNoteRow(tx, id, { content, edited_at: clock() })
      await notesChanged(deps, tx, file.id, { at: clock(), actorId: caller.id, act: 'note.edit', before: kept(note) })
      await notifyOfNote(deps, tx, { actorId: caller.id, noteId: id, content, contentBefore: note.content, file })
    }
    return presentNote(await shownNote(tx, id))
  })
}

export async function deleteNote(deps: NoteDeps, caller: Editor, id: number): Promise<void> {
  const { db, clock } = deps
  await db.transaction(async tx => {
    const { note, file } = await takeNote(db, tx, caller, id)
    await deleteNoteRow(tx, id)
    await notesChanged(deps, tx, file.id, {
      at: clock(),
      actorId: caller.id,
      act: 'note.delete',
      before: deleted(note),
    })
  })
}

/**
 * From the audit entry of its last deletion, for the person who deleted it, its author and admins. Nobody is notified
 * again.
 */
export async function restoreNote(deps: RestoreDeps, { id: actorId, role }: Editor, id: number): Promise<Note> {
  const { db, clock, trashDays } = deps
  return db.transaction(async tx => {
    const deletion = { noteId: id, since: clock() - trashDays * DAY }
    const found = await findDeletion(tx, deletion)
    const [file] = found ? await lockActiveMedia(db, tx, [found.mediaId]) : []
    // Read again under the lock: the note may have been restored, edited and deleted since.
    const line = file && (await findDeletion(tx, deletion))
    if (!line) throw noSuchNote()
    const isAuthor = line.before.author_id === actorId
    const mayRestore =
      isAuthor || can(role, 'notes.restore-others') || (line.actorId === actorId && canEditNote({ role, isAuthor }))
    if (!mayRestore || (await noteById(tx, id))) throw noSuchNote()
    const { author_id, content, created_at, edited_at } = line.before
    await insertNote(tx, { id, media_id: file.id, author_id, content, created_at, edited_at })
    await notesChanged(deps, tx, file.id, { at: clock(), actorId, act: 'note.restore', before: { note_id: id } })
    return presentNote(await shownNote(tx, id))
  })
}

/** The note with its file, which is locked first, so that changes to its notes and tags are serialised. */
async function takeNote(
  db: Database,
  tx: Tx,
  caller: Editor,
  id: number,
): Promise<{ note: NoteRow; file: LockedMedia }> {
  const found = await noteById(tx, id)
  const [file] = found ? await lockActiveMedia(db, tx, [found.media_id]) : []
  const note = file && (await noteById(tx, id))
  if (!note) throw noSuchNote()
  if (!canEditNote({ role: caller.role, isAuthor: note.author_id === caller.id })) {
    throw new AppError('forbidden', 'You may change and delete only your own notes.')
  }
  return { note, file }
}

function noSuchNote(): AppError {
  return new AppError('not_found', 'There is no such note any more.')
}

interface NoteAuditEntry {
  at: number
  actorId: number
  act: AuditAct
  before?: unknown
}

async function notesChanged({ db }: NoteDeps, tx: Tx, mediaId: number, entry: NoteAuditEntry): Promise<void> {
  await recordAudit(tx, [{ ...entry, subject: { type: 'media', id: mediaId } }])
  await announce(db, tx, { kind: 'notes', media_id: mediaId }, 'everyone')
}

function kept({ id, author_id, content }: NoteRow) {
  return { note_id: id, author_id, content }
}

/** Everything that `restoreNote` needs. */
function deleted(note: NoteRow): DeletedNote {
  return { ...kept(note), created_at: note.created_at, edited_at: note.edited_at }
}

/** Of a file or an album. */
export function presentNote({ id, content, username, name, created_at, edited_at }: ShownNote): Note {
  return {
    id,
    content,
    username,
    name,
    created_at: toIso(created_at),
    edited_at: edited_at === null ? null : toIso(edited_at),
  }
}
