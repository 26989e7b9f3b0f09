import { sql } from 'kysely'
import type { Tag } from '#contract/tags.ts'
import type { Handle, TagRow, Tx } from '../db/schema.ts'
import { inChunks } from '../kit/in-chunks.ts'
import { searchable } from '../kit/searchable.ts'

/**
 * The tags of files that are not deleted, most used first. Counts all uses from an index and subtracts the few of
 * deleted files: joining every file of every tag would take half a second.
 */
export async function usedTags(handle: Handle): Promise<(Tag & { file_count: number })[]> {
  const uses = handle
    .selectFrom('media_tags')
    .select(({ fn }) => ['tag_id', fn.countAll<number>().as('files')])
    .groupBy('tag_id')
  const deletedFiles = handle.selectFrom('media').select('id').where('deleted_at', 'is not', null)
  const usesByDeleted = uses.where('media_id', 'in', deletedFiles)
  const fileCount = sql<number>`uses.files - coalesce(deleted.files, 0)`
  return handle
    .selectFrom('tags')
    .innerJoin(uses.as('uses'), 'uses.tag_id', 'tags.id')
    .leftJoin(usesByDeleted.as('deleted'), 'deleted.tag_id', 'tags.id')
    .select(['tags.id', 'tags.name', fileCount.as('file_count')])
    .where(fileCount, '>', 0)
    .orderBy('file_count', 'desc')
    .orderBy('tags.name_key')
    .execute()
}

export async function findTag(handle: Handle, id: number): Promise<Tag | undefined> {
  return handle.selectFrom('tags').select(['id', 'name']).where('id', '=', id).executeTakeFirst()
}

export async function tagsOf(handle: Handle, mediaId: number): Promise<Tag[]> {
  return handle
    .selectFrom('media_tags')
    .innerJoin('tags', 'tags.id', 'media_tags.tag_id')
    .select(['tags.id', 'tags.name'])
    .where('media_tags.media_id', '=', mediaId)
    .orderBy('tags.name_key')
    .execute()
}

/** Upsert: concurrent calls with the same name get the same tag. */
export async function ensureTag(tx: Tx, name: string, nameKey: string): Promise<TagRow> {
  const made = await tx
    .insertInto('tags')
    .values({ name, name_key: nameKey, search_text: searchable(name) })
    .onConflict(conflict => conflict.column('name_key').doNothing())
    .returningAll()
    .executeTakeFirst()
  return made ?? (await tx.selectFrom('tags').selectAll().where('name_key', '=', nameKey).executeTakeFirstOrThrow())
}

/** An unused tag takes the spelling of the person who uses it again. */
export async function respellUnused(tx: Tx, id: number, name: string): Promise<TagRow | undefined> {
  return tx
    .updateTable('tags')
    .set({ name, search_text: searchable(name) })
    .where('id', '=', id)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('media_tags').select('tag_id').where('media_tags.tag_id', '=', id))),
    )
    .returningAll()
    .executeTakeFirst()
}

export interface MediaTag {
  media_id: number
  added_at: number
  added_by: number
}

/** Returns the files that had it, with who had added it. */
export async function deleteMediaTags(tx: Tx, mediaIds: readonly number[], tagId: number): Promise<MediaTag[]> {
  const removed: MediaTag[] = []
  for (const some of inChunks(mediaIds)) {
    const rows = await tx
      .deleteFrom('media_tags')
      .where('media_id', 'in', some)
      .where('tag_id', '=', tagId)
      .returning(['media_id', 'added_at', 'added_by'])
      .execute()
    removed.push(...rows)
  }
  return removed
}

/** Returns the files that did not have the tag yet. */
export async function insertMediaTags(tx: Tx, tagId: number, added: readonly MediaTag[]): Promise<number[]> {
  const tagged: number[] = []
  for (const some of inChunks(added)) {
    const rows = await tx
      .insertInto('media_tags')
      .values(some.map(row => ({ ...row, tag_id: tagId })))
      .onConflict(conflict => conflict.columns(['media_id', 'tag_id']).doNothing())
      .returning('media_id')
      .execute()
    tagged.push(...rows.map(row => row.media_id))
  }
  return tagged
}
