import { type Kysely, sql } from 'kysely'

/** With what names and covers the clusters of the map, so that they read the index alone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex('media_latitude_longitude_idx').execute()
  await db.schema
    .createIndex('media_latitude_longitude_idx')
    .on('media')
    .columns(['latitude', 'longitude', 'id', 'location', 'status', 'date_sort', 'day', 'proportion', 'deleted_at'])
    .where(sql<boolean>`deleted_at is null and latitude is not null`)
    .execute()
}
