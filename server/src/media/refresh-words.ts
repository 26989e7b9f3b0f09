import type { Tx } from '../db/schema.ts'
import { searchable } from '../kit/searchable.ts'
import { mediaById, updateMedia } from './media.sql.ts'
import { writeFileTexts } from './words.sql.ts'
import { naturalKey } from './words.ts'

/** To be called in the transaction that changes a file's name, place or camera. */
export async function refreshWords(tx: Tx, mediaId: number): Promise<void> {
  const row = await mediaById(tx, mediaId)
  if (!row) return
  await updateMedia(tx, mediaId, {
    name_sort: naturalKey(row.original_name),
    location_sort: searchable(row.location ?? ''),
  })
  await writeFileTexts(tx, [row])
}
