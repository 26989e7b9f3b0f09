import type { Kysely } from 'kysely'

/** One line of words for each file, and whether a link shows them to guests. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('media').addColumn('caption', 'text').execute()
  await db.schema.alterTable('media').addColumn('caption_source', 'text').execute()
  await db.schema
    .alterTable('links')
    .addColumn('captions', 'bigint', c => c.notNull().defaultTo(0))
    .execute()
}
