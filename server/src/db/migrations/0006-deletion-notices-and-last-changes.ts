import type { Kysely } from 'kysely'

/** When the deletes began that a notification tells the uploader of, and an index for the last changes of a person. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('notifications').addColumn('deleted_since', 'bigint').execute()
  await db.schema.createIndex('changes_person_id_idx').on('changes').columns(['person_id', 'id']).execute()
}
