import type { Kysely } from 'kysely'

/** What a page needs to know to play a file: whether a picture moves, and which devices play a video. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('media')
    .addColumn('animated', 'integer', c => c.notNull().defaultTo(0))
    .execute()
  await db.schema.alterTable('media').addColumn('playback_type', 'text').execute()
  await db.schema.alterTable('media').addColumn('compatible_progress', 'integer').execute()
  await db.schema.alterTable('media').addColumn('compatible_failure', 'text').execute()
}
