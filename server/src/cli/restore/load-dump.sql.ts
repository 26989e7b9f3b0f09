import { sql } from 'kysely'
import type { Database } from '../../db/database.ts'
import type { Tx } from '../../db/schema.ts'
import type { Table, Value } from '../../db/snapshot.sql.ts'
import { inChunks } from '../../kit/in-chunks.ts'
import type { DumpedRows } from '../backup/database-dump.ts'

/** Set while the rows are loaded but the restore is not finished. */
export const RESTORING = 'restoring'

/** Both engines limit the number of bound values per statement. */
const MOST_VALUES = 30_000

/** All rows in one transaction: an interrupted restore leaves an empty database. */
export async function loadDump(
  db: Database,
  snapshot: { name: string; rows: Record<string, number> },
  dump: () => AsyncIterable<DumpedRows>,
): Promise<void> {
  await db.transaction(async tx => {
    const loaded: Record<string, number> = {}
    const references = db.engine === 'sqlite' ? await sqliteReferences(tx) : await postgresReferences(tx)
    for await (const { table, rows } of dump()) {
      if (rows.length === 0 && table.lastId !== null) await continueIds(db, tx, table.name, table.lastId)
      await insertRows(tx, table, rows)
      loaded[table.name] = (loaded[table.name] ?? 0) + rows.length
    }
    for (const [table, rows] of Object.entries(snapshot.rows)) {
      if (loaded[table] !== rows) throw new Error(`The backup holds ${loaded[table]} of ${rows} rows of ${table}`)
    }
    await references.check()
    await tx.insertInto('settings').values({ name: RESTORING, value: snapshot.name }).execute()
  })
}

export async function finishRestore(db: Database): Promise<void> {
  await db.query.deleteFrom('settings').where('name', '=', RESTORING).execute()
}

async function insertRows(tx: Tx, { name, columns }: Table, rows: Value[][]): Promise<void> {
  for (const some of inChunks(rows, Math.floor(MOST_VALUES / columns.length))) {
    const values = some.map(row => sql`(${sql.join(row)})`)
    await sql`insert into ${sql.table(name)} (${sql.join(columns.map(column => sql.id(column)))}) values ${sql.join(values)}`.execute(
      tx,
    )
  }
}

/** Ids are never reused, including those of rows deleted before the backup. */
async function continueIds(db: Database, tx: Tx, table: string, lastId: number): Promise<void> {
  if (db.engine === 'sqlite') {
    await sql`delete from sqlite_sequence where name = ${table}`.execute(tx)
    await sql`insert into sqlite_sequence (name, seq) values (${table}, ${lastId})`.execute(tx)
  } else {
    await sql`select setval(pg_get_serial_sequence(quote_ident(${table}), 'id'), ${lastId})`.execute(tx)
  }
}

interface References {
  /** Throws if a foreign key refers to a missing row. */
  check(): Promise<void>
}

/** Rows may refer to later rows of the same table, so foreign keys are checked at the commit. */
async function sqliteReferences(tx: Tx): Promise<References> {
  await sql`pragma defer_foreign_keys = on`.execute(tx)
  // The commit checks the foreign keys.
  return { check: async () => {} }
}

async function postgresReferences(tx: Tx): Promise<References> {
  const { rows } = await sql<{ table: string; name: string }>`
    select conrelid::regclass::text as "table", conname as name from pg_constraint
    where contype = 'f' and connamespace = current_schema()::regnamespace`.execute(tx)
  const change = async (how: string) => {
    for (const { table, name } of rows) {
      await sql`alter table ${sql.raw(table)} alter constraint ${sql.id(name)} ${sql.raw(how)}`.execute(tx)
    }
  }
  await change('deferrable initially deferred')
  return {
    async check() {
      await sql`set constraints all immediate`.execute(tx)
      await change('not deferrable')
    },
  }
}
