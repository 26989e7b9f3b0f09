import { type Kysely, sql } from 'kysely'
import type { EngineTools } from '../engine.ts'

/**
 * One table of changes that can be undone, with what each file was before. Corrections of dates and places had an undo each,
 * of which the last one of every file is kept.
 */
export async function up(db: Kysely<unknown>, tools: EngineTools): Promise<void> {
  await createTables(db, tools)
  await moveDates(db)
  await movePlaces(db, tools)
}

async function createTables(db: Kysely<unknown>, { withId }: EngineTools): Promise<void> {
  await withId(db.schema.createTable('changes'))
    .addColumn('kind', 'text', c => c.notNull())
    .addColumn('field', 'text')
    .addColumn('value', 'text')
    .addColumn('person_id', 'bigint', c => c.references('people.id'))
    .addColumn('created_at', 'bigint', c => c.notNull())
    .addColumn('files', 'integer', c => c.notNull())
    .addColumn('videos', 'integer', c => c.notNull())
    .addColumn('undone', 'integer', c => c.notNull().defaultTo(0))
    .execute()
  // Without a reference to `media`: what is listed of a change stays when its files are removed for good.
  await withId(db.schema.createTable('change_files'))
    .addColumn('change_id', 'bigint', c => c.notNull().references('changes.id'))
    .addColumn('media_id', 'bigint', c => c.notNull())
    .addColumn('before', 'text')
    .addColumn('undone_at', 'bigint')
    .execute()
  await db.schema
    .createIndex('change_files_change_id_idx')
    .unique()
    .on('change_files')
    .columns(['change_id', 'media_id'])
    .execute()
  await db.schema
    .alterTable('audit_log')
    .addColumn('change_id', 'bigint', c => c.references('changes.id'))
    .execute()
  await db.schema
    .createIndex('audit_log_change_id_idx')
    .on('audit_log')
    .column('change_id')
    .where(sql.ref('change_id'), 'is not', null)
    .execute()
  await db.schema.createIndex('change_files_media_id_idx').on('change_files').columns(['media_id', 'id']).execute()
}

async function moveDates(db: Kysely<unknown>): Promise<void> {
  const last = sql`from media where date_before is not null and corrected_by is not null and corrected_at is not null`
  await sql`insert into changes (kind, field, person_id, created_at, files, videos)
    select 'media.date', 'date', corrected_by, corrected_at, count(*), sum(case file_type when 'video' then 1 else 0 end) ${last}
    group by corrected_by, corrected_at order by corrected_at, corrected_by`.execute(db)
  // It was a JSON object with the date, who corrected it and when; or null, where nobody had.
  await sql`insert into change_files (change_id, media_id, before)
    select changes.id, media.id, case date_before when 'null' then '{"edtf":null,"source":null,"by":null,"at":null}'
      else substr(date_before, 1, length(date_before) - 1) || ',"source":"person"}' end
    from media join changes on kind = 'media.date' and person_id = corrected_by and created_at = corrected_at
    where date_before is not null order by corrected_at, media.id`.execute(db)
  await db.schema.dropIndex('media_corrected_at_idx').execute()
  await db.schema.alterTable('media').dropColumn('date_before').execute()
}

const previousColumns = ['kind', 'latitude', 'longitude', 'location', 'by', 'at'].map(name => `previous_${name}`)

async function movePlaces(db: Kysely<unknown>, { engine }: EngineTools): Promise<void> {
  await sql`insert into changes (kind, field, value, person_id, created_at, files, videos)
    select 'media.place', 'place', change_id, own.corrected_by, min(own.corrected_at), count(*),
      sum(case file_type when 'video' then 1 else 0 end)
    from place_corrections own join media on media.id = media_id where change_id <> ''
    group by change_id, own.corrected_by order by min(own.corrected_at)`.execute(db)
  const object = (...members: string[]) => {
    const list = members.map(member => `'${member.replace('previous_', '')}', ${member}`).join()
    return engine === 'sqlite' ? sql.raw(`json_object(${list})`) : sql.raw(`json_build_object(${list})::text`)
  }
  const before = object(...previousColumns)
  await sql`insert into change_files (change_id, media_id, before)
    select changes.id, media_id, case when previous_kind is null then '{"correction":null}'
      else '{"correction":' || ${before} || '}' end
    from place_corrections join changes on changes.kind = 'media.place' and value = change_id
      and person_id = corrected_by
    order by corrected_at, media_id`.execute(db)
  await sql`update changes set value = null where kind = 'media.place'`.execute(db)
  await db.schema.dropIndex('place_corrections_change_id_idx').execute()
  for (const column of ['change_id', ...previousColumns]) {
    await db.schema.alterTable('place_corrections').dropColumn(column).execute()
  }
}
