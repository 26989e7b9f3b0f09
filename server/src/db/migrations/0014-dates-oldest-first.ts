import { type Kysely, sql } from 'kysely'

/** For lists of a folder or of a type with the oldest first: without these, all of their files would be sorted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['file_type', 'folder_id']) {
    await db.schema
      .createIndex(`media_${column}_date_sort_asc_idx`)
      .on('media')
      .columns([column, 'date_sort_asc', 'id', 'proportion', 'deleted_at'])
      .where(sql.ref('deleted_at'), 'is', null)
      .execute()
  }
}
