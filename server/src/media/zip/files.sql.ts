import type { Handle } from '../../db/schema.ts'

export interface ZippedPart {
  media_id: number
  kind: string
  key: string
  size: number
  original_name: string
  date_sort: number
}

/** Both engines bound the number of values in one statement. */
const AT_ONCE = 1_000

/** What was uploaded of each file that is still there, in the order of the ids. */
export async function filesForZip(handle: Handle, ids: readonly number[]): Promise<ZippedPart[]> {
  const wanted = [...new Set(ids)]
  const found: ZippedPart[] = []
  for (let at = 0; at < wanted.length; at += AT_ONCE) {
    const some = wanted.slice(at, at + AT_ONCE)
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
