import type { Kysely } from 'kysely'

/** The writer's own id of a note or comment, by which sending it twice makes one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('comments').addColumn('client_id', 'text').execute()
  await db.schema
    .createIndex('comments_author_id_client_id_key')
    .on('comments')
    .columns(['author_id', 'client_id'])
    .unique()
    .execute()
}
