import { type Kysely, sql } from 'kysely'

/** For the cleanup, which looks for what was removed a while ago: without an index it would read all rows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const [table, column] of [
    ['album_files', 'removed_at'],
    ['album_comments', 'deleted_at'],
  ] as const) {
    await db.schema
      .createIndex(`${table}_${column}_idx`)
      .on(table)
      .column(column)
      .where(sql.ref(column), 'is not', null)
      .execute()
  }
}
