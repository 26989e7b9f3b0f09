import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { EngineTools } from '../engine.ts'

/**
 * Two tables that triggers keep up to date, whatever writes to the tables they are derived from:
 *
 * `media_days`: how many files there are on each day, by folder and type. The timeline counted all files for every change.
 *
 * `text_shapes`: the distinct search texts of files with every digit replaced by 0, and how many files have each. Names
 * differ mostly in their numbers, so there are far fewer of these than files, and the hits of a word without digits are
 * counted from them exactly. By an index on the same masked text, the files of a rare word that is too short for the
 * trigram index are found.
 */
export async function up(db: Kysely<unknown>, tools: EngineTools): Promise<void> {
  await db.schema
    .createTable('media_days')
    .addColumn('day', 'integer', c => c.notNull())
    .addColumn('folder_id', 'bigint', c => c.notNull())
    .addColumn('file_type', 'text', c => c.notNull())
    .addColumn('files', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('one_count_per_day', ['day', 'folder_id', 'file_type'])
    .execute()
  await db.schema
    .createTable('text_shapes')
    .addColumn('shape', 'text', c => c.notNull())
    .addColumn('files', 'bigint', c => c.notNull())
    .execute()
  const [shape, text] = [sql.ref<string>('shape'), sql.ref<string>('search_text')]
  await sql`create unique index one_count_per_shape on text_shapes (${tools.shapeKey(shape)})`.execute(db)
  await sql`create index file_texts_by_shape on file_texts (${tools.shapeKey(tools.maskDigits(text))})`.execute(db)
  await sql`insert into media_days (day, folder_id, file_type, files)
    select day, coalesce(folder_id, 0), file_type, count(*) from media where deleted_at is null
    group by day, coalesce(folder_id, 0), file_type`.execute(db)
  await sql`insert into text_shapes (shape, files) select shape, count(*)
    from (select ${tools.maskDigits(text)} as shape from file_texts) as shapes group by shape`.execute(db)
  await (tools.engine === 'sqlite' ? addSqliteTriggers(db, tools) : addPostgresTriggers(db, tools))
}

async function addSqliteTriggers(db: Kysely<unknown>, { maskDigits }: EngineTools): Promise<void> {
  const addDay = sql`insert into media_days (day, folder_id, file_type, files)
    select new.day, coalesce(new.folder_id, 0), new.file_type, 1 where new.deleted_at is null
    on conflict (day, folder_id, file_type) do update set files = files + 1`
  const oldDay = sql`day = old.day and folder_id = coalesce(old.folder_id, 0) and file_type = old.file_type`
  const removeDay = sql`update media_days set files = files - 1 where old.deleted_at is null and ${oldDay};
    delete from media_days where files = 0 and ${oldDay}`
  await sql`create trigger media_days_added after insert on media begin ${addDay}; end`.execute(db)
  await sql`create trigger media_days_removed after delete on media begin ${removeDay}; end`.execute(db)
  await sql`create trigger media_days_changed after update of day, folder_id, file_type, deleted_at on media
    begin ${removeDay}; ${addDay}; end`.execute(db)

  const addShape = sql`insert into text_shapes (shape, files) values (${maskDigits(sql.ref('new.search_text'))}, 1)
    on conflict (shape) do update set files = files + 1`
  const oldShape = maskDigits(sql.ref('old.search_text'))
  const removeShape = sql`update text_shapes set files = files - 1 where shape = ${oldShape};
    delete from text_shapes where files = 0 and shape = ${oldShape}`
  await sql`create trigger text_shapes_added after insert on file_texts begin ${addShape}; end`.execute(db)
  await sql`create trigger text_shapes_removed after delete on file_texts begin ${removeShape}; end`.execute(db)
  await sql`create trigger text_shapes_changed after update of search_text on file_texts
    when old.search_text <> new.search_text begin ${removeShape}; ${addShape}; end`.execute(db)
}

/** One statement for all rows of a change, in a fixed order, so that concurrent transactions rarely wait in a circle. */
async function addPostgresTriggers(db: Kysely<unknown>, { maskDigits, shapeKey }: EngineTools): Promise<void> {
  const shape = maskDigits(sql.ref('search_text'))
  await addStatementTriggers(db, 'media', 'media_days', {
    changes: (table, change) => sql`select day, coalesce(folder_id, 0) as folder_id, file_type, ${change} as change
      from ${table} where deleted_at is null`,
    apply: changes => sql`insert into media_days as kept (day, folder_id, file_type, files)
      select day, folder_id, file_type, sum(change) from (${changes}) as changes
      group by day, folder_id, file_type having sum(change) <> 0 order by day, folder_id, file_type
      on conflict (day, folder_id, file_type) do update set files = kept.files + excluded.files`,
    removeEmpty: sql`delete from media_days as kept using removed_rows as removed where kept.files = 0
      and kept.day = removed.day and kept.folder_id = coalesce(removed.folder_id, 0) and kept.file_type = removed.file_type`,
  })
  await addStatementTriggers(db, 'file_texts', 'text_shapes', {
    changes: (table, change) => sql`select ${shape} as shape, ${change} as change from ${table}`,
    apply: changes => sql`insert into text_shapes as kept (shape, files)
      select shape, sum(change) from (${changes}) as changes
      group by shape having sum(change) <> 0 order by md5(shape)
      on conflict (md5(shape)) do update set files = kept.files + excluded.files`,
    removeEmpty: sql`delete from text_shapes as kept using removed_rows where kept.files = 0
      and ${shapeKey(sql.ref('kept.shape'))} = ${shapeKey(shape)}`,
  })
}

interface DerivedTable {
  changes(table: RawBuilder<unknown>, change: RawBuilder<unknown>): RawBuilder<unknown>
  apply(changes: RawBuilder<unknown>): RawBuilder<unknown>
  removeEmpty: RawBuilder<unknown>
}

async function addStatementTriggers(
  db: Kysely<unknown>,
  source: string,
  target: string,
  { changes, apply, removeEmpty }: DerivedTable,
): Promise<void> {
  const added = changes(sql`added_rows`, sql`1`)
  const removed = changes(sql`removed_rows`, sql`-1`)
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
    const name = sql.id(`${target}_after_${event}`)
    await sql`create or replace function ${name}() returns trigger language plpgsql as $body$
      begin ${body}; return null; end $body$`.execute(db)
    await sql`create trigger ${name} after ${sql.raw(event)} on ${sql.table(source)} referencing ${tables}
      for each statement execute function ${name}()`.execute(db)
  }
}
