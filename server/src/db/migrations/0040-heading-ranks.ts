import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { EngineTools } from '../engine.ts'

const DAY = 86_400_000

/** By which columns lists by date are found and sorted. */
const dateIndexes = {
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

/**
 * What a file is listed under was in the last milliseconds of `date_sort` and in the millions of `day`. Now it is a column,
 * which breaks ties of `date_sort`: 0 a day, 1 a month, 2 a year, 3 a decade, 4 undated.
 */
export async function up(db: Kysely<unknown>, { engine }: EngineTools): Promise<void> {
  await dropDayCounts(db, engine)
  for (const name of [...Object.keys(dateIndexes), 'media_latitude_longitude_idx'])
    await db.schema.dropIndex(name).execute()
  await db.schema
    .alterTable('media')
    .addColumn('heading_rank', 'integer', c => c.notNull().defaultTo(0))
    .execute()
  await convertDates(db)
  await createIndexes(db)
  await createDayCounts(db, engine)
  await recreateSmartAlbumCounts(db)
}

async function convertDates(db: Kysely<unknown>): Promise<void> {
  await sql`update media set heading_rank = 4, day = 0 where day = -10000000`.execute(db)
  for (const [group, rank] of [
    [3, 1],
    [2, 2],
    [1, 3],
  ] as const) {
    const first = sql.lit(group * 1_000_000)
    await sql`update media set heading_rank = ${sql.lit(rank)}, day = day - ${first},
      date_sort = (cast(day as bigint) - ${first} + 1) * ${sql.lit(DAY)} - 1
      where day between ${first} - 500000 and ${first} + 499999`.execute(db)
  }
  // Photos of the reserved milliseconds were sorted before them.
  await sql`update media set date_sort = date_earliest where heading_rank = 0 and date_precision = 'time'
    and date_earliest > date_sort and date_earliest <= date_sort + 3`.execute(db)
}

async function createIndexes(db: Kysely<unknown>): Promise<void> {
  for (const [name, columns] of Object.entries(dateIndexes)) {
    await db.schema
      .createIndex(name)
      .on('media')
      .columns([...columns, 'heading_rank', 'id', 'proportion', 'deleted_at'])
      .where(sql.ref('deleted_at'), 'is', null)
      .execute()
  }
  const shown = ['id', 'location', 'status', 'date_sort', 'heading_rank', 'day', 'proportion', 'deleted_at']
  await db.schema
    .createIndex('media_latitude_longitude_idx')
    .on('media')
    .columns(['latitude', 'longitude', ...shown])
    .where(sql<boolean>`deleted_at is null and latitude is not null`)
    .execute()
}

/** The headings of the first and last file as text. The counts are made again in the background. */
async function recreateSmartAlbumCounts(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropTable('smart_album_counts').execute()
  await db.schema
    .createTable('smart_album_counts')
    .addColumn('album_id', 'bigint', column => column.primaryKey().references('albums.id').onDelete('cascade'))
    .addColumn('files', 'bigint', column => column.notNull())
    .addColumn('videos', 'bigint', column => column.notNull())
    .addColumn('first_date', 'text')
    .addColumn('last_date', 'text')
    .addColumn('cover_id', 'bigint')
    .addColumn('counted_at', 'bigint', column => column.notNull())
    .execute()
}

async function dropDayCounts(db: Kysely<unknown>, engine: EngineTools['engine']): Promise<void> {
  for (const event of ['insert', 'update', 'delete']) {
    const name = sql.id(`media_day_counts_after_${event}`)
    await sql`drop trigger ${name} ${engine === 'postgres' ? sql`on media` : sql``}`.execute(db)
  }
  await db.schema.dropTable('media_day_counts').execute()
}

/** The rank comes first, so that the decades are found by it. */
async function createDayCounts(db: Kysely<unknown>, engine: EngineTools['engine']): Promise<void> {
  await db.schema
    .createTable('media_day_counts')
    .addColumn('heading_rank', 'integer', c => c.notNull())
    .addColumn('day', 'integer', c => c.notNull())
    .addColumn('folder_id', 'bigint', c => c.notNull())
    .addColumn('file_type', 'text', c => c.notNull())
    .addColumn('files', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('media_day_counts_pkey', ['heading_rank', 'day', 'folder_id', 'file_type'])
    .execute()
  await sql`insert into media_day_counts (heading_rank, day, folder_id, file_type, files)
    select heading_rank, day, coalesce(folder_id, 0), file_type, count(*) from media where deleted_at is null
    group by heading_rank, day, coalesce(folder_id, 0), file_type`.execute(db)
  await (engine === 'sqlite' ? addSqliteTriggers(db) : addPostgresTriggers(db))
}

async function addSqliteTriggers(db: Kysely<unknown>): Promise<void> {
  const add = sql`insert into media_day_counts (heading_rank, day, folder_id, file_type, files)
    select new.heading_rank, new.day, coalesce(new.folder_id, 0), new.file_type, 1 where new.deleted_at is null
    on conflict (heading_rank, day, folder_id, file_type) do update set files = files + 1`
  const old = sql`heading_rank = old.heading_rank and day = old.day and folder_id = coalesce(old.folder_id, 0)
    and file_type = old.file_type`
  const remove = sql`update media_day_counts set files = files - 1 where old.deleted_at is null and ${old};
    delete from media_day_counts where files = 0 and ${old}`
  await sql`create trigger media_day_counts_after_insert after insert on media begin ${add}; end`.execute(db)
  await sql`create trigger media_day_counts_after_delete after delete on media begin ${remove}; end`.execute(db)
  await sql`create trigger media_day_counts_after_update
    after update of heading_rank, day, folder_id, file_type, deleted_at on media
    begin ${remove}; ${add}; end`.execute(db)
}

/** One statement for all rows of a change, in a fixed order, so that concurrent transactions rarely deadlock. */
async function addPostgresTriggers(db: Kysely<unknown>): Promise<void> {
  const changes = (table: string, change: number) => sql`select heading_rank, day, coalesce(folder_id, 0) as folder_id,
    file_type, ${sql.lit(change)} as change from ${sql.table(table)} where deleted_at is null`
  const apply = (changed: RawBuilder<unknown>) => sql`insert into media_day_counts as counts
      (heading_rank, day, folder_id, file_type, files)
    select heading_rank, day, folder_id, file_type, sum(change) from (${changed}) as changes
    group by heading_rank, day, folder_id, file_type having sum(change) <> 0
    order by heading_rank, day, folder_id, file_type
    on conflict (heading_rank, day, folder_id, file_type) do update set files = counts.files + excluded.files`
  const removeEmpty = sql`delete from media_day_counts as counts using removed_rows as removed where counts.files = 0
    and counts.heading_rank = removed.heading_rank and counts.day = removed.day
    and counts.folder_id = coalesce(removed.folder_id, 0) and counts.file_type = removed.file_type`
  const [added, removed] = [changes('added_rows', 1), changes('removed_rows', -1)]
  const [newRows, oldRows] = [sql`new table as added_rows`, sql`old table as removed_rows`]
  const events = [
    { event: 'insert', tables: newRows, body: apply(added) },
    { event: 'delete', tables: oldRows, body: sql`${apply(removed)}; ${removeEmpty}` },
    {
      event: 'update',
      tables: sql`${oldRows} ${newRows}`,
      body: sql`${apply(sql`${removed} union all ${added}`)}; ${removeEmpty}`,
    },
  ]
  for (const { event, tables, body } of events) {
    const name = sql.id(`media_day_counts_after_${event}`)
    await sql`create or replace function ${name}() returns trigger language plpgsql as $body$
      begin ${body}; return null; end $body$`.execute(db)
    await sql`create trigger ${name} after ${sql.raw(event)} on media referencing ${tables}
      for each statement execute function ${name}()`.execute(db)
  }
}
