import type { Kysely } from 'kysely'

/** When the deletes began that a notification tells the uploader of. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('notifications').addColumn('deleted_since', 'bigint').execute()
}
