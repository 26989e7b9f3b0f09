import { type RawBuilder, sql } from 'kysely'
import { inChunks } from '../kit/in-chunks.ts'
import type { Schema, Tx } from './schema.ts'

type Value = string | number | null

/**
 * Updates many rows that each have values of their own with few statements. `types`: of the columns, in SQL, because Postgres
 * does not know that of a bound null. `key`: a column of whole numbers.
 */
export async function updateRows<Column extends string, Key extends string>(
  tx: Tx,
  table: keyof Schema,
  { key, types }: { key: Key; types: Readonly<Record<Column, 'text' | 'bigint' | 'integer' | 'double precision'>> },
  rows: readonly (Readonly<Record<NoInfer<Column>, Value>> & Readonly<Record<NoInfer<Key>, number>>)[],
): Promise<void> {
  const names = Object.keys(types) as Column[]
  const set = sql.join(names.map(name => sql`${sql.id(name)} = changed.${sql.id(name)}`))
  const columns = sql.join([key, ...names].map(name => sql.id(name)))
  for (const some of inChunks(rows, ROWS_AT_ONCE)) {
    const values = some.map(row => {
      const own = names.map(name => cast(row[name], types[name]))
      return sql`(${sql.join([cast(row[key], 'bigint'), ...own])})`
    })
    await sql`with changed (${columns}) as (values ${sql.join(values)})
      update ${sql.table(table)} set ${set} from changed where ${sql.ref(`${table}.${key}`)} = changed.${sql.id(key)}`.execute(
      tx,
    )
  }
}

/** Both engines limit the number of bound values per statement. */
const ROWS_AT_ONCE = 500

function cast(value: Value, type: string): RawBuilder<unknown> {
  return sql`cast(${value} as ${sql.raw(type)})`
}
