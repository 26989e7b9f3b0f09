import type { Kysely } from 'kysely'

/** Which browser a session was issued to, until the page there has confirmed it; and what a demo account was before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('sessions').addColumn('browser_hash', 'text').execute()
  await db.schema.alterTable('sessions').addColumn('confirm_until', 'bigint').execute()
  await db.schema.alterTable('people').addColumn('active_status', 'text').execute()
}
