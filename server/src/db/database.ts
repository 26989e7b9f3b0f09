import { closeSync, existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, PostgresDialect, sql } from 'kysely'
import { KeyedMutex } from '../kit/keyed-mutex.ts'
import { KeyedSemaphore } from '../kit/keyed-semaphore.ts'
import { type Bus, localBus, postgresBus } from './bus.ts'
import { type Engine, type EngineTools, engineTools } from './engine.ts'
import { MIGRATIONS_TABLE, migrate, refuseUnreleasedDatabase } from './migrate.ts'
import { interruptiblePool } from './postgres-pool.ts'
import type { Handle, Schema, Tx } from './schema.ts'
import { openSqlite } from './sqlite/dialect.ts'
import { snapshotBeforeMigration } from './sqlite/snapshot-before-migration.ts'

export interface Database extends EngineTools, Bus {
  readonly query: Handle
  /** One transaction. Nothing but database calls is awaited inside. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * A transaction that changes this many files. Large ones run one at a time on a server, and take turns with everybody else's
   * short changes: SQLite has a single writer, and six of them would be ahead of the next note.
   */
  bulkTransaction<T>(files: number, work: (tx: Tx) => Promise<T>): Promise<T>
  /** Runs `act` after the transaction commits, and never if it rolls back. */
  afterCommit(tx: Tx, act: () => void): void
  /** Throws unless the database responds. */
  check(): Promise<void>
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** `postgres://…`; absent: SQLite in the data folder. */
  url: string | undefined
  dataFolder: string
  /** The last migration to run; absent: all of them. */
  schemaUpTo?: string
  /** false: no snapshot before migrations, because the rows come from a backup anyway. */
  snapshot?: boolean
}

export async function connect(options: DatabaseOptions): Promise<Database> {
  const engine: Engine = options.url ? 'postgres' : 'sqlite'
  const dialect = options.url ? await openPostgres(options.url) : openSqliteFile(options.dataFolder)
  const kysely = new Kysely<Schema>({ dialect })
  try {
    await migrate(kysely, engine, {
      upTo: options.schemaUpTo,
      async before(lastStep) {
        if (engine === 'sqlite' && options.snapshot !== false) {
          await snapshotBeforeMigration(kysely, options.dataFolder, lastStep)
        }
      },
    })
  } catch (error) {
    await kysely.destroy()
    throw error
  }
  return database(kysely, options.url)
}

export const sqliteFile = (dataFolder: string) => join(dataFolder, 'heirloom.db')

function openSqliteFile(dataFolder: string) {
  const file = sqliteFile(dataFolder)
  refuseUnreleasedFile(file)
  // It contains sessions and signing keys. SQLite gives the -wal and -shm files the same permissions.
  closeSync(openSync(file, 'a', 0o600))
  return openSqlite(file)
}

/** Read-only: opening the file for writing sets pragmas, which would already change it. */
function refuseUnreleasedFile(file: string): void {
  if (!existsSync(file)) return
  const database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 })
  try {
    const names = (query: string) =>
      database
        .prepare(query)
        .all()
        .map(({ name }) => String(name))
    const tables = names(`select name from sqlite_master where type = 'table'`)
    refuseUnreleasedDatabase(
      tables,
      tables.includes(MIGRATIONS_TABLE) ? names(`select name from ${MIGRATIONS_TABLE}`) : [],
    )
  } finally {
    database.close()
  }
}

/** Callbacks that run inside a transaction before its commit, and after it. */
interface CommitHooks {
  before: (() => Promise<void>)[]
  after: (() => void)[]
}

