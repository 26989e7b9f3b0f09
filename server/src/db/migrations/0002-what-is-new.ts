import { type Kysely, sql } from 'kysely'

/** The cards above the photos: which ones people have put away, and indexes for what is new. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('put_away_cards')
    .addColumn('person_id', 'bigint', c => c.notNull().references('people.id'))
    .addColumn('card', 'text', c => c.notNull())
    .addColumn('until', 'bigint', c => c.notNull())
    .addColumn('put_away_at', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('put_away_cards_pkey', ['person_id', 'card'])
    .execute()
  // Also for the list by date added: with the proportion for its layout, and with what the cards count.
  await db.schema
    .createIndex('media_added_idx')
    .on('media')
    .columns(['uploaded_at', 'id', 'proportion', 'deleted_at', 'uploaded_by', 'file_type'])
    .where(sql.ref('deleted_at'), 'is', null)
    .execute()
  await db.schema.createIndex('hearts_created_at_idx').on('hearts').column('created_at').execute()
}
