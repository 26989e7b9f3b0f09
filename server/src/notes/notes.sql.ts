import { newestFirst, type PageBefore } from '../db/newest-first.ts'
import type { Handle, NewNote, NoteRow, Tx } from '../db/schema.ts'
import { searchable } from '../kit/searchable.ts'

const shownColumns = ['notes.id', 'content', 'username', 'name', 'created_at', 'edited_at'] as const

function shown(handle: Handle) {
  return handle.selectFrom('notes').innerJoin('people', 'people.id', 'notes.author_id').select(shownColumns)
}
export type ShownNote = Awaited<ReturnType<typeof notesOf>>[number]

/** Oldest first. */
export async function notesOf(handle: Handle, mediaId: number) {
  return shown(handle).where('notes.media_id', '=', mediaId).orderBy('notes.id').execute()
}

/** Newest first, on files that are not deleted. */
export async function notesBy(handle: Handle, authorId: number, page: PageBefore) {
  const notes = handle
    .selectFrom('notes')
    .innerJoin('media', 'media.id', 'notes.media_id')
    .select(['notes.id', 'notes.content', 'notes.created_at', 'notes.media_id', 'media.original_name as media_name'])
    .where('notes.author_id', '=', authorId)
    .where('media.deleted_at', 'is', null)
  return newestFirst(notes, 'notes.id', page).execute()
}

export async function shownNote(handle: Handle, id: number): Promise<ShownNote> {
  return shown(handle).where('notes.id', '=', id).executeTakeFirstOrThrow()
}

export async function noteById(handle: Handle, id: number): Promise<NoteRow | undefined> {
  return handle.selectFrom('notes').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function insertNote(tx: Tx, note: Omit<NewNote, 'search_text'>): Promise<number> {
  const { id } = await tx
    .insertInto('notes')
    .values({ ...note, search_text: searchable(note.content) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** `before` in the audit line of a deleted note. */
export interface DeletedNote {
  note_id: number
  author_id: number
  content: string
  created_at: number
  edited_at: number | null
}

/** The last deletion of this note, because its text may have been another one before. */
export async function findDeletion(
  handle: Handle,
  { noteId, since }: { noteId: number; since: number },
): Promise<{ actorId: number | null; mediaId: number; before: DeletedNote } | undefined> {
  const line = await handle
    .selectFrom('audit_log')
    .select(['actor_id', 'subject_id', 'before'])
    .where('action', '=', 'note.delete')
    .where('created_at', '>=', since)
    .where('before', 'like', `{"note_id":${noteId},%`)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  return line?.before
    ? { actorId: line.actor_id, mediaId: line.subject_id, before: JSON.parse(line.before) }
    : undefined
}

export async function updateNoteRow(tx: Tx, id: number, change: { content: string; edited_at: number }): Promise<void> {
  await tx
    .updateTable('notes')
    .set({ ...change, search_text: searchable(change.content) })
    .where('id', '=', id)
    .execute()
}

export async function deleteNoteRow(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('notes').where('id', '=', id).execute()
}
