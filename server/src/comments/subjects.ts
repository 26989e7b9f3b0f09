import type { AuditAct } from '#contract/audit.ts'
import { can, canEditNote } from '#contract/rights.ts'
import { findAlbum, lockAlbum, owns } from '../albums/public.ts'
import type { Database } from '../db/database.ts'
import type { CommentRow, Handle, Tx } from '../db/schema.ts'
import type { AppError } from '../kit/errors.ts'
import type { Caller } from '../kit/serve.ts'
import type { Announcement } from '../live/announce.ts'
import { findActiveMedia, lockActiveMedia, noSuchAlbum, noSuchFile, shareLockActiveMedia } from '../media/public.ts'
import type { SubjectColumn } from './comments.sql.ts'

export type Writer = Pick<Caller, 'id' | 'role'>

/** The file or the album, locked. */
export interface LockedSubject {
  id: number
  /** Who uploaded the file or made the album, and is notified. */
  ownerId: number
}

type Change = 'add' | 'edit' | 'delete' | 'restore'

/** What people comment on, and everything in which the comments on it differ. */
export interface Subject {
  type: 'media' | 'album'
  column: SubjectColumn
  /** What a comment on it is in the audit log. */
  word: 'note' | 'comment'
  /** People call it by different words, so that each has sentences of its own. */
  errors: {
    missing: 'notes.missing' | 'comments.missing'
    changedSince: 'notes.changedSince' | 'comments.changedSince'
    notYours: 'notes.notYours' | 'comments.notYours'
    writtenElsewhere: 'notes.writtenElsewhere' | 'comments.writtenElsewhere'
  }
  acts: Record<Change, AuditAct>
  exists(handle: Handle, id: number): Promise<boolean>
  missing(): AppError
  /** So that changes of its comments are serialised; undefined if it is deleted. */
  lock(db: Database, tx: Tx, id: number): Promise<LockedSubject | undefined>
  /** For a new comment. */
  lockToAdd(db: Database, tx: Tx, id: number): Promise<LockedSubject | undefined>
  mayEdit(writer: Writer, comment: CommentRow): boolean
  mayDelete(writer: Writer, comment: CommentRow, subject: LockedSubject): boolean
  /** What others deleted. */
  mayRestoreOthers(writer: Writer): boolean
  announcement(id: number): Announcement
}

const mayEditNote = ({ id, role }: Writer, { author_id }: CommentRow) =>
  canEditNote({ role, isAuthor: author_id === id })

/** Members may edit every note, viewers their own. */
export const mediaSubject: Subject = {
  type: 'media',
  column: 'media_id',
  word: 'note',
  errors: {
    missing: 'notes.missing',
    changedSince: 'notes.changedSince',
    notYours: 'notes.notYours',
    writtenElsewhere: 'notes.writtenElsewhere',
  },
  acts: { add: 'note.add', edit: 'note.edit', delete: 'note.delete', restore: 'note.restore' },
  exists: async (handle, id) => (await findActiveMedia(handle, id)) !== undefined,
  missing: noSuchFile,
  lock: async (db, tx, id) => {
    const [file] = await lockActiveMedia(db, tx, [id])
    return file && { id, ownerId: file.uploaded_by }
  },
  // A shared lock is enough, because concurrent notes are separate rows.
  lockToAdd: async (db, tx, id) => {
    const file = await shareLockActiveMedia(db, tx, id)
    return file && { id, ownerId: file.uploaded_by }
  },
  mayEdit: mayEditNote,
  mayDelete: mayEditNote,
  mayRestoreOthers: ({ role }) => can(role, 'notes.restore-others'),
  announcement: id => ({ kind: 'notes', media_id: id }),
}

async function lockAlbumSubject(db: Database, tx: Tx, id: number): Promise<LockedSubject | undefined> {
  const album = await lockAlbum(db, tx, id)
  return album && { id, ownerId: album.created_by }
}

const mayEditComment = ({ id, role }: Writer, { author_id }: CommentRow) =>
  author_id === id || can(role, 'comments.edit-others')

/** Only the author and admins edit; who made the album, unless they are a viewer by now, deletes too. */
export const albumSubject: Subject = {
  type: 'album',
  column: 'album_id',
  word: 'comment',
  errors: {
    missing: 'comments.missing',
    changedSince: 'comments.changedSince',
    notYours: 'comments.notYours',
    writtenElsewhere: 'comments.writtenElsewhere',
  },
  acts: {
    add: 'album.comment',
    edit: 'album.edit-comment',
    delete: 'album.delete-comment',
    restore: 'album.restore-comment',
  },
  exists: async (handle, id) => (await findAlbum(handle, id)) !== undefined,
  missing: noSuchAlbum,
  lock: lockAlbumSubject,
  lockToAdd: lockAlbumSubject,
  mayEdit: mayEditComment,
  mayDelete: (writer, comment, { ownerId }) =>
    mayEditComment(writer, comment) || (can(writer.role, 'albums.edit') && owns(writer, { created_by: ownerId })),
  mayRestoreOthers: ({ role }) => can(role, 'comments.edit-others'),
  announcement: id => ({ kind: 'album-comments', album_id: id }),
}
