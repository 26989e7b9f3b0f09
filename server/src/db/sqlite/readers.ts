import { currentReadLimits, longQueriesOf, type ReadLimits, runWithin } from '../../kit/read-limits.ts'
import { type SqliteRows, SqliteThread } from './thread.ts'

interface Waiting {
  /** Undefined: the query is short. */
  owner: string | undefined
  start(reader: SqliteThread): void
}

/**
 * The reader threads. Each runs one query at a time, so that a query whose client has gone never starts. Queries that may take
 * long run one at a time for each owner, and leave one reader to the others: each request looks its session up.
 */
export class SqliteReaders {
  readonly #all: readonly SqliteThread[]
  readonly #idle: SqliteThread[]
  readonly #waiting: Waiting[] = []
  readonly #busyOwners = new Set<string>()

  constructor(file: string, count: number) {
    this.#all = Array.from({ length: count }, () => new SqliteThread(file, { readOnly: true }))
    this.#idle = [...this.#all]
  }

  async query(sql: string, parameters: readonly unknown[]): Promise<SqliteRows> {
    const limits = currentReadLimits()
    const owner = longQueriesOf()
    const reader = await this.#acquire(owner)
    if (limits?.signal.aborted) {
      this.#release(reader, owner)
      throw limits.signal.reason
    }
    return this.#run(reader, limits, () =>
      // Free once the thread has answered, which may be after the request was given up.
      reader.query(sql, parameters).finally(() => this.#release(reader, owner)),
    )
  }

  async close(): Promise<void> {
    await Promise.all(this.#all.map(reader => reader.close()))
  }

  #run(reader: SqliteThread, limits: ReadLimits | undefined, run: () => Promise<SqliteRows>): Promise<SqliteRows> {
    return limits ? runWithin(limits, run, () => reader.interrupt()) : run()
  }

  #acquire(owner: string | undefined): Promise<SqliteThread> {
    const { promise, resolve } = Promise.withResolvers<SqliteThread>()
    this.#waiting.push({ owner, start: resolve })
    this.#startNext()
    return promise
  }

  #release(reader: SqliteThread, owner: string | undefined): void {
    this.#idle.push(reader)
    if (owner !== undefined) this.#busyOwners.delete(owner)
    this.#startNext()
  }

  #startNext(): void {
    while (this.#idle.length > 0) {
      const next = this.#waiting.findIndex(({ owner }) => owner === undefined || this.#mayStart(owner))
      const [waiting] = next < 0 ? [] : this.#waiting.splice(next, 1)
      const reader = waiting && this.#idle.pop()
      if (!waiting || !reader) return
      if (waiting.owner !== undefined) this.#busyOwners.add(waiting.owner)
      waiting.start(reader)
    }
  }

  #mayStart(owner: string): boolean {
    return !this.#busyOwners.has(owner) && this.#busyOwners.size < this.#all.length - 1
  }
}