function database(kysely: Kysely<Schema>, url: string | undefined): Database {
  const waiting = new WeakMap<Tx, CommitHooks>()

  function hooksOf(tx: Tx): CommitHooks {
    const acts = waiting.get(tx)
    if (!acts) throw new Error('Work that waits for a commit needs a transaction made by transaction()')
    return acts
  }
  const beforeCommit = (tx: Tx, act: () => Promise<void>) => void hooksOf(tx).before.push(act)
  const afterCommit = (tx: Tx, act: () => void) => void hooksOf(tx).after.push(act)

  async function runOnce<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const acts: CommitHooks = { before: [], after: [] }
    const result = await kysely.transaction().execute(async tx => {
      waiting.set(tx, acts)
      const done = await work(tx)
      for (const act of acts.before) await act()
      return done
    })
    for (const act of acts.after) act()
    return result
  }

  async function transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const end = await places.acquire('transactions')
    try {
      for (let attempt = 1; ; attempt++) {
        try {
          return await runOnce(work)
        } catch (error) {
          if (attempt === MAX_ATTEMPTS || !isRetryableConflict(error)) throw error
        }
      }
    } finally {
      end()
    }
  }

  // Those that wait for the same lock must not take all connections of Postgres from those who only read.
  const places = new KeyedSemaphore(TRANSACTIONS)
  const bulk = new KeyedMutex<'all'>()

  return {
    ...engineTools(url ? 'postgres' : 'sqlite'),
    ...(url ? postgresBus(url, beforeCommit) : localBus(afterCommit)),
    query: kysely,
    afterCommit,
    transaction,
    bulkTransaction: (files, work) =>
      files <= MOST_FILES_AT_ONCE ? transaction(work) : bulk.run('all', () => transaction(work)),
    async check() {
      await sql`select 1`.execute(kysely)
    },
    close: () => kysely.destroy(),
  }
}

const MAX_ATTEMPTS = 4

/** Of Postgres. */
const CONNECTIONS = 10
const TRANSACTIONS = 7

/** A transaction of so few files is as short as any other. */
const MOST_FILES_AT_ONCE = 50

/** Postgres aborted this transaction because of a deadlock or serialization conflict; a retry may succeed. */
function isRetryableConflict(error: unknown): boolean {
  const code = (error as { code?: unknown }).code
  return code === '40P01' || code === '40001'
}

/** Loads the client only where Postgres is configured. */
async function openPostgres(url: string) {
  const { default: pg } = await import('pg')
  const types = new pg.TypeOverrides()
  // Ids, times and sums stay well below 2^53, so they are parsed as numbers.
  types.setTypeParser(pg.types.builtins.INT8, Number)
  types.setTypeParser(pg.types.builtins.NUMERIC, Number)
  const pool = new pg.Pool({ connectionString: url, types, max: CONNECTIONS, connectionTimeoutMillis: 10_000 })
  // The pool replaces a broken connection, and the query on it fails. Without listeners these events would crash the
  // process.
  pool.on('error', () => {})
  pool.on('connect', client => {
    client.on('error', () => {})
    // Compiling a search for ten words takes Postgres seconds and running it some milliseconds. A failure shows in the
    // next query on this connection.
    client.query('set jit = off').catch(() => {})
  })
  const control = new pg.Pool({ connectionString: url, max: 2, connectionTimeoutMillis: 10_000 })
  control.on('error', () => {})
  return new PostgresDialect({ pool: interruptiblePool(pool, control) })
}

/** The database is restarting or unreachable, as opposed to rejecting a query. */
export function isDatabaseUnavailable(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (typeof code === 'string' && UNAVAILABLE_CODES.has(code)) return true
  return typeof message === 'string' && /Connection terminated|timeout exceeded when trying to connect/.test(message)
}

/** The disk of the database is full. */
export function isDatabaseFull(error: unknown): boolean {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown }
  return code === POSTGRES_DISK_FULL || errcode === SQLITE_FULL || errcode === SQLITE_IOERR_SHMSIZE
}

const POSTGRES_DISK_FULL = '53100'
const SQLITE_FULL = 13
/** No space for the -shm file. */
const SQLITE_IOERR_SHMSIZE = 4874

const UNAVAILABLE_CODES = new Set(
  'ECONNREFUSED ECONNRESET ENOTFOUND ETIMEDOUT EPIPE 57P01 57P02 57P03 08000 08001 08003 08006 53300'.split(' '),
)
