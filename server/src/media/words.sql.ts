import { sql } from 'kysely'
import type { Handle, Tx } from '../db/schema.ts'

/** Both engines bound the number of values in one statement. */
const AT_ONCE = 1_000

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
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    await tx
      .updateTable('media')
      .set({ search_text: sql`search_text || ${`\n${line}`}` })
      .where('id', 'in', ids.slice(at, at + AT_ONCE))
      .execute()
  }
}
