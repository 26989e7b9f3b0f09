import type { Kysely } from 'kysely'

/** Places that people have set or cleared, beside those of the cameras. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('place_corrections')
    .addColumn('media_id', 'bigint', c => c.primaryKey().references('media.id').onDelete('cascade'))
    .addColumn('kind', 'text', c => c.notNull())
    .addColumn('latitude', 'double precision')
    .addColumn('longitude', 'double precision')
    .addColumn('location', 'text')
    .addColumn('corrected_by', 'bigint', c => c.notNull().references('people.id'))
    .addColumn('corrected_at', 'bigint', c => c.notNull())
    .addColumn('change_id', 'text', c => c.notNull())
    .addColumn('camera_latitude', 'double precision')
    .addColumn('camera_longitude', 'double precision')
    .addColumn('camera_location', 'text')
    .addColumn('previous_kind', 'text')
    .addColumn('previous_latitude', 'double precision')
    .addColumn('previous_longitude', 'double precision')
    .addColumn('previous_location', 'text')
    .addColumn('previous_by', 'bigint', c => c.references('people.id'))
    .addColumn('previous_at', 'bigint')
    .execute()
  await db.schema
    .createIndex('place_corrections_change_id_idx')
    .on('place_corrections')
    .columns(['change_id', 'media_id'])
    .execute()
}
