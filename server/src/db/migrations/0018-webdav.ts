import type { Kysely } from 'kysely'
import type { EngineTools } from '../engine.ts'

/** What devices have sent to the inbox of each person over WebDAV, and the locks that they hold. */
export async function up(db: Kysely<unknown>, { withId }: EngineTools): Promise<void> {
  await withId(db.schema.createTable('inbox_entries'))
    .addColumn('person_id', 'bigint', c => c.notNull().references('people.id'))
    .addColumn('parent', 'text', c => c.notNull())
    .addColumn('name', 'text', c => c.notNull())
    .addColumn('is_folder', 'integer', c => c.notNull())
    .addColumn('media_id', 'bigint', c => c.references('media.id').onDelete('set null'))
    .addColumn('size', 'bigint', c => c.notNull())
    .addColumn('hash', 'text')
    .addColumn('modified_at', 'bigint', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .execute()
  await db.schema
    .createIndex('inbox_entries_person_id_parent_name_key')
    .on('inbox_entries')
    .columns(['person_id', 'parent', 'name'])
    .unique()
    .execute()
  await db.schema.createIndex('inbox_entries_media_id_idx').on('inbox_entries').column('media_id').execute()
  await db.schema
    .createTable('webdav_locks')
    .addColumn('token', 'text', c => c.primaryKey())
    .addColumn('person_id', 'bigint', c => c.notNull().references('people.id'))
    .addColumn('path', 'text', c => c.notNull())
    .addColumn('owner', 'text', c => c.notNull())
    .addColumn('expires_at', 'bigint', c => c.notNull())
    .execute()
  await db.schema.createIndex('webdav_locks_person_id_idx').on('webdav_locks').column('person_id').execute()
}
