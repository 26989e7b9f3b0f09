import { type Kysely, sql } from 'kysely'

/** For the map and for the filter by a part of it. With what the timeline reads, so that it reads the index alone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('media_latitude_longitude_idx')
    .on('media')
    .columns(['latitude', 'longitude', 'id', 'date_sort', 'day', 'proportion', 'deleted_at'])
    .where(sql<boolean>`deleted_at is null and latitude is not null`)
    .execute()
}
