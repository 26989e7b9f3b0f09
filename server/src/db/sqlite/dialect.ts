import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { SqliteReaders } from './readers.ts'
import { SqliteThread } from './thread.ts'

const READERS = 3

/** Kysely over `node:sqlite`: one writer thread behind a mutex, and several reader threads. */
export function openSqlite(file: string): Dialect {
  return {
    createAdapter: () => new TransactionalDdlAdapter(),
    createDriver: () => new SqliteThreadsDriver(file),
    createIntrospector: db => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  }
}

class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

class SqliteThreadsDriver implements Driver {
  readonly #file: string
  readonly #writerLock = new Mutex()
  #writer: SqliteThread | undefined
  #readers: SqliteReaders | undefined

  constructor(file: string) {
    this.#file = file
  }

  async init(): Promise<void> {
    const writer = new SqliteThread(this.#file, { readOnly: false })
    // The writer creates the file and turns on WAL before a reader looks at it.
    await writer.query('SELECT 1')
    this.#writer = writer
    this.#readers = new SqliteReaders(this.#file, READERS)
  }

  async acquireConnection(): Promise<Connection> {
    return new Connection(this)
  }

  async releaseConnection(): Promise<void> {}

  async beginTransaction(connection: Connection): Promise<void> {
    const done = await this.#writerLock.lock()
    try {
      await this.writer.query('BEGIN IMMEDIATE')
    } catch (error) {
      done()
      throw error
    }
    connection.releaseWriter = done
  }

  async commitTransaction(connection: Connection): Promise<void> {
    await this.writer.query('COMMIT')
    connection.endTransaction()
  }

  async rollbackTransaction(connection: Connection): Promise<void> {
    try {
      await this.writer.query('ROLLBACK')
    } catch (error) {
      // SQLite rolled back by itself, for example on a full disk. The original error is the one to report.
      if (!(error instanceof Error && error.message.includes('no transaction is active'))) throw error
    } finally {
      connection.endTransaction()
    }
  }

  async destroy(): Promise<void> {
    const done = await this.#writerLock.lock()
    await this.#readers?.close()
    // Last, because closing the final connection checkpoints the write-ahead log.
    await this.#writer?.close()
    done()
  }

  get writer(): SqliteThread {
    if (!this.#writer) throw new Error('The database is not open')
    return this.#writer
  }

  get readers(): SqliteReaders {
    if (!this.#readers) throw new Error('The database is not open')
    return this.#readers
  }

  async runExclusively(query: CompiledQuery) {
    const done = await this.#writerLock.lock()
    try {
      return await this.writer.query(query.sql, query.parameters)
    } finally {
      done()
    }
  }
}

class Connection implements DatabaseConnection {
  readonly #driver: SqliteThreadsDriver
  /** Set while this connection holds the writer for a transaction. */
  releaseWriter: (() => void) | undefined

  constructor(driver: SqliteThreadsDriver) {
    this.#driver = driver
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const { rows, changes } = await this.#query(query)
    return { rows: rows as Row[], numAffectedRows: BigInt(changes) }
  }

  #query(query: CompiledQuery) {
    if (this.releaseWriter) return this.#driver.writer.query(query.sql, query.parameters)
    if (query.query.kind === 'SelectQueryNode') return this.#driver.readers.query(query.sql, query.parameters)
    return this.#driver.runExclusively(query)
  }

  endTransaction(): void {
    this.releaseWriter?.()
    this.releaseWriter = undefined
  }

  streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('Streaming is not supported, because it would block a reader thread. Read page by page.')
  }
}

/** Serialises writers. `lock` resolves to the function that releases the lock. */
class Mutex {
  #last: Promise<void> = Promise.resolve()

  async lock(): Promise<() => void> {
    const before = this.#last
    let done: () => void = () => {}
    this.#last = new Promise(resolve => {
      done = resolve
    })
    await before
    return done
  }
}
