import type { Tx } from '../db/schema.ts'
import { mediaById, updateMedia } from './media.sql.ts'
import { appendToSearchText, wordsOn } from './words.sql.ts'
import { naturalKey, searchable, searchText } from './words.ts'

/** To be called in the transaction that changes anything a search looks in or a list sorts by. */
export async function refreshWords(tx: Tx, mediaId: number): Promise<void> {
  const row = await mediaById(tx, mediaId)
  if (!row) return
  await updateMedia(tx, mediaId, {
    name_sort: naturalKey(row.original_name),
    location_sort: searchable(row.location ?? ''),
    search_text: searchText({
      name: row.original_name,
      location: row.location,
      camera: row.camera,
      ...(await wordsOn(tx, mediaId)),
    }),
  })
}

/** The same for a word that many files get at once. */
export async function addSearchedWord(tx: Tx, ids: readonly number[], word: string): Promise<void> {
  await appendToSearchText(tx, ids, searchable(word))
}
