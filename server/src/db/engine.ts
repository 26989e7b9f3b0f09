import { type ColumnDefinitionBuilder, type CreateTableBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Schema, Tx } from './schema.ts'

export type Engine = 'sqlite' | 'postgres'

/** What differs between the two engines, and nothing else. */
export interface EngineTools {
  engine: Engine
  /** A primary key whose numbers are never used again. */
  withId<Table extends string, Columns extends string>(
    table: CreateTableBuilder<Table, Columns>,
  ): CreateTableBuilder<Table, Columns | 'id'>
  /** Text that sorts by code point on both engines. */
  sorted(column: ColumnDefinitionBuilder): ColumnDefinitionBuilder
  /** Makes transactions that check and then act on the same subject wait for each other. */
  serialise(tx: Tx, subject: string): Promise<void>
  /** Takes rows for this transaction and passes over those that another has taken. */
  skippingTaken<Table extends keyof Schema, Row>(
    query: SelectQueryBuilder<Schema, Table, Row>,
  ): SelectQueryBuilder<Schema, Table, Row>
}

export function engineTools(engine: Engine): EngineTools {
  return engine === 'sqlite' ? sqliteTools : postgresTools
}

const sqliteTools: EngineTools = {
  engine: 'sqlite',
  withId: table => table.addColumn('id', 'integer', column => column.primaryKey().autoIncrement()),
  sorted: column => column,
  // There is one writer.
  serialise: async () => {},
  skippingTaken: query => query,
}

const postgresTools: EngineTools = {
  engine: 'postgres',
  withId: table => table.addColumn('id', 'bigint', column => column.primaryKey().generatedByDefaultAsIdentity()),
  sorted: column => column.modifyEnd(sql`collate "C"`),
  serialise: async (tx, subject) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${subject}, 0))`.execute(tx)
  },
  skippingTaken: query => query.forUpdate().skipLocked(),
}
