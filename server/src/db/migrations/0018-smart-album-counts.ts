import type { Kysely } from 'kysely'

/** What the search of each smart album finds, counted in the background. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('smart_album_counts')
    .addColumn('album_id', 'bigint', column => column.primaryKey().references('albums.id').onDelete('cascade'))
    .addColumn('files', 'bigint', column => column.notNull())
    .addColumn('videos', 'bigint', column => column.notNull())
    .addColumn('first_date', 'bigint')
    .addColumn('last_date', 'bigint')
    .addColumn('cover_id', 'bigint')
    .addColumn('counted_at', 'bigint', column => column.notNull())
    .execute()
}
