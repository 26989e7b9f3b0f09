import type { Kysely } from 'kysely'
import type { EngineTools } from '../engine.ts'

/** Mails to be sent, who wants which, and what admins have been mailed of. */
export async function up(db: Kysely<unknown>, { withId }: EngineTools): Promise<void> {
  await withId(db.schema.createTable('mails'))
    .addColumn('message_id', 'text', c => c.notNull())
    .addColumn('kind', 'text', c => c.notNull())
    .addColumn('person_id', 'bigint', c => c.references('people.id'))
    .addColumn('payload', 'text', c => c.notNull())
    .addColumn('once', 'text', c => c.unique())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('ended_at', 'bigint')
    .addColumn('outcome', 'text')
    .addColumn('error', 'text')
    .addColumn('error_at', 'bigint')
    .execute()
  await db.schema.createIndex('mails_person_id_idx').on('mails').columns(['person_id', 'kind', 'created_at']).execute()
  await db.schema
    .createTable('mail_recipients')
    .addColumn('person_id', 'bigint', c => c.primaryKey().references('people.id'))
    .addColumn('language', 'text')
    .addColumn('digest', 'text')
    .addColumn('digest_since', 'bigint')
    .addColumn('digest_day', 'bigint')
    .execute()
  await db.schema
    .createTable('mail_alerts')
    .addColumn('name', 'text', c => c.primaryKey())
    .addColumn('since', 'bigint', c => c.notNull())
    .execute()
}
