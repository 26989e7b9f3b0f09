import { type Kysely, sql } from 'kysely'
import type { EngineTools } from '../engine.ts'

/** Links for people without an account. */
export async function up(db: Kysely<unknown>, { withId }: EngineTools): Promise<void> {
  await withId(db.schema.createTable('links'))
    .addColumn('token_hash', 'text', c => c.notNull().unique())
    .addColumn('password_hash', 'text')
    .addColumn('title', 'text')
    .addColumn('album_id', 'bigint', c => c.references('albums.id').onDelete('cascade'))
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
  await db.schema
    .createIndex('links_album_id_idx')
    .on('links')
    .column('album_id')
    .where(sql.ref('album_id'), 'is not', null)
    .execute()

  await db.schema
    .createTable('link_files')
    .addColumn('link_id', 'bigint', c => c.notNull().references('links.id').onDelete('cascade'))
    .addColumn('media_id', 'bigint', c => c.notNull().references('media.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('link_files_pkey', ['link_id', 'media_id'])
    .execute()
  await db.schema.createIndex('link_files_media_id_idx').on('link_files').column('media_id').execute()
}
