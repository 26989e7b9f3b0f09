import { type Kysely, sql } from 'kysely'

/** Sums the files of a month without reading the table, which needs `deleted_at` in the index too. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('media_uploaded_at_idx')
    .on('media')
    .columns(['uploaded_at', 'file_size', 'deleted_at'])
    .where(sql.ref('deleted_at'), 'is', null)
    .execute()
}
