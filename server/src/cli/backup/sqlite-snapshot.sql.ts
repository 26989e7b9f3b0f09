import { existsSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { Snapshot, Table, Value } from './snapshot.ts'

const ROWS_AT_ONCE = 2_000
const WAIT_MS = 10_000

/** A reader beside the running server: in WAL mode it sees one moment, and keeps no writer waiting. */
export function openSqliteSnapshot(file: string): Snapshot {
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
      // Neither what SQLite keeps for itself nor the index of words, which fills itself.
      const names = all(
        `select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite\\_%' escape '\\' order by name`,
      )
      const ids = lastIds()
      return names.map(([name]): Table => {
        // Without generated columns, which a restored row gets from its others.
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
