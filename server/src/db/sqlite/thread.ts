import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { SqliteRequest, SqliteResponse, SqliteTable } from './worker.ts'

export interface SqliteRows {
  rows: unknown[]
  changes: number
}

/** An error that SQLite itself reported; `errcode` is its extended result code. */
class SqliteError extends Error {
  readonly errcode: number | undefined

  constructor(message: string, errcode: number | undefined) {
    super(message)
    this.name = 'SqliteError'
    this.errcode = errcode
  }
}

interface Waiting {
  resolve(rows: SqliteRows): void
  reject(error: Error): void
}

/** Client of a connection on a worker thread. Queries are answered in order. */
export class SqliteThread {
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  /** The number of the query that is to be interrupted; the thread looks at it while it runs a query. */
  readonly #interrupted = new Int32Array(new SharedArrayBuffer(4))
  #lastId = 0
  #failure: Error | undefined

  constructor(file: string, options: { readOnly: boolean }) {
    this.#worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: { file, readOnly: options.readOnly, interrupted: this.#interrupted },
    })
    this.#worker.on('message', (answer: SqliteResponse) => this.#settle(answer))
    this.#worker.on('error', error => this.#fail(error instanceof Error ? error : new Error(String(error))))
    this.#worker.on('exit', () => this.#fail(new Error('The database is closed')))
  }

  /** Ends the latest query, if it is one that scans (`interruptible` in `engine.ts`); others run to their end. */
  interrupt(): void {
    Atomics.store(this.#interrupted, 0, this.#lastId)
  }

  query(sql: string, parameters: readonly unknown[] = []): Promise<SqliteRows> {
    if (this.#failure) return Promise.reject(this.#failure)
    const id = this.#nextId()
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject })
      this.#worker.postMessage({ id, sql, parameters: parameters.map(asSqlite) } satisfies SqliteRequest)
    })
  }

  /** Of 31 bits, as many as the thread compares. */
  #nextId(): number {
    this.#lastId = (this.#lastId % 0x7fffffff) + 1
    return this.#lastId
  }

  async close(): Promise<void> {
    if (this.#failure) return
    const exited = once(this.#worker, 'exit')
    this.#worker.postMessage('close')
    await exited
  }

  #settle(answer: SqliteResponse): void {
    const waiting = this.#waiting.get(answer.id)
    this.#waiting.delete(answer.id)
    if ('failure' in answer) waiting?.reject(new SqliteError(answer.failure.message, answer.failure.errcode))
    else waiting?.resolve({ rows: named(answer), changes: answer.changes })
  }

  #fail(error: Error): void {
    this.#failure ??= error
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}

/** Each row is cloned from an object with all columns: adding them one by one is several times slower. */
function named({ columns, rows }: SqliteTable): Record<string, unknown>[] {
  const empty = Object.fromEntries(columns.map(column => [column, null as unknown]))
  return rows.map(values => {
    const row = { ...empty }
    for (let i = 0; i < columns.length; i++) row[columns[i] as string] = values[i]
    return row
  })
}

function asSqlite(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0
  return value === undefined ? null : value
}
