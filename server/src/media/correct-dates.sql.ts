import { type RawBuilder, sql } from 'kysely'
import { corrections } from '#contract/limits.ts'
import type { Database } from '../db/database.ts'
import type { Handle, MediaRow, NewMedia, Tx } from '../db/schema.ts'
import { inChunks } from '../kit/in-chunks.ts'

const datedColumns = [
  ...[
    'id',
    'original_name',
    'uploaded_at',
    'taken_local',
    'taken_offset',
    'date_edtf',
    'date_source',
    'found_edtf',
    'found_source',
  ],
  ...['corrected_by', 'corrected_at', 'date_before'],
] as const satisfies (keyof MediaRow)[]

export type DatedRow = Pick<MediaRow, (typeof datedColumns)[number]>

/** Files that are not deleted, locked until the transaction ends, in a fixed order to prevent deadlocks. */
export async function lockDated(db: Database, tx: Tx, ids: readonly number[]): Promise<DatedRow[]> {
  const rows: DatedRow[] = []
  for (const some of inChunks([...new Set(ids)].sort((a, b) => a - b))) {
    const query = tx.selectFrom('media').select(datedColumns).where('id', 'in', some).where('deleted_at', 'is', null)
    rows.push(...(await db.forUpdate(query.orderBy('id')).execute()))
  }
  return rows
}

/** Without a lock, for showing what a change would do. */
export async function selectDated(handle: Handle, ids: readonly number[]): Promise<DatedRow[]> {
  const rows: DatedRow[] = []
  for (const some of inChunks([...new Set(ids)])) {
    const query = handle.selectFrom('media').select(datedColumns).where('id', 'in', some)
    rows.push(...(await query.where('deleted_at', 'is', null).execute()))
  }
  return rows
}

interface DateCorrection {
  by: number
  at: number
}

/** The files for which this is the last correction, and can be undone. */
const correctedBy = (handle: Handle, { by, at }: DateCorrection) =>
  handle
    .selectFrom('media')
    .where('corrected_at', '=', at)
    .where('corrected_by', '=', by)
    .where('date_before', 'is not', null)
    .where('deleted_at', 'is', null)

export async function idsOfCorrection(handle: Handle, correction: DateCorrection): Promise<number[]> {
  const rows = await correctedBy(handle, correction).select('id').execute()
  return rows.map(({ id }) => id)
}

/** At most one more than `countedFiles`. */
export async function countOfCorrection(handle: Handle, correction: DateCorrection): Promise<number> {
  const some = correctedBy(handle, correction)
    .select('id')
    .limit(corrections.countedFiles + 1)
  const count = handle.selectFrom(some.as('counted')).select(({ fn }) => fn.countAll<number>().as('files'))
  return (await count.executeTakeFirstOrThrow()).files
}

export async function findDated(handle: Handle, id: number): Promise<DatedRow | undefined> {
  const query = handle.selectFrom('media').select(datedColumns)
  return query.where('id', '=', id).where('deleted_at', 'is', null).executeTakeFirst()
}

/**
 * For columns that were read from the file again: without the date that counts if somebody has corrected it, perhaps
 * while they were read. Locks the row.
 */
export async function keepCorrectedDate<Change extends Partial<NewMedia>>(
  db: Database,
  tx: Tx,
  id: number,
  change: Change,
): Promise<Partial<Change>> {
  if (change.date_sort === undefined) return change
  const row = await db.forUpdate(tx.selectFrom('media').select('date_source').where('id', '=', id)).executeTakeFirst()
  if (row?.date_source !== 'person') return change
  const { date_edtf, date_earliest, date_latest, date_sort, day, date_source, date_precision, ...others } = change
  return others as Partial<Change>
}

const columns = {
  date_edtf: 'text',
  date_earliest: 'bigint',
  date_latest: 'bigint',
  date_sort: 'bigint',
  day: 'integer',
  date_source: 'text',
  date_precision: 'text',
  corrected_by: 'bigint',
  corrected_at: 'bigint',
  date_before: 'text',
} as const satisfies Partial<Record<keyof MediaRow, string>>

export type DateUpdate = Pick<MediaRow, 'id' | keyof typeof columns>

/** Each row has values of its own, and one statement changes many rows. */
export async function updateDates(tx: Tx, updates: readonly DateUpdate[]): Promise<void> {
  const names = Object.keys(columns) as (keyof typeof columns)[]
  const set = sql.join(names.map(name => sql`${sql.id(name)} = changed.${sql.id(name)}`))
  for (const some of inChunks(updates, ROWS_AT_ONCE)) {
    const rows = some.map(
      update =>
        sql`(${sql.join([cast(update.id, 'bigint'), ...names.map(name => cast(update[name], columns[name]))])})`,
    )
    await sql`with changed (id, ${sql.join(names.map(name => sql.id(name)))}) as (values ${sql.join(rows)})
      update media set ${set} from changed where media.id = changed.id`.execute(tx)
  }
}

/** Both engines limit the number of bound values per statement. */
const ROWS_AT_ONCE = 500

/** Postgres does not know the type of a bound null. */
function cast(value: string | number | null, type: string): RawBuilder<unknown> {
  return sql`cast(${value} as ${sql.raw(type)})`
}
