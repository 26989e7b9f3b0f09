import { sql } from 'kysely'
import { inChunks } from '../db/in-chunks.ts'
import type { Handle, Tx } from '../db/schema.ts'

/** What the family added to a file by way of words. */
export async function wordsOn(handle: Handle, mediaId: number): Promise<{ tags: string[]; notes: string[] }> {
  const tags = await handle
    .selectFrom('media_tags')
    .innerJoin('tags', 'tags.id', 'media_tags.tag_id')
    .select('tags.name')
    .where('media_tags.media_id', '=', mediaId)
    .orderBy('tags.id')
    .execute()
  const notes = await handle
    .selectFrom('notes')
    .select('content')
    .where('media_id', '=', mediaId)
    .orderBy('id')
    .execute()
  return { tags: tags.map(tag => tag.name), notes: notes.map(note => note.content) }
}

/** For many files at once: reading each of them to write its words anew would take long. */
export async function appendToSearchText(tx: Tx, ids: readonly number[], line: string): Promise<void> {
  for (const some of inChunks(ids)) {
    await tx
      .updateTable('media')
      .set({ search_text: sql`search_text || ${`\n${line}`}` })
      .where('id', 'in', some)
      .execute()
  }
}
