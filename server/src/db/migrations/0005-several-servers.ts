import type { Kysely } from 'kysely'

/** What several servers must agree on from one moment to the next. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('rate_counts')
    .addColumn('key', 'text', c => c.primaryKey())
    .addColumn('time_window', 'bigint', c => c.notNull())
    .addColumn('acts', 'integer', c => c.notNull())
    .execute()

  await db.schema
    .createTable('upload_locks')
    .addColumn('upload_id', 'text', c => c.primaryKey())
    .addColumn('holder', 'text', c => c.notNull())
    .addColumn('held_until', 'bigint', c => c.notNull())
    .addColumn('wanted_at', 'bigint')
    .execute()
}
