import type { Kysely } from 'kysely'

/** What a person wrote, newest first. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('notes_author_id_idx').on('notes').columns(['author_id', 'id']).execute()
  await db.schema
    .createIndex('album_comments_author_id_idx')
    .on('album_comments')
    .columns(['author_id', 'id'])
    .execute()
}
