import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import pg from 'pg'
import { MIGRATIONS_TABLE, refuseUnreleasedDatabase } from './migrate.ts'

const ROWS_AT_ONCE = 2_000

/** The column types that both engines and JSON represent identically. */
export type Value = string | number | null

export interface Table {
  name: string
  columns: string[]
  /** The highest id ever assigned, even if its row is gone; null if the database does not assign the ids. */
  lastId: number | null
}

/** The database as it was at one moment, unaffected by later writes. */
export interface Snapshot {
  /** Empty if nothing has ever been stored. */
  tables(): Promise<Table[]>
  /** In batches of some thousand rows. */
  read(query: string): AsyncIterable<Value[][]>
  close(): Promise<void>
}

/** Where a library's database is: on Postgres, or in its folder. */
export interface DatabasePlace {
  databaseUrl: string | undefined
  dataFolder: string
}

export async function openSnapshot({ databaseUrl, dataFolder }: DatabasePlace): Promise<Snapshot> {
  const snapshot = databaseUrl
    ? await openPostgresSnapshot(databaseUrl)
    : openSqliteSnapshot(join(dataFolder, 'heirloom.db'))
  try {
    const tables = (await snapshot.tables()).map(table => table.name)
    const done: string[] = []
    if (tables.includes(MIGRATIONS_TABLE)) {
      for await (const rows of snapshot.read(`select name from ${MIGRATIONS_TABLE}`))
        done.push(...rows.flat().map(String))
    }
    refuseUnreleasedDatabase(tables, done)
    return snapshot
  } catch (error) {
    await snapshot.close()
    throw error
  }
}

/** Quotes an SQL identifier for both engines. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

/** Column types that both engines and JSON represent identically. Values of others would change on the way. */
const PORTABLE = new Set(['text', 'character varying', 'bigint', 'integer', 'double precision'])

async function openPostgresSnapshot(url: string): Promise<Snapshot> {
  const types = new pg.TypeOverrides()
  types.setTypeParser(pg.types.builtins.INT8, Number)
  const client = new pg.Client({ connectionString: url, types })
  // The running query fails by itself; without a listener, the 'error' event would crash the process.
  client.on('error', () => {})
  await client.connect()
  await client.query('begin isolation level repeatable read read only')

  async function rows(query: string, values: Value[] = []): Promise<Value[][]> {
    return (await client.query<Value[]>({ text: query, values, rowMode: 'array' })).rows
  }

  async function tableNamed(name: string): Promise<Table> {
    const columns = await rows(
      `select column_name, data_type, is_identity, pg_get_serial_sequence(quote_ident(table_name), column_name)
       from information_schema.columns
       where table_schema = current_schema() and table_name = $1 and is_generated = 'NEVER' order by ordinal_position`,
      [name],
    )
    for (const [column, type] of columns) {
      if (!PORTABLE.has(String(type))) throw new Error(`A backup cannot hold ${name}.${column}, which is ${type}`)
    }
    const sequence = columns.find(([, , identity]) => identity === 'YES')?.[3]
    return {
      name,
      columns: columns.map(([column]) => String(column)),
      lastId: sequence ? await lastIdOf(String(sequence)) : null,
    }
  }

  async function lastIdOf(sequence: string): Promise<number | null> {
    // Read after the snapshot began, so it can only be higher than any id in it.
    const [last] = await rows(`select case when is_called then last_value end from ${sequence}`)
    return last?.[0] == null ? null : Number(last[0])
  }

  return {
    async tables() {
      const names = await rows(
        `select relname from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'
         and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e') order by relname`,
      )
      const tables: Table[] = []
      for (const name of names.flat()) tables.push(await tableNamed(String(name)))
      return tables
    },
    async *read(query) {
      const cursor = quoted('rows')
      await client.query(`declare ${cursor} no scroll cursor for ${query}`)
      for (;;) {
        const some = await rows(`fetch ${ROWS_AT_ONCE} from ${cursor}`)
        if (some.length === 0) break
        yield some
      }
      await client.query(`close ${cursor}`)
    },
    close: () => client.end(),
  }
}

const WAIT_MS = 10_000

/** Runs next to the server: in WAL mode a reader sees one consistent state and does not block writers. */
function openSqliteSnapshot(file: string): Snapshot {
  if (!existsSync(file)) return nothingThere
  const database = new DatabaseSync(file, { readOnly: true, timeout: WAIT_MS })
  database.exec('BEGIN')

  function all(query: string, ...values: Value[]): Value[][] {
    return asArrays(database.prepare(query)).all(...values) as unknown as Value[][]
  }

  function lastIds(): Map<Value, Value> {
    const kept = all(`select name from sqlite_master where name = 'sqlite_sequence'`).length > 0
    return new Map(
      kept ? all('select name, seq from sqlite_sequence').map(([name, id]) => [name ?? null, id ?? null]) : [],
    )
  }

  return {
    async tables() {
      // Without SQLite's internal tables and the full-text index, which triggers fill.
      const names = all(
        `select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite\\_%' escape '\\' order by name`,
      )
      const ids = lastIds()
      return names.map(([name]): Table => {
        // Without generated columns, which the database computes.
        const columns = all('select name from pragma_table_info(?) order by cid', name ?? null)
        return {
          name: String(name),
          columns: columns.flat().map(String),
          lastId: Number(ids.get(name ?? null) ?? 0) || null,
        }
      })
    },
    async *read(query) {
      let rows: Value[][] = []
      for (const row of asArrays(database.prepare(query)).iterate()) {
        rows.push(row as unknown as Value[])
        if (rows.length < ROWS_AT_ONCE) continue
        yield rows
        rows = []
      }
      if (rows.length > 0) yield rows
    },
    async close() {
      database.close()
    },
  }
}

function asArrays(statement: StatementSync): StatementSync {
  statement.setReturnArrays(true)
  return statement
}

const nothingThere: Snapshot = {
  tables: async () => [],
  async *read() {},
  close: async () => {},
}
