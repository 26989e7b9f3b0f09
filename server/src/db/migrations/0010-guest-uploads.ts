import { type Kysely, sql } from 'kysely'
import type { EngineTools } from '../engine.ts'

/** Links by which guests send files to an album. */
export async function up(db: Kysely<unknown>, { withId }: EngineTools): Promise<void> {
  // Not `album_id`: a server of an earlier version would show the album to guests.
  await db.schema
    .alterTable('links')
    .addColumn('inbox_album_id', 'bigint', c => c.references('albums.id').onDelete('cascade'))
    .execute()
  await db.schema.alterTable('links').addColumn('most_files', 'bigint').execute()
  await db.schema.alterTable('links').addColumn('most_bytes', 'bigint').execute()
  await addIndex(db, 'links', 'inbox_album_id')

  await withId(db.schema.createTable('guests'))
    .addColumn('link_id', 'bigint', c => c.references('links.id').onDelete('set null'))
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .execute()
  await addIndex(db, 'guests', 'link_id')

  await withId(db.schema.createTable('guest_uploads'))
    .addColumn('upload_id', 'text', c => c.notNull().unique())
    .addColumn('link_id', 'bigint', c => c.references('links.id').onDelete('set null'))
    .addColumn('guest_id', 'bigint', c => c.notNull().references('guests.id'))
    .addColumn('album_id', 'bigint', c => c.references('albums.id').onDelete('set null'))
    .addColumn('state', 'text', c => c.notNull())
    .addColumn('name', 'text')
    .addColumn('size', 'bigint', c => c.notNull())
    .addColumn('begun_at', 'bigint', c => c.notNull())
    .addColumn('sent_at', 'bigint')
    .addColumn('media_id', 'bigint', c => c.references('media.id').onDelete('set null'))
    .addColumn('held_id', 'bigint', c => c.references('media.id').onDelete('set null'))
    .addColumn('added_to_album', 'bigint', c => c.notNull().defaultTo(0))
    .addColumn('decided_at', 'bigint')
    .addColumn('decided_by', 'bigint', c => c.references('people.id'))
    .execute()
  for (const column of ['link_id', 'album_id', 'media_id', 'held_id']) await addIndex(db, 'guest_uploads', column)
  await db.schema.createIndex('guest_uploads_guest_id_idx').on('guest_uploads').columns(['guest_id', 'id']).execute()
  await db.schema.createIndex('guest_uploads_state_idx').on('guest_uploads').columns(['state', 'id']).execute()

  await db.schema.alterTable('album_files').addColumn('guest', 'text').execute()
  await db.schema.alterTable('notifications').addColumn('guests_since', 'bigint').execute()
}

async function addIndex(db: Kysely<unknown>, table: string, column: string): Promise<void> {
  const index = db.schema.createIndex(`${table}_${column}_idx`).on(table).column(column)
  await index.where(sql.ref(column), 'is not', null).execute()
}
