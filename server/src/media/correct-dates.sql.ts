import type { Database } from '../db/database.ts'
import type { Handle, MediaRow, NewMedia, Tx } from '../db/schema.ts'
import { updateRows } from '../db/update-rows.sql.ts'
import { inChunks } from '../kit/in-chunks.ts'

const datedColumns = [
  ...['id', 'original_name', 'file_type', 'uploaded_at', 'taken_local', 'taken_offset'],
  ...['date_edtf', 'date_source', 'found_edtf', 'found_source', 'corrected_by', 'corrected_at'],
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

/** Without a lock, for planning a change. */
export async function selectDated(handle: Handle, ids: readonly number[]): Promise<DatedRow[]> {
  const rows: DatedRow[] = []
  for (const some of inChunks([...new Set(ids)])) {
    const query = handle.selectFrom('media').select(datedColumns).where('id', 'in', some)
    rows.push(...(await query.where('deleted_at', 'is', null).execute()))
  }
  return rows
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
  const {
    date_edtf,
    date_earliest,
    date_latest,
    date_sort,
    heading_rank,
    day,
    date_source,
    date_precision,
    ...others
  } = change
  return others as Partial<Change>
}

const types = {
  date_edtf: 'text',
  date_earliest: 'bigint',
  date_latest: 'bigint',
  date_sort: 'bigint',
  heading_rank: 'integer',
  day: 'integer',
  date_source: 'text',
  date_precision: 'text',
  corrected_by: 'bigint',
  corrected_at: 'bigint',
} as const satisfies Partial<Record<keyof MediaRow, string>>

export type DateUpdate = Pick<MediaRow, 'id' | keyof typeof types>

export async function updateDates(tx: Tx, updates: readonly DateUpdate[]): Promise<void> {
  await updateRows(tx, 'media', { key: 'id', types }, updates)
}
