import type { Handle } from '../../db/schema.ts'
import { inChunks } from '../../kit/in-chunks.ts'

export interface ZippedPart {
  media_id: number
  kind: string
  key: string
  size: number
  original_name: string
  date_sort: number
}

/** What was uploaded of each file that is still there, in the order of the ids. */
export async function findZipFiles(handle: Handle, ids: readonly number[]): Promise<ZippedPart[]> {
  const wanted = [...new Set(ids)]
  const found: ZippedPart[] = []
  for (const some of inChunks(wanted)) {
    const parts = await handle
      .selectFrom('media')
      .innerJoin('media_parts', 'media_parts.media_id', 'media.id')
      .select([
        'media_parts.media_id',
        'media_parts.kind',
        'media_parts.key',
        'media_parts.size',
        'media.original_name',
        'media.date_sort',
      ])
      .where('media.id', 'in', some)
      .where('media.deleted_at', 'is', null)
      .where('media_parts.kind', 'in', ['original', 'motion'])
      // 'original' after 'motion' by letters: the still comes first.
      .orderBy('media_parts.kind', 'desc')
      .execute()
    const place = new Map(some.map((id, i) => [id, i]))
    found.push(...parts.sort((a, b) => (place.get(a.media_id) ?? 0) - (place.get(b.media_id) ?? 0)))
  }
  return found
}
