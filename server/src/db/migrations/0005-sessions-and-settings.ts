import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('sessions').addColumn('device', 'text').execute()

  for (const column of ['provider_name', 'provider_picture', 'start_view', 'start_sort']) {
    await db.schema.alterTable('people').addColumn(column, 'text').execute()
  }

  await db.schema
    .createTable('muted_notifications')
    .addColumn('person_id', 'bigint', c => c.notNull().references('people.id'))
    .addColumn('kind', 'text', c => c.notNull())
    .addPrimaryKeyConstraint('muted_notifications_pkey', ['person_id', 'kind'])
    .execute()
}
