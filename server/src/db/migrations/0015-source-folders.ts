import type { Kysely } from 'kysely'
import type { EngineTools } from '../engine.ts'

/** Folders of other programs: what each server says of them, and the files of watched folders, which stay where they are. */
export async function up(db: Kysely<unknown>, { withId }: EngineTools): Promise<void> {
  await db.schema
    .createTable('folder_reports')
    .addColumn('folder', 'text', c => c.notNull())
    .addColumn('server', 'text', c => c.notNull())
    .addColumn('report', 'text', c => c.notNull())
    .addColumn('reported_at', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('folder_reports_pk', ['folder', 'server'])
    .execute()
  await withId(db.schema.createTable('watched_files'))
    .addColumn('root', 'text', c => c.notNull())
    .addColumn('path', 'text', c => c.notNull())
    .addColumn('size', 'bigint', c => c.notNull())
    .addColumn('modified_at', 'bigint', c => c.notNull())
    .addColumn('hash', 'text')
    .addColumn('media_id', 'bigint', c => c.references('media.id').onDelete('set null'))
    .addColumn('part', 'text')
    .addUniqueConstraint('watched_files_path', ['root', 'path'])
    .execute()
  await db.schema.createIndex('watched_files_media_id_idx').on('watched_files').column('media_id').execute()
  await db.schema.createIndex('watched_files_hash_idx').on('watched_files').column('hash').execute()
  await db.schema.alterTable('media').addColumn('missing_at', 'bigint').execute()
}
