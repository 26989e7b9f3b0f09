import type { MediaRow, Tx } from '../db/schema.ts'
import { inChunks } from '../kit/in-chunks.ts'
import { searchTextOf } from './search-text.ts'

/** To be called for every row that is added to `media`, or of which one of these columns changes. */
export async function upsertSearchTexts(
  tx: Tx,
  files: readonly Pick<MediaRow, 'id' | 'original_name' | 'caption' | 'location' | 'camera' | 'sent_by'>[],
): Promise<void> {
  for (const some of inChunks(files)) {
    await tx
      .insertInto('media_search_texts')
      .values(some.map(file => ({ media_id: file.id, search_text: searchTextOf(file) })))
      .onConflict(conflict =>
        conflict.column('media_id').doUpdateSet(({ ref }) => ({ search_text: ref('excluded.search_text') })),
      )
      .execute()
  }
}
