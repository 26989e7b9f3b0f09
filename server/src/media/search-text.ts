import type { Tx } from '../db/schema.ts'
import { searchable } from '../kit/searchable.ts'
import { findMedia, updateMedia } from './media.sql.ts'
import { upsertSearchTexts } from './search-text.sql.ts'

/** To be called in the transaction that changes a file's name, location or camera. */
export async function updateSearchText(tx: Tx, mediaId: number): Promise<void> {
  const row = await findMedia(tx, mediaId)
  if (!row) return
  await updateMedia(tx, mediaId, {
    name_sort: naturalSortKey(row.original_name),
    location_sort: searchable(row.location ?? ''),
  })
  await upsertSearchTexts(tx, [row])
}

/** The searchable text of a file itself; notes and tags have their own. */
export function searchTextOf(file: {
  original_name: string
  location?: string | null
  camera?: string | null
}): string {
  // Separated by line breaks, so that no word matches across two of them.
  return [file.original_name, file.location, file.camera]
    .filter(Boolean)
    .map(words => searchable(words ?? ''))
    .join('\n')
}

/** Natural sort order: IMG_2 before IMG_10. Each number is prefixed with its number of digits. */
export function naturalSortKey(name: string): string {
  return searchable(name).replace(/\d+/g, digits => {
    const number = digits.replace(/^0+(?=\d)/, '')
    return `${String(number.length).padStart(3, '0')}${number}`
  })
}
