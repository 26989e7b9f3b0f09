import { type Kysely, sql } from 'kysely'

/** Photos of which only a part could be read are shown to admins beside the files that failed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('media')
    .addColumn('partly_damaged', 'integer', c => c.notNull().defaultTo(0))
    .execute()
  await db.schema.dropIndex('media_troubled').execute()
  await db.schema
    .createIndex('media_troubled')
    .on('media')
    .column('id')
    .where(sql<boolean>`status = 'failed' or damaged_at is not null or partly_damaged = 1`)
    .execute()
}
