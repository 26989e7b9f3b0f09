import type { Kysely } from 'kysely'
import type { EngineTools } from '../engine.ts'

/** The devices that get notifications, each as long as its session. */
export async function up(db: Kysely<unknown>, { withId }: EngineTools): Promise<void> {
  await withId(db.schema.createTable('push_subscriptions'))
    .addColumn('person_id', 'bigint', c => c.notNull().references('people.id'))
    .addColumn('session_hash', 'text', c => c.notNull().unique().references('sessions.token_hash').onDelete('cascade'))
    .addColumn('endpoint', 'text', c => c.notNull().unique())
    .addColumn('p256dh', 'text', c => c.notNull())
    .addColumn('auth', 'text', c => c.notNull())
    .addColumn('language', 'text', c => c.notNull())
    .addColumn('time_zone', 'text', c => c.notNull())
    .addColumn('kinds', 'text', c => c.notNull())
    .addColumn('previews', 'integer', c => c.notNull())
    .addColumn('quiet_from', 'integer')
    .addColumn('quiet_until', 'integer')
    .addColumn('photos_since', 'bigint', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .execute()
  await db.schema.createIndex('push_subscriptions_person_id_idx').on('push_subscriptions').column('person_id').execute()
}
