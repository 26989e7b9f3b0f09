import { type ColumnDefinitionBuilder, type Kysely, type RawBuilder, sql } from 'kysely'
import type { EngineTools } from '../../engine.ts'
import { indexOfSet } from './add-index.ts'

export async function createFolders(db: Kysely<unknown>, { withId }: EngineTools): Promise<void> {
  await withId(db.schema.createTable('folders'))
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('name_key', 'text', c => c.notNull())
    .addColumn('search_text', 'text', c => c.notNull())
    .addColumn('parent_id', 'bigint', c => c.references('folders.id'))
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('created_by', 'bigint', c => c.references('people.id'))
    .execute()
  // Nulls are distinct in a unique index, so folders at the root count as children of folder 0.
  await db.schema
    .createIndex('folders_parent_id_name_key_key')
    .unique()
    .on('folders')
    .expression(sql`coalesce(parent_id, 0), name_key`)
    .execute()
  await indexOfSet(db, 'folders', 'parent_id')
}

export async function createMedia(db: Kysely<unknown>, tools: EngineTools): Promise<void> {
  await createMediaTable(db, tools)
  await createMediaIndexes(db)
  await db.schema
    .createTable('media_parts')
    .addColumn('media_id', 'bigint', c => c.notNull().references('media.id').onDelete('cascade'))
    .addColumn('kind', 'text', c => c.notNull())
    .addColumn('key', 'text', c => c.notNull().unique())
    .addColumn('size', 'bigint', c => c.notNull())
    .addColumn('mime_type', 'text', c => c.notNull())
    .addColumn('width', 'integer')
    .addColumn('height', 'integer')
    .addPrimaryKeyConstraint('media_parts_pkey', ['media_id', 'kind'])
    .execute()
  // Places that people have set or cleared, beside those of the cameras.
  await db.schema
    .createTable('place_corrections')
    .addColumn('media_id', 'bigint', c => c.primaryKey().references('media.id').onDelete('cascade'))
    .addColumn('kind', 'text', c => c.notNull())
    .addColumn('latitude', 'double precision')
    .addColumn('longitude', 'double precision')
    .addColumn('location', 'text')
    .addColumn('corrected_by', 'bigint', c => c.notNull().references('people.id'))
    .addColumn('corrected_at', 'bigint', c => c.notNull())
    .addColumn('camera_latitude', 'double precision')
    .addColumn('camera_longitude', 'double precision')
    .addColumn('camera_location', 'text')
    .execute()
  await db.schema
    .createTable('media_counts')
    .addColumn('folder_id', 'bigint', c => c.notNull())
    .addColumn('file_type', 'text', c => c.notNull())
    .addColumn('files', 'bigint', c => c.notNull())
    .addColumn('bytes', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('media_counts_pkey', ['folder_id', 'file_type'])
    .execute()
  await db.schema
    .createTable('pending_objects')
    .addColumn('key', 'text', c => c.primaryKey())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('purpose', 'text', c => c.notNull())
    .execute()
  await db.schema
    .createTable('zip_downloads')
    .addColumn('token_hash', 'text', c => c.primaryKey())
    .addColumn('person_id', 'bigint', c => c.notNull().references('people.id'))
    .addColumn('session_hash', 'text')
    .addColumn('media_ids', 'text', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .execute()
}

async function createMediaTable(db: Kysely<unknown>, { engine, withId, binaryCollation }: EngineTools): Promise<void> {
  const generated = (column: ColumnDefinitionBuilder, value: RawBuilder<unknown>) => {
    const definition = column.generatedAlwaysAs(value)
    // Postgres before version 18 has no virtual columns.
    return engine === 'postgres' ? definition.stored() : definition
  }
  // Undated files come last in ascending order, too, the newest upload first: their key is that of the upload below all dates.
  const dateSortAsc = sql`case when date_sort < -1000000000000000 / 2 then -date_sort else date_sort end`
  // Files without a place come last in ascending order: no name is greater than the highest code point.
  const locationSortAsc = sql`case when location_sort = '' then ${sql.lit('\u{10ffff}')} else location_sort end`
  await withId(db.schema.createTable('media'))
    .addColumn('original_name', 'text', c => c.notNull())
    .addColumn('uploaded_name', 'text')
    .addColumn('file_type', 'text', c => c.notNull())
    .addColumn('format', 'text', c => c.notNull())
    .addColumn('mime_type', 'text', c => binaryCollation(c).notNull())
    .addColumn('file_size', 'bigint', c => c.notNull())
    .addColumn('hash', 'text', c => c.notNull().unique())
    .addColumn('uploaded_at', 'bigint', c => c.notNull())
    .addColumn('uploaded_by', 'bigint', c => c.notNull().references('people.id'))
    .addColumn('folder_id', 'bigint', c => c.references('folders.id'))
    .addColumn('width', 'integer')
    .addColumn('height', 'integer')
    // The character of a square, which unknown sizes have, in `contract/src/proportions.ts`.
    .addColumn('proportion', 'text', c => c.notNull().defaultTo('O'))
    .addColumn('rotation', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('variants_rotation', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('duration', 'double precision')
    .addColumn('animated', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('taken_local', 'bigint')
    .addColumn('taken_offset', 'integer')
    .addColumn('file_date', 'bigint')
    .addColumn('date_edtf', 'text')
    .addColumn('date_earliest', 'bigint')
    .addColumn('date_latest', 'bigint')
    .addColumn('date_source', 'text')
    .addColumn('date_precision', 'text')
    .addColumn('found_edtf', 'text')
    .addColumn('found_source', 'text')
    .addColumn('corrected_by', 'bigint', c => c.references('people.id'))
    .addColumn('corrected_at', 'bigint')
    .addColumn('latitude', 'double precision')
    .addColumn('longitude', 'double precision')
    .addColumn('location', 'text')
    .addColumn('camera', 'text')
    .addColumn('thumbhash', 'text')
    .addColumn('shown_part', 'text')
    .addColumn('motion_part', 'text')
    .addColumn('playback_type', 'text')
    .addColumn('compatible_progress', 'integer')
    .addColumn('compatible_failure', 'text')
    .addColumn('status', 'text', c => c.notNull())
    .addColumn('progress', 'integer')
    .addColumn('failure_reason', 'text')
    .addColumn('failed_at', 'bigint')
    .addColumn('date_sort', 'bigint', c => c.notNull())
    .addColumn('date_sort_asc', 'bigint', c => generated(c, dateSortAsc))
    .addColumn('heading_rank', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('day', 'integer', c => c.notNull())
    .addColumn('name_sort', 'text', c => binaryCollation(c).notNull())
    .addColumn('location_sort', 'text', c => binaryCollation(c).notNull())
    .addColumn('location_sort_asc', 'text', c => generated(binaryCollation(c), locationSortAsc))
    .addColumn('version', 'integer', c => c.notNull().defaultTo(1))
    .addColumn('deleted_at', 'bigint')
    .addColumn('deleted_by', 'bigint', c => c.references('people.id'))
    .addColumn('verified_at', 'bigint')
    .addColumn('damaged_at', 'bigint')
    .addColumn('partly_damaged', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('incomplete', 'integer', c => c.notNull().defaultTo(0))
    .addColumn('expected_size', 'bigint')
    // Last, because it is large: SQLite reads a row only as far as the last column that a query asks for.
    .addColumn('metadata', 'text')
    .execute()
}

async function createMediaIndexes(db: Kysely<unknown>): Promise<void> {
  const sortOrders: Record<string, string[]> = {
    media_name_sort_idx: ['name_sort'],
    media_file_size_idx: ['file_size'],
    media_mime_type_idx: ['mime_type'],
    media_location_sort_idx: ['location_sort'],
    media_location_sort_asc_idx: ['location_sort_asc'],
  }
  const dateOrders: Record<string, string[]> = {
    media_date_sort_idx: ['date_sort'],
    media_date_sort_asc_idx: ['date_sort_asc'],
    media_file_type_date_sort_idx: ['file_type', 'date_sort'],
    media_file_type_date_sort_asc_idx: ['file_type', 'date_sort_asc'],
    media_folder_id_date_sort_idx: ['folder_id', 'date_sort'],
    media_folder_id_date_sort_asc_idx: ['folder_id', 'date_sort_asc'],
    media_location_date_sort_idx: ['location', 'date_sort'],
    media_camera_date_sort_idx: ['camera', 'date_sort'],
    media_uploaded_by_date_sort_idx: ['uploaded_by', 'date_sort'],
  }
  for (const [name, columns] of Object.entries(dateOrders)) sortOrders[name] = [...columns, 'heading_rank']
  // With the proportion, so that the timeline reads the index alone; SQLite then needs the column of the condition, too.
  for (const [name, columns] of Object.entries(sortOrders)) {
    const index = db.schema
      .createIndex(name)
      .on('media')
      .columns([...columns, 'id', 'proportion', 'deleted_at'])
    await index.where(sql.ref('deleted_at'), 'is', null).execute()
  }
  // For the map, its clusters and the filter by a part of it, with what they read, so that they read the index alone.
  const shown = ['id', 'location', 'status', 'date_sort', 'heading_rank', 'day', 'proportion', 'deleted_at']
  await db.schema
    .createIndex('media_latitude_longitude_idx')
    .on('media')
    .columns(['latitude', 'longitude', ...shown])
    .where(sql<boolean>`deleted_at is null and latitude is not null`)
    .execute()
  // Sums the files of a month without reading the table.
  await db.schema
    .createIndex('media_uploaded_at_idx')
    .on('media')
    .columns(['uploaded_at', 'file_size', 'deleted_at'])
    .where(sql.ref('deleted_at'), 'is', null)
    .execute()
  await db.schema
    .createIndex('media_day_idx')
    .on('media')
    .column('day')
    .where(sql.ref('deleted_at'), 'is', null)
    .execute()
  await indexOfSet(db, 'media', 'deleted_at')
  await db.schema.createIndex('media_verified_at_idx').on('media').columns(['verified_at', 'id']).execute()
  // For the foreign key: the index by folder and date leaves out deleted files.
  await indexOfSet(db, 'media', 'folder_id')
  await db.schema
    .createIndex('media_failed_or_damaged_idx')
    .on('media')
    .column('id')
    .where(sql<boolean>`status = 'failed' or damaged_at is not null or partly_damaged = 1`)
    .execute()
}

export async function createUploads(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('finished_uploads')
    .addColumn('upload_id', 'text', c => c.primaryKey())
    .addColumn('media_id', 'bigint', c => c.notNull().references('media.id').onDelete('cascade'))
    .addColumn('finished_at', 'bigint', c => c.notNull())
    .execute()
  await db.schema.createIndex('finished_uploads_media_id_idx').on('finished_uploads').column('media_id').execute()
  await db.schema.createIndex('finished_uploads_finished_at_idx').on('finished_uploads').column('finished_at').execute()

  await db.schema
    .createTable('upload_locks')
    .addColumn('upload_id', 'text', c => c.primaryKey())
    .addColumn('holder', 'text', c => c.notNull())
    .addColumn('expires_at', 'bigint', c => c.notNull())
    .addColumn('requested_at', 'bigint')
    .execute()
}

export async function createTags(db: Kysely<unknown>, { withId, binaryCollation }: EngineTools): Promise<void> {
  await withId(db.schema.createTable('tags'))
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('name_key', 'text', c => binaryCollation(c).notNull().unique())
    .addColumn('search_text', 'text', c => c.notNull().defaultTo(''))
    .execute()
  await db.schema
    .createTable('media_tags')
    .addColumn('media_id', 'bigint', c => c.notNull().references('media.id').onDelete('cascade'))
    .addColumn('tag_id', 'bigint', c => c.notNull().references('tags.id'))
    .addColumn('added_at', 'bigint', c => c.notNull())
    .addColumn('added_by', 'bigint', c => c.notNull().references('people.id'))
    .addPrimaryKeyConstraint('media_tags_pkey', ['media_id', 'tag_id'])
    .execute()
  await db.schema.createIndex('media_tags_tag_id_idx').on('media_tags').columns(['tag_id', 'media_id']).execute()
}

/** Files, comments and tags are indexed separately: adding a note must not index its file's whole text again. */
export async function createSearchTexts(db: Kysely<unknown>, tools: EngineTools): Promise<void> {
  // On SQLite only an `integer` primary key is the rowid, which the full-text index refers to.
  await db.schema
    .createTable('media_search_texts')
    .addColumn('media_id', tools.engine === 'sqlite' ? 'integer' : 'bigint', c =>
      c.primaryKey().references('media.id').onDelete('cascade'),
    )
    .addColumn('search_text', 'text', c => c.notNull())
    .execute()
  await tools.addTrigramIndex(db, 'media_search_texts', 'search_text', 'media_id')
  await tools.addTrigramIndex(db, 'comments', 'search_text')
  await tools.addTrigramIndex(db, 'tags', 'search_text')
}
