import type { Handle } from '../db/schema.ts'
import { chunks } from './media.sql.ts'

/** Files that are not deleted, each with the key of its small picture. */
export async function findCards(handle: Handle, ids: readonly number[]) {
  const some = (part: readonly number[]) =>
    handle
      .selectFrom('media')
      .leftJoin('media_parts', join =>
        join.onRef('media_parts.media_id', '=', 'media.id').on('media_parts.kind', '=', 'thumbnail'),
      )
      .select(['id', 'original_name', 'file_type', 'media.width', 'media.height', 'thumbhash', 'key as thumbnail_key'])
      .where('id', 'in', part)
      .where('deleted_at', 'is', null)
      .execute()
  return (await Promise.all(chunks(ids).map(some))).flat()
}
