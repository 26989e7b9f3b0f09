import type {
  listAlbumComments as listAlbumCommentsEndpoint,
  updateAlbumComment as updateAlbumCommentEndpoint,
} from '#contract/albums.ts'
import type { ParsedInput } from '#contract/endpoint.ts'
import { DAY } from '#contract/limits.ts'
import type { Note } from '#contract/notes.ts'
import { can } from '#contract/rights.ts'
import { recordAudit } from '../audit/public.ts'
import type { AlbumCommentRow, AlbumRow, Tx } from '../db/schema.ts'
import { AppError } from '../kit/errors.ts'
import { announce } from '../live/announce.ts'
import { noSuchAlbum } from '../media/public.ts'
import { presentNote } from '../notes/public.ts'
import { notifyOfAlbumComment } from '../notifications/public.ts'
import { findAlbum, lockAlbum } from './albums.sql.ts'
import { type Actor, type AlbumAuditEntry, type AlbumDeps, owns } from './albums.ts'
import { commentById, commentsOf, insertComment, shownComment, updateCommentRow } from './comments.sql.ts'

export async function listComments(
  { db }: AlbumDeps,
  albumId: number,
  page: ParsedInput<typeof listAlbumCommentsEndpoint>['query'],
): Promise<Note[]> {
  if (!(await findAlbum(db.query, albumId))) throw noSuchAlbum()
  return (await commentsOf(db.query, albumId, page)).map(presentNote)
}

export async function addComment(deps: AlbumDeps, actorId: number, albumId: number, content: string): Promise<Note> {
  const { db, clock } = deps
  return db.transaction(async tx => {
    const album = await lockAlbum(db, tx, albumId)
    if (!album) throw noSuchAlbum()
    const id = await insertComment(tx, { album_id: albumId, author_id: actorId, content, created_at: clock() })
    await commentsChanged(deps, tx, albumId, { actorId, act: 'album.comment' })
    await notifyOfAlbumComment(deps, tx, { actorId, commentId: id, content, album })
    return presentNote(await shownComment(tx, id))
  })
}

/** Only the author and admins. */
export async function updateComment(
  deps: AlbumDeps,
  actor: Actor,
  id: number,
  { content, expected }: ParsedInput<typeof updateAlbumCommentEndpoint>['body'],
): Promise<Note> {
  const { clock } = deps
  return deps.db.transaction(async tx => {
    const { comment, album } = await lockComment(deps, tx, id)
    if (comment.deleted_at !== null) throw noSuchComment()
    if (!isAuthor(actor, comment)) throw notYours()
    if (expected !== undefined && comment.content !== expected) {
      throw new AppError('conflict', 'This comment has been changed since.')
    }
    if (comment.content !== content) {
      const actorId = actor.id
      await updateCommentRow(tx, id, { content, edited_at: clock() })
      await commentsChanged(deps, tx, album.id, { actorId, act: 'album.edit-comment', before: kept(comment) })
      await notifyOfAlbumComment(deps, tx, { actorId, commentId: id, content, contentBefore: comment.content, album })
    }
    return presentNote(await shownComment(tx, id))
  })
}

/** The author, who made the album unless they are a viewer by now, and admins. */
export async function deleteComment(deps: AlbumDeps, actor: Actor, id: number): Promise<void> {
  await deps.db.transaction(async tx => {
    const { comment, album } = await lockComment(deps, tx, id)
    if (comment.deleted_at !== null) throw noSuchComment()
    const isModerator = can(actor.role, 'albums.edit') && owns(actor, album)
    if (!isAuthor(actor, comment) && !isModerator) throw notYours()
    await updateCommentRow(tx, id, { deleted_at: deps.clock(), deleted_by: actor.id })
    const entry = { actorId: actor.id, act: 'album.delete-comment' as const, before: kept(comment) }
    await commentsChanged(deps, tx, album.id, entry)
  })
}

/** Nobody is notified again. */
export async function restoreComment(deps: AlbumDeps, actor: Actor, id: number): Promise<Note> {
  return deps.db.transaction(async tx => {
    const { comment, album } = await lockComment(deps, tx, id)
    const isRecent = comment.deleted_at !== null && comment.deleted_at >= deps.clock() - deps.trashDays * DAY
    const isModerator = can(actor.role, 'albums.edit') && comment.deleted_by === actor.id
    const isTheirs = isAuthor(actor, comment) || isModerator
    if (!isRecent || !isTheirs) throw noSuchComment()
    await updateCommentRow(tx, id, { deleted_at: null, deleted_by: null })
    await commentsChanged(deps, tx, album.id, { actorId: actor.id, act: 'album.restore-comment' })
    return presentNote(await shownComment(tx, id))
  })
}

/** Deleted comments too. The album is locked first, so that changes of its comments are serialised. */
async function lockComment(
  { db }: AlbumDeps,
  tx: Tx,
  id: number,
): Promise<{ comment: AlbumCommentRow; album: AlbumRow }> {
  const found = await commentById(tx, id)
  const album = found && (await lockAlbum(db, tx, found.album_id))
  const comment = album && (await commentById(tx, id))
  if (!comment) throw noSuchComment()
  return { comment, album }
}

/** Or somebody who may change what others write. */
function isAuthor({ id, role }: Actor, { author_id }: AlbumCommentRow): boolean {
  return author_id === id || can(role, 'comments.edit-others')
}

function noSuchComment(): AppError {
  return new AppError('not_found', 'There is no such comment any more.')
}

function notYours(): AppError {
  return new AppError('forbidden', 'Only the person who wrote this comment, or an admin, can change it.')
}

async function commentsChanged(
  { db, clock }: AlbumDeps,
  tx: Tx,
  albumId: number,
  entry: AlbumAuditEntry,
): Promise<void> {
  await recordAudit(tx, [{ ...entry, at: clock(), subject: { type: 'album', id: albumId } }])
  await announce(db, tx, { kind: 'album-comments', album_id: albumId }, 'everyone')
}

function kept({ id, author_id, content }: AlbumCommentRow) {
  return { comment_id: id, author_id, content }
}
