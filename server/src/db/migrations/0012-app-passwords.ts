import type { Kysely } from 'kysely'
import type { EngineTools } from '../engine.ts'

/** Passwords for programs, made by people for themselves. */
export async function up(db: Kysely<unknown>, { withId }: EngineTools): Promise<void> {
  await withId(db.schema.createTable('app_passwords'))
    .addColumn('person_id', 'bigint', c => c.notNull().references('people.id'))
    .addColumn('token_hash', 'text', c => c.notNull().unique())
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('scope', 'text', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('last_used_at', 'bigint')
    .addColumn('last_used_address', 'text')
    .execute()
  await db.schema.createIndex('app_passwords_person_id_idx').on('app_passwords').column('person_id').execute()
}
