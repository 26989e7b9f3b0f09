import { type Kysely, sql } from 'kysely'

/** Adds hearts: each person's favourites. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('hearts')
    .addColumn('media_id', 'bigint', c => c.notNull().references('media.id').onDelete('cascade'))
    .addColumn('person_id', 'bigint', c => c.notNull().references('people.id'))
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('notification_id', 'bigint', c => c.references('notifications.id').onDelete('set null'))
    .addPrimaryKeyConstraint('hearts_pkey', ['media_id', 'person_id'])
    .execute()
  await db.schema.createIndex('hearts_person_id_idx').on('hearts').columns(['person_id', 'media_id']).execute()
  // For the text of a notification, and for deleting one.
  await db.schema
    .createIndex('hearts_notification_id_idx')
    .on('hearts')
    .columns(['notification_id', 'media_id', 'person_id'])
    .where(sql.ref('notification_id'), 'is not', null)
    .execute()
}
