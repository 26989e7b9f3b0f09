import { type Kysely, sql } from 'kysely'
import type { EngineTools } from '../engine.ts'

/** A second sort key for places, in which files without one come after all others: in descending order they do anyway. */
export async function up(db: Kysely<unknown>, { engine, sorted }: EngineTools): Promise<void> {
  // The highest code point is greater than any name of a place.
  const lastOfAll = sql.lit('\u{10ffff}')
  const key = sql`case when location_sort = '' then ${lastOfAll} else location_sort end`
  await db.schema
    .alterTable('media')
    .addColumn('location_sort_asc', 'text', column => {
      const generated = sorted(column).generatedAlwaysAs(key)
      // Postgres only has stored ones before version 18, SQLite cannot add those to an existing table.
      return engine === 'postgres' ? generated.stored() : generated
    })
    .execute()
  await db.schema
    .createIndex('media_by_location_asc')
    .on('media')
    .columns(['location_sort_asc', 'id'])
    .where(sql.ref('deleted_at'), 'is', null)
    .execute()
}
