import type { Kysely } from 'kysely'

/** A ZIP order belongs to the session that made it. Older orders name none; they last for minutes and can be made again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('zip_orders').addColumn('session_hash', 'text').execute()
}
