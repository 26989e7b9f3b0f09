import { type Kysely, sql } from 'kysely'

/**
 * Where the date of a file is from, and how exact it is: unknown (null) for files from before. The file's own date and the
 * name it arrived with are kept, since dates are read from them again when a file is prepared again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of ['date_source', 'date_precision', 'uploaded_name']) {
    await db.schema.alterTable('media').addColumn(column, 'text').execute()
  }
  await db.schema.alterTable('media').addColumn('file_date', 'bigint').execute()
  // Without a camera's clock a file was listed under its own date, else under that of its upload.
  await sql`
    update media set file_date = date_sort where taken_local is null and date_sort <> uploaded_at
  `.execute(db)
}
