import type { Kysely } from 'kysely'
import type { EngineTools } from '../engine.ts'

/** Downloads in parts, and the checksums that they need. */
export async function up(db: Kysely<unknown>, { withId }: EngineTools): Promise<void> {
  await db.schema
    .createTable('part_checksums')
    .addColumn('key', 'text', c => c.primaryKey().references('media_parts.key').onDelete('cascade'))
    .addColumn('crc32', 'bigint', c => c.notNull())
    .addColumn('blake3', 'text', c => c.notNull())
    .execute()
  await withId(db.schema.createTable('exports'))
    .addColumn('person_id', 'bigint', c => c.notNull().references('people.id'))
    .addColumn('title', 'text', c => c.notNull())
    .addColumn('media_ids', 'text')
    .addColumn('part_bytes', 'bigint', c => c.notNull())
    .addColumn('status', 'text', c => c.notNull())
    .addColumn('progress', 'bigint', c => c.notNull().defaultTo(0))
    .addColumn('missing', 'bigint', c => c.notNull().defaultTo(0))
    .addColumn('parts', 'text')
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('expires_at', 'bigint', c => c.notNull())
    .execute()
  await db.schema.createIndex('exports_person_id_idx').on('exports').columns(['person_id']).execute()
  await db.schema
    .createTable('export_links')
    .addColumn('token_hash', 'text', c => c.primaryKey())
    .addColumn('export_id', 'bigint', c => c.notNull().references('exports.id').onDelete('cascade'))
    .addColumn('session_hash', 'text', c => c.notNull())
    .addColumn('created_at', 'bigint', c => c.notNull())
    .execute()
  await db.schema.createIndex('export_links_export_id_idx').on('export_links').columns(['export_id']).execute()
}
