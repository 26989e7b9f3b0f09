import { newestFirst, type PageBefore } from '../db/newest-first.ts'
import type { AlbumCommentRow, Handle, Tx } from '../db/schema.ts'

function shown(handle: Handle) {
  return handle
    .selectFrom('album_comments')
    .innerJoin('people', 'people.id', 'album_comments.author_id')
    .select(['album_comments.id', 'content', 'username', 'name', 'created_at', 'edited_at'])
    .where('deleted_at', 'is', null)
}
type ShownComment = Awaited<ReturnType<typeof commentsOf>>[number]

/** The latest ones, oldest first. */
export async function commentsOf(handle: Handle, albumId: number, page: PageBefore) {
  const comments = shown(handle).where('album_id', '=', albumId)
  return (await newestFirst(comments, 'album_comments.id', page).execute()).toReversed()
}

/** Newest first, on albums that are not deleted. */
export async function commentsBy(handle: Handle, authorId: number, page: PageBefore) {
  const comments = handle
    .selectFrom('album_comments as comment')
    .innerJoin('albums', 'albums.id', 'comment.album_id')
    .select(['comment.id', 'comment.content', 'comment.created_at', 'comment.album_id', 'albums.title as album_title'])
    .where('comment.author_id', '=', authorId)
    .where('comment.deleted_at', 'is', null)
    .where('albums.deleted_at', 'is', null)
  return newestFirst(comments, 'comment.id', page).execute()
}

export async function shownComment(handle: Handle, id: number): Promise<ShownComment> {
  return shown(handle).where('album_comments.id', '=', id).executeTakeFirstOrThrow()
}

/** Deleted ones too. */
export async function commentById(handle: Handle, id: number): Promise<AlbumCommentRow | undefined> {
  return handle.selectFrom('album_comments').selectAll().where('id', '=', id).executeTakeFirst()
}

type NewComment = Pick<AlbumCommentRow, 'album_id' | 'author_id' | 'content' | 'created_at'>

export async function insertComment(tx: Tx, comment: NewComment): Promise<number> {
  const { id } = await tx.insertInto('album_comments').values(comment).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function updateCommentRow(
  tx: Tx,
  id: number,
  change: Partial<Pick<AlbumCommentRow, 'content' | 'edited_at' | 'deleted_at' | 'deleted_by'>>,
): Promise<void> {
  await tx.updateTable('album_comments').set(change).where('id', '=', id).execute()
}
