import type { Kysely } from 'kysely'

/** Files that end before their content does. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['media', 'guest_uploads']) {
    await db.schema
      .alterTable(table)
      .addColumn('incomplete', 'integer', c => c.notNull().defaultTo(0))
      .execute()
    await db.schema.alterTable(table).addColumn('expected_size', 'bigint').execute()
  }
}
