import type { Kysely } from 'kysely'
import type { EngineTools } from '../../engine.ts'
import { indexOfSet } from './add-index.ts'

export async function createAlbums(db: Kysely<unknown>, { withId }: EngineTools): Promise<void> {
  await withId(db.schema.createTable('albums'))
    .addColumn('title', 'text', c => c.notNull())
    .addColumn('search_text', 'text', c => c.notNull())
    .addColumn('description', 'text', c => c.notNull())
    .addColumn('file_order', 'text', c => c.notNull())
    .addColumn('manual_order_since', 'bigint')
    .addColumn('search', 'text')
    .addColumn('cover_id', 'bigint', c => c.references('media.id').onDelete('set null'))
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('created_by', 'bigint', c => c.notNull().references('people.id'))
    .addColumn('deleted_at', 'bigint')
    .addColumn('deleted_by', 'bigint', c => c.references('people.id'))
    .execute()
  await indexOfSet(db, 'albums', 'cover_id')

  await db.schema
    .createTable('album_files')
    .addColumn('album_id', 'bigint', c => c.notNull().references('albums.id').onDelete('cascade'))
    .addColumn('media_id', 'bigint', c => c.notNull().references('media.id').onDelete('cascade'))
    .addColumn('position', 'bigint', c => c.notNull())
    .addColumn('added_at', 'bigint', c => c.notNull())
    .addColumn('added_by', 'bigint', c => c.notNull().references('people.id'))
    .addColumn('guest', 'text')
    .addColumn('removed_at', 'bigint')
    .addColumn('removed_by', 'bigint', c => c.references('people.id'))
    .addPrimaryKeyConstraint('album_files_pkey', ['album_id', 'media_id'])
    .execute()
  await db.schema
    .createIndex('album_files_position_idx')
    .on('album_files')
    .columns(['album_id', 'position', 'media_id'])
    .execute()
  await db.schema.createIndex('album_files_media_id_idx').on('album_files').column('media_id').execute()
  // For the cleanup, which looks for what was removed a while ago.
  await indexOfSet(db, 'album_files', 'removed_at')

  await db.schema
    .createTable('smart_album_counts')
    .addColumn('album_id', 'bigint', c => c.primaryKey().references('albums.id').onDelete('cascade'))
    .addColumn('files', 'bigint', c => c.notNull())
    .addColumn('videos', 'bigint', c => c.notNull())
    .addColumn('first_date', 'text')
    .addColumn('last_date', 'text')
    .addColumn('cover_id', 'bigint')
    .addColumn('counted_at', 'bigint', c => c.notNull())
    .execute()
}

/** Links for people without an account. */
export async function createLinks(db: Kysely<unknown>, { withId }: EngineTools): Promise<void> {
  await withId(db.schema.createTable('links'))
    .addColumn('token_hash', 'text', c => c.notNull().unique())
    .addColumn('password_hash', 'text')
    .addColumn('title', 'text')
    .addColumn('album_id', 'bigint', c => c.references('albums.id').onDelete('cascade'))
    .addColumn('upload_album_id', 'bigint', c => c.references('albums.id').onDelete('cascade'))
    .addColumn('max_files', 'bigint')
    .addColumn('max_bytes', 'bigint')
    .addColumn('created_by', 'bigint', c => c.notNull().references('people.id'))
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('expires_at', 'bigint')
    .addColumn('originals', 'bigint', c => c.notNull().defaultTo(0))
    .addColumn('views', 'bigint', c => c.notNull().defaultTo(0))
    .addColumn('last_viewed_at', 'bigint')
    .addColumn('ended_at', 'bigint')
    .addColumn('ended_by', 'bigint', c => c.references('people.id'))
    .execute()
  await db.schema.createIndex('links_created_by_idx').on('links').columns(['created_by', 'id']).execute()
  for (const column of ['album_id', 'upload_album_id']) await indexOfSet(db, 'links', column)

  await db.schema
    .createTable('link_files')
    .addColumn('link_id', 'bigint', c => c.notNull().references('links.id').onDelete('cascade'))
    .addColumn('media_id', 'bigint', c => c.notNull().references('media.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('link_files_pkey', ['link_id', 'media_id'])
    .execute()
  await db.schema.createIndex('link_files_media_id_idx').on('link_files').column('media_id').execute()
}

/** People without an account who send files to an album, and what they send. */
export async function createGuestUploads(db: Kysely<unknown>, { withId }: EngineTools): Promise<void> {
  await withId(db.schema.createTable('guests'))
    .addColumn('link_id', 'bigint', c => c.references('links.id').onDelete('set null'))
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .execute()
  await indexOfSet(db, 'guests', 'link_id')

  await withId(db.schema.createTable('guest_uploads'))
    .addColumn('upload_id', 'text', c => c.notNull().unique())
    .addColumn('link_id', 'bigint', c => c.references('links.id').onDelete('set null'))
    .addColumn('guest_id', 'bigint', c => c.notNull().references('guests.id'))
    .addColumn('album_id', 'bigint', c => c.references('albums.id').onDelete('set null'))
    .addColumn('state', 'text', c => c.notNull())
    .addColumn('name', 'text')
    .addColumn('size', 'bigint', c => c.notNull())
    .addColumn('started_at', 'bigint', c => c.notNull())
    .addColumn('sent_at', 'bigint')
    .addColumn('media_id', 'bigint', c => c.references('media.id').onDelete('set null'))
    .addColumn('duplicate_id', 'bigint', c => c.references('media.id').onDelete('set null'))
    .addColumn('incomplete', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('expected_size', 'bigint')
    .addColumn('added_to_album', 'bigint', c => c.notNull().defaultTo(0))
    .addColumn('decided_at', 'bigint')
    .addColumn('decided_by', 'bigint', c => c.references('people.id'))
    .execute()
  for (const column of ['link_id', 'album_id', 'media_id', 'duplicate_id'])
    await indexOfSet(db, 'guest_uploads', column)
  await db.schema.createIndex('guest_uploads_guest_id_idx').on('guest_uploads').columns(['guest_id', 'id']).execute()
  await db.schema.createIndex('guest_uploads_state_idx').on('guest_uploads').columns(['state', 'id']).execute()
}
