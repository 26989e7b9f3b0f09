import { type Kysely, sql } from 'kysely'
import type { EngineTools } from '../engine.ts'

export async function up(db: Kysely<unknown>, { withId }: EngineTools): Promise<void> {
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
  await db.schema
    .createIndex('albums_cover_id_idx')
    .on('albums')
    .column('cover_id')
    .where(sql.ref('cover_id'), 'is not', null)
    .execute()

  await db.schema
    .createTable('album_files')
    .addColumn('album_id', 'bigint', c => c.notNull().references('albums.id').onDelete('cascade'))
    .addColumn('media_id', 'bigint', c => c.notNull().references('media.id').onDelete('cascade'))
    .addColumn('position', 'bigint', c => c.notNull())
    .addColumn('added_at', 'bigint', c => c.notNull())
    .addColumn('added_by', 'bigint', c => c.notNull().references('people.id'))
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

  await withId(db.schema.createTable('album_comments'))
    .addColumn('album_id', 'bigint', c => c.notNull().references('albums.id').onDelete('cascade'))
    .addColumn('author_id', 'bigint', c => c.notNull().references('people.id'))
    .addColumn('content', 'text', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('edited_at', 'bigint')
    .addColumn('deleted_at', 'bigint')
    .addColumn('deleted_by', 'bigint', c => c.references('people.id'))
    .execute()
  await db.schema.createIndex('album_comments_album_id_idx').on('album_comments').columns(['album_id', 'id']).execute()

  // Indexed, so that removing an album or a comment for good does not scan all notifications.
  for (const [column, table] of [
    ['album_id', 'albums'],
    ['album_comment_id', 'album_comments'],
  ] as const) {
    await db.schema
      .alterTable('notifications')
      .addColumn(column, 'bigint', c => c.references(`${table}.id`).onDelete('set null'))
      .execute()
    await db.schema
      .createIndex(`notifications_${column}_idx`)
      .on('notifications')
      .column(column)
      .where(sql.ref(column), 'is not', null)
      .execute()
  }
}
