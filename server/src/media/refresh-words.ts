import type { Tx } from '../db/schema.ts'
import { searchable } from '../kit/searchable.ts'
import { findMedia, updateMedia } from './media.sql.ts'
import { upsertSearchTexts } from './words.sql.ts'
import { naturalSortKey } from './words.ts'

/** To be called in the transaction that changes a file's name, place or camera. */
export async function updateSearchText(tx: Tx, mediaId: number): Promise<void> {
  const row = await findMedia(tx, mediaId)
  if (!row) return
  await updateMedia(tx, mediaId, {
    name_sort: naturalSortKey(row.original_name),
    location_sort: searchable(row.location ?? ''),
  })
  await upsertSearchTexts(tx, [row])
}
