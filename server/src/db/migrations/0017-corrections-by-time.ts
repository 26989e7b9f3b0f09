import { type Kysely, sql } from 'kysely'

/** Finds the files that were corrected together, to undo that later. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('media_corrected_at_idx')
    .on('media')
    .columns(['corrected_at', 'corrected_by'])
    .where(sql.ref('corrected_at'), 'is not', null)
    .execute()
}
