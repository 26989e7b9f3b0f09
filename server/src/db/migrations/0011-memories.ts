import type { Kysely } from 'kysely'

/** Memories ("On this day"): what people have hidden; and their visits, for what is new since the last one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('visits')
    .addColumn('person_id', 'bigint', c => c.primaryKey().references('people.id'))
    .addColumn('seen_at', 'bigint')
    .addColumn('new_since', 'bigint')
    .addColumn('memories_closed_day', 'bigint')
    .addColumn('memories_notified_day', 'bigint')
    .execute()
  await db.schema
    .createTable('hidden_memory_days')
    .addColumn('person_id', 'bigint', c => c.notNull().references('people.id'))
    .addColumn('day', 'bigint', c => c.notNull())
    .addColumn('hidden_at', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('hidden_memory_days_pkey', ['person_id', 'day'])
    .execute()
  await db.schema
    .createTable('hidden_memories')
    .addColumn('person_id', 'bigint', c => c.notNull().references('people.id'))
    .addColumn('media_id', 'bigint', c => c.notNull().references('media.id').onDelete('cascade'))
    .addColumn('hidden_at', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('hidden_memories_pkey', ['person_id', 'media_id'])
    .execute()
  // For the foreign key: purging a file.
  await db.schema.createIndex('hidden_memories_media_id_idx').on('hidden_memories').column('media_id').execute()
  await db.schema
    .createTable('wanted_notifications')
    .addColumn('person_id', 'bigint', c => c.notNull().references('people.id'))
    .addColumn('kind', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('wanted_notifications_pkey', ['person_id', 'kind'])
    .execute()
  await db.schema.alterTable('notifications').addColumn('memory_day', 'bigint').execute()
}
