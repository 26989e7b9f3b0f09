import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { EngineTools } from '../../engine.ts'

/**
 * Two tables of counts that triggers update, so that no code that writes files can forget them:
 *
 * `media_day_counts`: files per heading, day, folder and type, for the timeline. The heading's rank comes first, so that the
 * decades are found by it.
 *
 * `search_text_shapes`: the distinct search texts of files with every digit replaced by 0, and how many files have each.
 * Names differ mostly in their numbers, so there are far fewer shapes than files, and the hits of a word without digits
 * can be counted exactly from them. An index on the same masked text finds the files of a word that is too short for the
 * trigram index.
 */
export async function createDerivedCounts(db: Kysely<unknown>, tools: EngineTools): Promise<void> {
  await db.schema
    .createTable('media_day_counts')
    .addColumn('heading_rank', 'integer', c => c.notNull())
    .addColumn('day', 'integer', c => c.notNull())
    .addColumn('folder_id', 'bigint', c => c.notNull())
    .addColumn('file_type', 'text', c => c.notNull())
    .addColumn('files', 'bigint', c => c.notNull())
    .addPrimaryKeyConstraint('media_day_counts_pkey', ['heading_rank', 'day', 'folder_id', 'file_type'])
    .execute()
  await db.schema
    .createTable('search_text_shapes')
    .addColumn('shape', 'text', c => c.notNull())
    .addColumn('files', 'bigint', c => c.notNull())
    .execute()
  const shape = tools.shapeKey(sql.ref('shape'))
  const maskedText = tools.shapeKey(tools.maskDigits(sql.ref('search_text')))
  await sql`create unique index search_text_shapes_shape_key on search_text_shapes (${shape})`.execute(db)
  await sql`create index media_search_texts_shape_idx on media_search_texts (${maskedText})`.execute(db)
  await (tools.engine === 'sqlite' ? addSqliteTriggers(db, tools) : addPostgresTriggers(db, tools))
}

async function addSqliteTriggers(db: Kysely<unknown>, { maskDigits }: EngineTools): Promise<void> {
  const addDay = sql`insert into media_day_counts (heading_rank, day, folder_id, file_type, files)
    select new.heading_rank, new.day, coalesce(new.folder_id, 0), new.file_type, 1 where new.deleted_at is null
    on conflict (heading_rank, day, folder_id, file_type) do update set files = files + 1`
  const oldDay = sql`heading_rank = old.heading_rank and day = old.day and folder_id = coalesce(old.folder_id, 0)
    and file_type = old.file_type`
  const removeDay = sql`update media_day_counts set files = files - 1 where old.deleted_at is null and ${oldDay};
    delete from media_day_counts where files = 0 and ${oldDay}`
  await sql`create trigger media_day_counts_after_insert after insert on media begin ${addDay}; end`.execute(db)
  await sql`create trigger media_day_counts_after_delete after delete on media begin ${removeDay}; end`.execute(db)
  await sql`create trigger media_day_counts_after_update
    after update of heading_rank, day, folder_id, file_type, deleted_at on media
    begin ${removeDay}; ${addDay}; end`.execute(db)

  const addShape = sql`insert into search_text_shapes (shape, files)
    values (${maskDigits(sql.ref('new.search_text'))}, 1)
    on conflict (shape) do update set files = files + 1`
  const oldShape = maskDigits(sql.ref('old.search_text'))
  const removeShape = sql`update search_text_shapes set files = files - 1 where shape = ${oldShape};
    delete from search_text_shapes where files = 0 and shape = ${oldShape}`
  await sql`create trigger search_text_shapes_after_insert after insert on media_search_texts
    begin ${addShape}; end`.execute(db)
  await sql`create trigger search_text_shapes_after_delete after delete on media_search_texts
    begin ${removeShape}; end`.execute(db)
  await sql`create trigger search_text_shapes_after_update after update of search_text on media_search_texts
    when old.search_text <> new.search_text begin ${removeShape}; ${addShape}; end`.execute(db)
}

/** One statement for all rows of a change, in a fixed order, so that concurrent transactions rarely deadlock. */
async function addPostgresTriggers(db: Kysely<unknown>, { maskDigits, shapeKey }: EngineTools): Promise<void> {
  const shape = maskDigits(sql.ref('search_text'))
  await addStatementTriggers(db, 'media', 'media_day_counts', {
    changes: (table, change) => sql`select heading_rank, day, coalesce(folder_id, 0) as folder_id, file_type,
      ${change} as change from ${table} where deleted_at is null`,
    apply: changes => sql`insert into media_day_counts as counts (heading_rank, day, folder_id, file_type, files)
      select heading_rank, day, folder_id, file_type, sum(change) from (${changes}) as changes
      group by heading_rank, day, folder_id, file_type having sum(change) <> 0
      order by heading_rank, day, folder_id, file_type
      on conflict (heading_rank, day, folder_id, file_type) do update set files = counts.files + excluded.files`,
    removeEmpty: sql`delete from media_day_counts as counts using removed_rows as removed where counts.files = 0
      and counts.heading_rank = removed.heading_rank and counts.day = removed.day
      and counts.folder_id = coalesce(removed.folder_id, 0) and counts.file_type = removed.file_type`,
  })
  await addStatementTriggers(db, 'media_search_texts', 'search_text_shapes', {
    changes: (table, change) => sql`select ${shape} as shape, ${change} as change from ${table}`,
    apply: changes => sql`insert into search_text_shapes as counts (shape, files)
      select shape, sum(change) from (${changes}) as changes
      group by shape having sum(change) <> 0 order by md5(shape)
      on conflict (md5(shape)) do update set files = counts.files + excluded.files`,
    removeEmpty: sql`delete from search_text_shapes as counts using removed_rows where counts.files = 0
      and ${shapeKey(sql.ref('counts.shape'))} = ${shapeKey(shape)}`,
  })
}

interface DerivedTable {
  /** Selects the counted groups of a transition table, each with +1 or -1. */
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
