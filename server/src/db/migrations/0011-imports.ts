import type { Kysely } from 'kysely'
import type { EngineTools } from '../engine.ts'

/** Imports from other systems: what each one read, what it gave to which file, and people's names from there. */
export async function up(db: Kysely<unknown>, { withId }: EngineTools): Promise<void> {
  await withId(db.schema.createTable('imports'))
    .addColumn('kind', 'text', c => c.notNull())
    .addColumn('source', 'text', c => c.notNull())
    .addColumn('person_id', 'bigint', c => c.notNull().references('people.id'))
    .addColumn('state', 'text', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('started_at', 'bigint')
    .addColumn('finished_at', 'bigint')
    .addColumn('files', 'bigint', c => c.notNull().defaultTo(0))
    .addColumn('bytes', 'bigint', c => c.notNull().defaultTo(0))
    .addColumn('files_done', 'bigint', c => c.notNull().defaultTo(0))
    .addColumn('bytes_done', 'bigint', c => c.notNull().defaultTo(0))
    .addColumn('report', 'text')
    .addColumn('failure', 'text')
    .execute()
  await db.schema
    .createTable('import_files')
    .addColumn('import_id', 'bigint', c => c.notNull().references('imports.id').onDelete('cascade'))
    .addColumn('source_key', 'text', c => c.notNull())
    .addColumn('source_id', 'text')
    .addColumn('hash', 'text', c => c.notNull())
    // Without a reference: what was purged since is not imported again.
    .addColumn('media_id', 'bigint', c => c.notNull())
    .addColumn('added', 'integer', c => c.notNull())
    .addPrimaryKeyConstraint('import_files_pkey', ['import_id', 'source_key'])
    .execute()
  for (const column of ['source_key', 'source_id', 'hash']) {
    await db.schema.createIndex(`import_files_${column}_idx`).on('import_files').column(column).execute()
  }
  await db.schema
    .createTable('import_facts')
    .addColumn('media_id', 'bigint', c => c.notNull().references('media.id').onDelete('cascade'))
    .addColumn('fact', 'text', c => c.notNull())
    .addColumn('import_id', 'bigint', c => c.notNull().references('imports.id').onDelete('cascade'))
    .addColumn('change_id', 'bigint')
    .addPrimaryKeyConstraint('import_facts_pkey', ['media_id', 'fact'])
    .execute()
  await db.schema.createIndex('import_facts_import_id_idx').on('import_facts').column('import_id').execute()
  await db.schema
    .createTable('import_albums')
    .addColumn('person_id', 'bigint', c => c.notNull().references('people.id'))
    .addColumn('source_key', 'text', c => c.notNull())
    .addColumn('import_id', 'bigint', c => c.notNull().references('imports.id').onDelete('cascade'))
    .addColumn('album_id', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('import_albums_pkey', ['person_id', 'source_key'])
    .execute()
  await db.schema
    .createTable('imported_names')
    .addColumn('media_id', 'bigint', c => c.notNull().references('media.id').onDelete('cascade'))
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('import_id', 'bigint', c => c.notNull().references('imports.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('imported_names_pkey', ['media_id', 'name'])
    .execute()
  await db.schema
    .createTable('edited_versions')
    .addColumn('media_id', 'bigint', c => c.primaryKey().references('media.id').onDelete('cascade'))
    .addColumn('original_id', 'bigint', c => c.notNull().references('media.id').onDelete('cascade'))
    .addColumn('import_id', 'bigint', c => c.notNull().references('imports.id').onDelete('cascade'))
    .execute()
  await db.schema.createIndex('edited_versions_original_id_idx').on('edited_versions').column('original_id').execute()
}
