import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

export interface SqliteRequest {
  id: number
  sql: string
  parameters: readonly unknown[]
}

/** Rows are arrays: structured cloning would repeat the column names for every row. */
export interface SqliteTable {
  columns: string[]
  rows: unknown[][]
  changes: number
}

export type SqliteResponse = { id: number } & (
  | SqliteTable
  | { failure: { message: string; errcode: number | undefined } }
)

/** One SQLite connection per worker thread, so that an fsync never blocks the event loop. */
const { file, readOnly, interrupted } = workerData as { file: string; readOnly: boolean; interrupted: Int32Array }

const database = new DatabaseSync(file)
database.exec('PRAGMA busy_timeout = 10000')
database.exec('PRAGMA journal_mode = WAL')
database.exec('PRAGMA synchronous = FULL')
database.exec('PRAGMA foreign_keys = ON')
database.exec('PRAGMA temp_store = MEMORY')
if (readOnly) database.exec('PRAGMA query_only = ON')

let runningId = 0

// `node:sqlite` cannot interrupt a statement, so those that scan call this for each row.
database.function('not_interrupted', () => {
  if (Atomics.load(interrupted, 0) === runningId) throw new Error('The query was interrupted')
  return 1
})

interface Prepared {
  statement: StatementSync
  returnsRows: boolean
}

const prepared = new Map<string, Prepared>()
const MAX_PREPARED = 300

function prepare(sql: string): Prepared {
  const known = prepared.get(sql)
  if (known) return known
  const statement = database.prepare(sql)
  statement.setReturnArrays(true)
  if (prepared.size >= MAX_PREPARED) prepared.delete(prepared.keys().next().value ?? sql)
  const made = { statement, returnsRows: statement.columns().length > 0 }
  prepared.set(sql, made)
  return made
}

function answer({ id, sql, parameters }: SqliteRequest): SqliteResponse {
  runningId = id
  try {
    const { statement, returnsRows } = prepare(sql)
    const values = parameters as SQLInputValue[]
    if (!returnsRows) return { id, columns: [], rows: [], changes: Number(statement.run(...values).changes) }
    const rows = statement.all(...values) as unknown as unknown[][]
    // Afterwards: running it notices that another connection has changed the schema, and `select *` has other columns.
    return { id, columns: statement.columns().map(({ name }) => name), rows, changes: 0 }
  } catch (error) {
    const { message, errcode } = error as Error & { errcode?: number }
    return { id, failure: { message, errcode } }
  }
}

parentPort?.on('message', (question: SqliteRequest | 'close') => {
  if (question === 'close') {
    if (!readOnly) database.exec('PRAGMA optimize')
    database.close()
    parentPort?.close()
    return
  }
  parentPort?.postMessage(answer(question))
})
