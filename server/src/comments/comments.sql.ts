import { newestFirst, type PageBefore } from '../db/newest-first.ts'
import type { CommentRow, Handle, NewComment, Tx } from '../db/schema.ts'
import { inChunks } from '../kit/in-chunks.ts'
import { searchable } from '../kit/searchable.ts'

/** What a comment is about; the other column is null. */
export type SubjectColumn = 'media_id' | 'album_id'

function shown(handle: Handle) {
  return handle
    .selectFrom('comments')
    .innerJoin('people', 'people.id', 'comments.author_id')
    .select(['comments.id', 'content', 'username', 'name', 'created_at', 'edited_at'])
    .where('deleted_at', 'is', null)
}

export type ShownComment = Awaited<ReturnType<typeof shownComment>>

/** The latest ones, oldest first. */
export async function commentsOn(
  handle: Handle,
  column: SubjectColumn,
  id: number,
  page: PageBefore,
): Promise<ShownComment[]> {
  const comments = shown(handle).where(column, '=', id)
  return (await newestFirst(comments, 'comments.id', page).execute()).toReversed()
}

export async function shownComment(handle: Handle, id: number) {
  return shown(handle).where('comments.id', '=', id).executeTakeFirstOrThrow()
}

function commentsBy(handle: Handle, authorId: number) {
  return handle
    .selectFrom('comments')
    .select(['comments.id', 'comments.content', 'comments.created_at'])
    .where('comments.author_id', '=', authorId)
    .where('comments.deleted_at', 'is', null)
}

/** Newest first, on files that are not deleted. */
export async function notesBy(handle: Handle, authorId: number, page: PageBefore) {
  const notes = commentsBy(handle, authorId)
    .innerJoin('media', 'media.id', 'comments.media_id')
    .select(['media.id as media_id', 'media.original_name as media_name'])
    .where('media.deleted_at', 'is', null)
  return newestFirst(notes, 'comments.id', page).execute()
}

/** Newest first, on albums that are not deleted. */
export async function albumCommentsBy(handle: Handle, authorId: number, page: PageBefore) {
  const comments = commentsBy(handle, authorId)
    .innerJoin('albums', 'albums.id', 'comments.album_id')
    .select(['albums.id as album_id', 'albums.title as album_title'])
    .where('albums.deleted_at', 'is', null)
  return newestFirst(comments, 'comments.id', page).execute()
}

/** Deleted ones too. */
export async function findComment(handle: Handle, id: number): Promise<CommentRow | undefined> {
  return handle.selectFrom('comments').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Undefined for a duplicate: the author already used this client id. */
export async function insertComment(tx: Tx, comment: Omit<NewComment, 'search_text'>): Promise<number | undefined> {
  const inserted = await tx
    .insertInto('comments')
    .values({ ...comment, search_text: searchable(comment.content) })
    .onConflict(conflict => conflict.columns(['author_id', 'client_id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted?.id
}

/** Deleted ones too. */
export async function commentByClientId(tx: Tx, authorId: number, clientId: string): Promise<CommentRow | undefined> {
  return tx
    .selectFrom('comments')
    .selectAll()
    .where('author_id', '=', authorId)
    .where('client_id', '=', clientId)
    .executeTakeFirst()
}

/** Without deleted ones. */
export async function commentsByClientId(tx: Tx, clientIds: readonly string[]): Promise<CommentRow[]> {
  const comments: CommentRow[] = []
  for (const some of inChunks(clientIds)) {
    const query = tx.selectFrom('comments').selectAll().where('client_id', 'in', some).where('deleted_at', 'is', null)
    comments.push(...(await query.execute()))
  }
  return comments
}

export async function updateContent(tx: Tx, id: number, content: string, editedAt: number): Promise<void> {
  const change = { content, search_text: searchable(content), edited_at: editedAt }
  await tx.updateTable('comments').set(change).where('id', '=', id).execute()
}

export async function markDeleted(
  tx: Tx,
  id: number,
  deleted: Pick<CommentRow, 'deleted_at' | 'deleted_by'>,
): Promise<void> {
  await tx.updateTable('comments').set(deleted).where('id', '=', id).execute()
}

/** Removes for good what was deleted before this time. */
export async function purgeComments(tx: Tx, before: number): Promise<void> {
  await tx.deleteFrom('comments').where('deleted_at', '<', before).execute()
}
