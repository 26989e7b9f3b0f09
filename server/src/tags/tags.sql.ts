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

export async function tagName(handle: Handle, id: number): Promise<string | undefined> {
  const row = await handle.selectFrom('tags').select('name').where('id', '=', id).executeTakeFirst()
  return row?.name
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

/** The tag names of each file, for the audit log; at most `most` for a single file. Files without tags are missing. */
export async function tagNamesOf(
  handle: Handle,
  mediaIds: readonly number[],
  most: number,
): Promise<Map<number, string[]>> {
  const names = new Map<number, string[]>()
  if (mediaIds.length === 1) {
    const [id = 0] = mediaIds
    const own = await handle
      .selectFrom('media_tags')
      .innerJoin('tags', 'tags.id', 'media_tags.tag_id')
      .select(['tags.name', 'tags.name_key'])
      .where('media_tags.media_id', '=', id)
      .orderBy('media_tags.tag_id')
      .limit(most)
      .execute()
    own.sort((a, b) => (a.name_key < b.name_key ? -1 : 1))
    return own.length > 0
      ? names.set(
          id,
          own.map(tag => tag.name),
        )
      : names
  }
  for (const some of inChunks(mediaIds)) {
    const rows = await handle
      .selectFrom('media_tags')
      .innerJoin('tags', 'tags.id', 'media_tags.tag_id')
      .select(['media_tags.media_id', 'tags.name'])
      .where('media_tags.media_id', 'in', some)
      .orderBy('tags.name_key')
      .execute()
    for (const { media_id, name } of rows) {
      const own = names.get(media_id)
      if (!own) names.set(media_id, [name])
      else if (own.length < most) own.push(name)
    }
  }
  return names
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

/** Returns the files that did not have the tag yet. */
export async function insertMediaTags(
  tx: Tx,
  mediaIds: readonly number[],
  tag: { tagId: number; by: number; at: number },
): Promise<number[]> {
  const tagged: number[] = []
  for (const some of inChunks(mediaIds)) {
    const rows = await tx
      .insertInto('media_tags')
      .values(some.map(media_id => ({ media_id, tag_id: tag.tagId, added_at: tag.at, added_by: tag.by })))
      .onConflict(conflict => conflict.columns(['media_id', 'tag_id']).doNothing())
      .returning('media_id')
      .execute()
    tagged.push(...rows.map(row => row.media_id))
  }
  return tagged
}

/** Returns the files that had it. */
export async function deleteMediaTags(tx: Tx, mediaIds: readonly number[], tagId: number): Promise<number[]> {
  const untagged: number[] = []
  for (const some of inChunks(mediaIds)) {
    const rows = await tx
      .deleteFrom('media_tags')
      .where('media_id', 'in', some)
      .where('tag_id', '=', tagId)
      .returning('media_id')
      .execute()
    untagged.push(...rows.map(row => row.media_id))
  }
  return untagged
}
