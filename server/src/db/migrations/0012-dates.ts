import { type Kysely, sql } from 'kysely'
import type { EngineTools } from '../engine.ts'

const DAY = 86_400_000
const UNDATED = '-1000000000000000'

/** Dates as far as they are known, undated files, and corrections. */
export async function up(db: Kysely<unknown>, { engine }: EngineTools): Promise<void> {
  for (const column of ['date_edtf', 'found_edtf', 'found_source', 'date_before']) {
    await db.schema.alterTable('media').addColumn(column, 'text').execute()
  }
  for (const column of ['date_earliest', 'date_latest', 'corrected_at']) {
    await db.schema.alterTable('media').addColumn(column, 'bigint').execute()
  }
  await db.schema
    .alterTable('media')
    .addColumn('corrected_by', 'bigint', c => c.references('people.id'))
    .execute()
  await convertDates(db, engine)
  // Undated files come last in ascending order, too, the newest upload first: the key is that of the upload below all dates.
  const ascending = sql`case when date_sort < ${sql.raw(UNDATED)} / 2 then -date_sort else date_sort end`
  await db.schema
    .alterTable('media')
    .addColumn('date_sort_asc', 'bigint', c => {
      const generated = c.generatedAlwaysAs(ascending)
      return engine === 'postgres' ? generated.stored() : generated
    })
    .execute()
  await db.schema
    .createIndex('media_date_sort_asc_idx')
    .on('media')
    .columns(['date_sort_asc', 'id', 'proportion', 'deleted_at'])
    .where(sql.ref('deleted_at'), 'is', null)
    .execute()
}

/** See `contract/src/edtf.ts` for the sort keys. */
async function convertDates(db: Kysely<unknown>, engine: EngineTools['engine']): Promise<void> {
  const timeOfDay = sql`((date_sort % ${sql.lit(DAY)}) + ${sql.lit(DAY)}) % ${sql.lit(DAY)}`
  await sql`update media set date_sort = date_sort - 3 where ${timeOfDay} > ${sql.lit(DAY - 4)}`.execute(db)

  // The date of the upload, that of a copy made for it, and clocks that were not set.
  const within = (start: number, length: number) =>
    sql`(taken_local >= ${sql.lit(start)} and taken_local < ${sql.lit(start + length)})`
  const doubtful = sql`(date_source is null or date_source in ('metadata', 'sidecar')) and date_sort = taken_local
    and (${sql.join([within(0, DAY), within(315_532_800_000, DAY), within(946_684_800_000, 60_000)], sql` or `)}
      or taken_local > uploaded_at + ${sql.lit(DAY)})`
  const uploaded = sql`date_source = 'upload' or (date_source is null and taken_local is null)`
  const copied = sql`date_source = 'file' and (file_date is null or file_date > uploaded_at - ${sql.lit(DAY)})`
  await sql`update media set date_sort = ${sql.raw(UNDATED)} + uploaded_at, day = -10000000, date_source = null,
    date_precision = null where (${doubtful}) or (${uploaded}) or (${copied})`.execute(db)

  await sql`update media set date_source = 'metadata', date_precision = 'time'
    where date_source is null and day <> -10000000`.execute(db)
  await convertPartialDates(db)
  const text =
    engine === 'sqlite'
      ? sql`strftime('%Y-%m-%dT%H:%M:%S', floor(date_sort / 1000.0), 'unixepoch')`
      : sql`to_char(to_timestamp(floor(date_sort / 1000.0)) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS')`
  await sql`update media set date_edtf = case date_precision when 'day' then substr(${text}, 1, 10) else ${text} end,
    date_earliest = date_sort, date_latest = case date_precision when 'day' then date_sort + ${sql.lit(DAY - 1)} else date_sort end
    where date_edtf is null and day <> -10000000`.execute(db)
  await sql`update media set found_edtf = date_edtf, found_source = date_source`.execute(db)
}

/** Years and months were listed under their first day; now they have headings in their middle. */
async function convertPartialDates(db: Kysely<unknown>): Promise<void> {
  for (const [precision, length, place] of [
    ['month', 7, 3],
    ['year', 4, 2],
  ] as const) {
    const { rows } = await sql<{ date_sort: number | string }>`select distinct date_sort from media
      where date_precision = ${precision} and day <> -10000000`.execute(db)
    for (const row of rows) {
      const first = Number(row.date_sort)
      const date = new Date(first)
      const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()]
      const end = precision === 'year' ? Date.UTC(year + 1, 0) : Date.UTC(year, month + 1)
      const day = Math.floor((first + end - 1) / 2 / DAY)
      for (const part of [sql`deleted_at is null`, sql`deleted_at is not null`]) {
        await sql`update media set date_sort = ${day * DAY + DAY - place}, day = ${day + place * 1_000_000},
          date_edtf = ${date.toISOString().slice(0, length)}, date_earliest = ${first}, date_latest = ${end - 1}
          where date_precision = ${precision} and date_sort = ${first} and date_edtf is null and ${part}`.execute(db)
      }
    }
  }
}
