import { type Kysely, sql } from 'kysely'

/** Of a column that is mostly null; for a foreign key, so that removing what it refers to does not scan the table. */
export async function indexOfSet(db: Kysely<unknown>, table: string, column: string): Promise<void> {
  const index = db.schema.createIndex(`${table}_${column}_idx`).on(table).column(column)
  await index.where(sql.ref(column), 'is not', null).execute()
}
