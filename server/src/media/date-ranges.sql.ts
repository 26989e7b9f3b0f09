import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { rankOf, UNDATED_LIMIT } from '#contract/edtf.ts'
import { DAY } from '#contract/limits.ts'
import type { DateRange } from './date-ranges.ts'

export const isUndated = sql<SqlBool>`media.date_sort < ${sql.lit(UNDATED_LIMIT)}`

export const isUndatedAscending = sql<SqlBool>`media.date_sort_asc > ${sql.lit(-UNDATED_LIMIT)}`

/** Both columns have the same keys for files that have a date. */
export function isDated(
  { first = UNDATED_LIMIT, last = -UNDATED_LIMIT, ...range }: DateRange,
  column: 'date_sort' | 'date_sort_asc',
): Expression<SqlBool> {
  const { firstRank, lastRank, atLeast, exactly, within, orAround } = range
  const key = sql.ref(`media.${column}`)
  const conditions = [sql`${key} >= ${first} and ${key} <= ${last}`]
  // Postgres estimates a range of one column well, but not one of rows of columns.
  if (firstRank !== undefined) conditions.push(sql`(${key} > ${first} or ${rank} >= ${firstRank})`)
  if (lastRank !== undefined) conditions.push(sql`(${key} < ${last} or ${rank} <= ${lastRank})`)
  if (atLeast !== undefined) conditions.push(sql`${rank} <= ${rankOf(atLeast)}`)
  if (exactly !== undefined) conditions.push(sql`${rank} = ${rankOf(exactly)}`)
  if (within) {
    const known = [
      ...(within.first === null ? [] : [sql`media.date_earliest >= ${within.first}`]),
      ...(within.last === null ? [] : [sql`media.date_latest <= ${within.last}`]),
    ]
    // The key of a day is enough, so that only the rows of less exact dates are read.
    conditions.push(sql`(${rank} = ${rankOf('day')} or (${sql.join(known, sql` and `)}))`)
  }
  const inRange = sql<SqlBool>`(${sql.join(conditions, sql` and `)})`
  return orAround ? sql<SqlBool>`(${inRange} or ${isAround(first, last, key)})` : inRange
}

const rank = sql.ref('media.heading_rank')

/** The days of decades and times between two dates are found in the counts: there are few. */
function isAround(first: number, last: number, key: RawBuilder<unknown>): Expression<SqlBool> {
  const decade = sql.lit(rankOf('decade'))
  const keys = sql`select (cast(day as bigint) + 1) * ${sql.lit(DAY)} - 1 from media_day_counts where heading_rank = ${decade}`
  return sql<SqlBool>`(${key} in (${keys}) and ${rank} = ${decade}
    and media.date_earliest <= ${last} and media.date_latest >= ${first})`
}
