import type { Kysely } from 'kysely'

/** The language that a person has chosen. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('people').addColumn('language', 'text').execute()
}
