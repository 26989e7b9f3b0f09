import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely'

export interface PageBefore {
  limit: number
  /** The id of the last row of the previous page. */
  before?: number | undefined
}

/** One page of a list with the newest first (keyset pagination). `id` names the column, with its table in a join. */
export function newestFirst<DB, Tables extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, Tables, Row>,
  id: string,
  { limit, before }: PageBefore,
): SelectQueryBuilder<DB, Tables, Row> {
  const column = sql.ref(id)
  const older = before === undefined ? query : query.where(sql<SqlBool>`${column} < ${before}`)
  return older.orderBy(column, 'desc').limit(limit)
}
