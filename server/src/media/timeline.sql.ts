import { type RawBuilder, sql } from 'kysely'
import type { Group } from '#contract/edtf.ts'
import type { Database } from '../db/database.ts'
import { filesByDay } from './counts.sql.ts'
import { hasPrecomputedCount, type ListFilter, matching, type Order } from './filter.sql.ts'
import { inOrder, sortKey } from './list.sql.ts'

export interface TimelineRows {
  /** In no order. */
  days: (Group & { files: number })[]
  /** One character a file, in list order. */
  proportions: string | null
}

interface Wanted {
  days: boolean
  proportions: boolean
}

/** Both in one statement, so that they describe the same files whatever is added in between. */
export async function selectTimeline(
  db: Database,
  filter: ListFilter,
  order: Order,
  wanted: Wanted,
): Promise<TimelineRows> {
  const query = hasPrecomputedCount(filter)
    ? fromCounts(db, filter, order, wanted)
    : fromFiles(db, filter, order, wanted)
  // A select, because SQLite runs all other statements one after the other, between the writes.
  const rows = await db.query
    .selectFrom(
      sql<{ day: number | null; heading_rank: number; files: number; proportions: string | null }>`(${query})`.as(
        'timeline',
      ),
    )
    .selectAll()
    .execute()
  const days = rows.flatMap(({ day, heading_rank, files }) => (day === null ? [] : { day, heading_rank, files }))
  const proportions = wanted.proportions ? (rows.find(row => row.day === null)?.proportions ?? '') : null
  return { days, proportions }
}

/** With the counts that triggers maintain: no file is read for the days, and only an index for the proportions. */
function fromCounts(db: Database, filter: ListFilter, order: Order, wanted: Wanted): RawBuilder<unknown> {
  const files = inOrder(matching(db, filter).select('proportion'), order)
  return union(
    wanted,
    sql`select day, heading_rank, files, null as proportions from (${filesByDay(db.query, filter.given)}) as days`,
    files,
  )
}

/** Finds the files once for both. */
function fromFiles(db: Database, filter: ListFilter, order: Order, wanted: Wanted): RawBuilder<unknown> {
  const found = matching(db, filter).select(['id', 'day', 'heading_rank', 'proportion', sortKey(order).as('sort_key')])
  const direction = sql.raw(order.order)
  const rank = order.sort === 'date' ? sql`heading_rank ${direction}, ` : sql``
  return sql`with found as materialized ${found} ${union(
    wanted,
    sql`select day, heading_rank, count(*) as files, null as proportions from found group by day, heading_rank`,
    sql`select proportion from found order by sort_key ${direction}, ${rank}id ${direction}`,
  )}`
}

function union(wanted: Wanted, days: RawBuilder<unknown>, files: RawBuilder<unknown> | ReturnType<typeof inOrder>) {
  const proportions = sql`select null as day, null as heading_rank, null as files, string_agg(proportion, '') as proportions
    from (${files}) as files`
  const parts = [...(wanted.days ? [days] : []), ...(wanted.proportions ? [proportions] : [])]
  return sql.join(parts, sql` union all `)
}
