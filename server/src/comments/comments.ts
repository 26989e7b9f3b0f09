import type { z } from 'zod'
import { DAY } from '#contract/limits.ts'
import type { Note, NoteChange } from '#contract/notes.ts'
import { recordAudit } from '../audit/public.ts'
import type { Database } from '../db/database.ts'
import type { PageBefore } from '../db/newest-first.ts'
import type { CommentRow, Handle, Tx } from '../db/schema.ts'
import { type Clock, toIso } from '../kit/clock.ts'
import { AppError } from '../kit/errors.ts'
import { announce } from '../live/announce.ts'
import { type Notified, notifyOfComment } from '../notifications/public.ts'
import {
  commentByClientId,
  commentsOn,
  findComment,
  insertComment,
  markDeleted,
  type ShownComment,
  shownComment,
  updateContent,
} from './comments.sql.ts'
import type { LockedSubject, Subject, Writer } from './subjects.ts'

export interface CommentDeps {
  db: Database
  clock: Clock
  notified?: Notified
}

export interface RestoreDeps extends CommentDeps {
  trashDays: number
}

export async function listComments(handle: Handle, subject: Subject, id: number, page: PageBefore): Promise<Note[]> {
  if (!(await subject.exists(handle, id))) throw subject.missing()
  return (await commentsOn(handle, subject.column, id, page)).map(present)
}

interface CommentToAdd {
  authorId: number
  subjectId: number
  content: string
  clientId?: string | undefined
}

/** Idempotent by `clientId`: a retry returns the comment that was added before. */
export async function addComment(
  deps: CommentDeps,
  subject: Subject,
  { authorId, subjectId, content, clientId }: CommentToAdd,
): Promise<Note> {
  const { db, clock } = deps
  return db.transaction(async tx => {
    const locked = await subject.lockToAdd(db, tx, subjectId)
    if (!locked) throw subject.missing()
    const row = { [subject.column]: subjectId, author_id: authorId, content, created_at: clock() }
    const id = await insertComment(tx, { ...row, client_id: clientId ?? null })
    if (id === undefined) return addedBefore(tx, subject, { authorId, subjectId, clientId })
    await changed(deps, tx, subject, subjectId, { actorId: authorId, change: 'add' })
    await notifyOfComment(deps, tx, { ...about(subject, locked), actorId: authorId, commentId: id, content })
    return present(await shownComment(tx, id))
  })
}

async function addedBefore(
  tx: Tx,
  subject: Subject,
  { authorId, subjectId, clientId }: Omit<CommentToAdd, 'content'>,
): Promise<Note> {
  const comment = clientId === undefined ? undefined : await commentByClientId(tx, authorId, clientId)
  if (comment?.[subject.column] !== subjectId) throw new AppError('conflict', subject.errors.writtenElsewhere)
  if (comment.deleted_at !== null) throw noSuchComment(subject)
  return present(await shownComment(tx, comment.id))
}

/** The last edit wins. The audit log keeps the old content. */
export async function updateComment(
  deps: CommentDeps,
  subject: Subject,
  writer: Writer,
  id: number,
  { content, expected }: z.infer<typeof NoteChange>,
): Promise<Note> {
  const { db, clock } = deps
  return db.transaction(async tx => {
    const { comment, locked } = await lockComment(db, tx, subject, id)
    if (comment.deleted_at !== null) throw noSuchComment(subject)
    if (!subject.mayEdit(writer, comment)) throw new AppError('forbidden', subject.errors.notYours)
    if (expected !== undefined && comment.content !== expected) {
      throw new AppError('conflict', subject.errors.changedSince)
    }
    if (comment.content !== content) {
      const actorId = writer.id
      const contentBefore = comment.content
      await updateContent(tx, id, content, clock())
      await changed(deps, tx, subject, locked.id, { actorId, change: 'edit', comment })
      await notifyOfComment(deps, tx, { ...about(subject, locked), actorId, commentId: id, content, contentBefore })
    }
    return present(await shownComment(tx, id))
  })
}

export async function deleteComment(deps: CommentDeps, subject: Subject, writer: Writer, id: number): Promise<void> {
  const { db, clock } = deps
  await db.transaction(async tx => {
    const { comment, locked } = await lockComment(db, tx, subject, id)
    if (comment.deleted_at !== null) throw noSuchComment(subject)
    if (!subject.mayDelete(writer, comment, locked)) throw new AppError('forbidden', subject.errors.notYours)
    await markDeleted(tx, id, { deleted_at: clock(), deleted_by: writer.id })
    await changed(deps, tx, subject, locked.id, { actorId: writer.id, change: 'delete', comment })
  })
}

/** For the person who deleted it, its author and admins. Nobody is notified again. */
export async function restoreComment(deps: RestoreDeps, subject: Subject, writer: Writer, id: number): Promise<Note> {
  const { db, clock, trashDays } = deps
  return db.transaction(async tx => {
    const { comment, locked } = await lockComment(db, tx, subject, id)
    const isRecent = comment.deleted_at !== null && comment.deleted_at >= clock() - trashDays * DAY
    const mayRestore =
      comment.author_id === writer.id ||
      subject.mayRestoreOthers(writer) ||
      (comment.deleted_by === writer.id && subject.mayDelete(writer, comment, locked))
    if (!isRecent || !mayRestore) throw noSuchComment(subject)
    await markDeleted(tx, id, { deleted_at: null, deleted_by: null })
    await changed(deps, tx, subject, locked.id, { actorId: writer.id, change: 'restore', comment })
    return present(await shownComment(tx, id))
  })
}

/** Deleted comments too. What it is about is locked first, so that changes of its comments are serialised. */
async function lockComment(
  db: Database,
  tx: Tx,
  subject: Subject,
  id: number,
): Promise<{ comment: CommentRow; locked: LockedSubject }> {
  const subjectId = (await findComment(tx, id))?.[subject.column] ?? null
  const locked = subjectId === null ? undefined : await subject.lock(db, tx, subjectId)
  const comment = locked && (await findComment(tx, id))
  if (!comment) throw noSuchComment(subject)
  return { comment, locked }
}

function noSuchComment({ errors }: Subject): AppError {
  return new AppError('not_found', errors.missing)
}

function about({ type }: Subject, { id, ownerId }: LockedSubject) {
  return { subject: { type, id, ownerId } }
}

interface CommentChange {
  actorId: number
  change: keyof Subject['acts']
  /** As it was before. */
  comment?: CommentRow
}

export async function changed(
  { db, clock }: CommentDeps,
  tx: Tx,
  { type, word, acts, announcement }: Subject,
  subjectId: number,
  { actorId, change, comment }: CommentChange,
): Promise<void> {
  const before = comment && { [`${word}_id`]: comment.id, author_id: comment.author_id, content: comment.content }
  await recordAudit(tx, [{ at: clock(), actorId, act: acts[change], subject: { type, id: subjectId }, before }])
  await announce(db, tx, announcement(subjectId), 'everyone')
}

function present({ id, content, username, name, created_at, edited_at }: ShownComment): Note {
  return {
    id,
    content,
    username,
    name,
    created_at: toIso(created_at),
    edited_at: edited_at === null ? null : toIso(edited_at),
  }
}
