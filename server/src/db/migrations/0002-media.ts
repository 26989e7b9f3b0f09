import { type Kysely, sql } from 'kysely'
import type { EngineTools } from '../engine.ts'

export async function up(db: Kysely<unknown>, tools: EngineTools): Promise<void> {
  await addFolders(db, tools)
  await addMedia(db, tools)
  await db.schema
    .createTable('media_parts')
    .addColumn('media_id', 'bigint', c => c.notNull().references('media.id').onDelete('cascade'))
    .addColumn('kind', 'text', c => c.notNull())
    .addColumn('key', 'text', c => c.notNull().unique())
    .addColumn('size', 'bigint', c => c.notNull())
    .addColumn('mime_type', 'text', c => c.notNull())
    .addColumn('width', 'integer')
    .addColumn('height', 'integer')
    .addPrimaryKeyConstraint('one_part_of_a_kind', ['media_id', 'kind'])
    .execute()
  await db.schema
    .createTable('media_counts')
    .addColumn('folder_id', 'bigint', c => c.notNull())
    .addColumn('file_type', 'text', c => c.notNull())
    .addColumn('files', 'bigint', c => c.notNull())
    .addColumn('bytes', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('one_count_per_folder_and_type', ['folder_id', 'file_type'])
    .execute()
  await db.schema
    .createTable('loose_keys')
    .addColumn('key', 'text', c => c.primaryKey())
    .addColumn('since', 'bigint', c => c.notNull())
    .addColumn('purpose', 'text', c => c.notNull())
    .execute()
  await db.schema
    .createTable('finished_uploads')
    .addColumn('upload_id', 'text', c => c.primaryKey())
    .addColumn('media_id', 'bigint', c => c.notNull().references('media.id').onDelete('cascade'))
    .addColumn('finished_at', 'bigint', c => c.notNull())
    .execute()
}

async function addFolders(db: Kysely<unknown>, { withId }: EngineTools): Promise<void> {
  await withId(db.schema.createTable('folders'))
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('name_key', 'text', c => c.notNull())
    .addColumn('parent_id', 'bigint', c => c.references('folders.id'))
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('created_by', 'bigint', c => c.references('people.id'))
    .execute()
  // Null parents would all differ from each other, and the root may hold a name but once, too.
  await db.schema
    .createIndex('one_folder_name_among_siblings')
    .unique()
    .on('folders')
    .expression(sql`coalesce(parent_id, 0), name_key`)
    .execute()
}

async function addMedia(db: Kysely<unknown>, { withId, sorted, addTrigramIndex }: EngineTools): Promise<void> {
  await withId(db.schema.createTable('media'))
    .addColumn('original_name', 'text', c => c.notNull())
    .addColumn('file_type', 'text', c => c.notNull())
    .addColumn('format', 'text', c => c.notNull())
    .addColumn('mime_type', 'text', c => sorted(c).notNull())
    .addColumn('file_size', 'bigint', c => c.notNull())
    .addColumn('hash', 'text', c => c.notNull().unique())
    .addColumn('uploaded_at', 'bigint', c => c.notNull())
    .addColumn('uploaded_by', 'bigint', c => c.notNull().references('people.id'))
    .addColumn('folder_id', 'bigint', c => c.references('folders.id'))
    .addColumn('width', 'integer')
    .addColumn('height', 'integer')
    .addColumn('duration', 'double precision')
    .addColumn('taken_local', 'bigint')
    .addColumn('taken_offset', 'integer')
    .addColumn('latitude', 'double precision')
    .addColumn('longitude', 'double precision')
    .addColumn('location', 'text')
    .addColumn('camera', 'text')
    .addColumn('thumbhash', 'text')
    .addColumn('metadata', 'text')
    .addColumn('shown_part', 'text')
    .addColumn('status', 'text', c => c.notNull())
    .addColumn('progress', 'integer')
    .addColumn('failure_reason', 'text')
    .addColumn('failed_at', 'bigint')
    .addColumn('date_sort', 'bigint', c => c.notNull())
    .addColumn('day', 'integer', c => c.notNull())
    .addColumn('name_sort', 'text', c => sorted(c).notNull())
    .addColumn('location_sort', 'text', c => sorted(c).notNull())
    .addColumn('search_text', 'text', c => c.notNull())
    .addColumn('version', 'integer', c => c.notNull().defaultTo(1))
    .addColumn('deleted_at', 'bigint')
    .addColumn('deleted_by', 'bigint', c => c.references('people.id'))
    .addColumn('verified_at', 'bigint')
    .addColumn('damaged_at', 'bigint')
    .execute()

  const lists: Record<string, string[]> = {
    media_by_date: ['date_sort', 'id'],
    media_by_day: ['day'],
    media_by_name: ['name_sort', 'id'],
    media_by_size: ['file_size', 'id'],
    media_by_type: ['mime_type', 'id'],
    media_by_location: ['location_sort', 'id'],
    media_of_type_by_date: ['file_type', 'date_sort', 'id'],
    media_in_folder_by_date: ['folder_id', 'date_sort', 'id'],
  }
  for (const [name, columns] of Object.entries(lists)) {
    await db.schema.createIndex(name).on('media').columns(columns).where(sql.ref('deleted_at'), 'is', null).execute()
  }
  await db.schema
    .createIndex('media_deleted')
    .on('media')
    .column('deleted_at')
    .where(sql.ref('deleted_at'), 'is not', null)
    .execute()
  await db.schema
    .createIndex('media_troubled')
    .on('media')
    .column('id')
    .where(sql<boolean>`status = 'failed' or damaged_at is not null`)
    .execute()
  await db.schema.createIndex('media_by_verification').on('media').columns(['verified_at', 'id']).execute()
  await addTrigramIndex(db, 'media', 'search_text')
}
