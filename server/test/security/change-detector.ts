import { createHash } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Library } from '../library.ts'
import { readTree } from '../read-tree.ts'

type Rows = Record<string, unknown>[]

/** A snapshot of the library: one digest per table, and each stored file with its size. */
export type State = ReadonlyMap<string, string>

/** Rows and files of one person that nobody else may change. */
export interface Protected {
  queries: readonly string[]
  /** Relative to the data folder. */
  files: readonly string[]
}

/**
 * Tables that change by themselves: rate limits, background jobs, locks of uploads, objects that a periodic job removes, and
 * counts that are made after a change.
 */
const unwatchedTables = new Set(['rate_limits', 'jobs', 'upload_locks', 'pending_objects', 'smart_album_counts'])
const unwatchedColumns: Record<string, readonly string[]> = { sessions: ['last_used_at'], media: ['verified_at'] }

/** Detects changes in the database or the data folder. */
export class ChangeDetector {
  readonly #library: Library
  readonly #query: (text: string) => Promise<Rows>
  readonly close: () => Promise<void>
  #tables: string[] = []
  #read: { revision: string; digests: [table: string, digest: string][] } | undefined

  private constructor(library: Library, query: (text: string) => Promise<Rows>, close: () => Promise<void>) {
    this.#library = library
    this.#query = query
    this.close = close
  }

  static async open(library: Library): Promise<ChangeDetector> {
    const { databaseUrl, dataFolder } = library.config
    if (databaseUrl) {
      const client = new pg.Client(databaseUrl)
      await client.connect()
      const changeDetector = new ChangeDetector(
        library,
        async text => (await client.query(text)).rows,
        () => client.end(),
      )
      changeDetector.#tables = await changeDetector.#names(
        "select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
      )
      return changeDetector
    }
    const database = new DatabaseSync(join(dataFolder, 'heirloom.db'), { readOnly: true, timeout: 5_000 })
    const changeDetector = new ChangeDetector(
      library,
      async text => database.prepare(text).all(),
      async () => database.close(),
    )
    // Tables of a full-text index are derived from others and stored in internal segments.
    changeDetector.#tables = await changeDetector.#names(
      `select name from pragma_table_list where schema = 'main' and type = 'table' and name not like 'sqlite_%'`,
    )
    return changeDetector
  }

  async #names(query: string): Promise<string[]> {
    const names = (await this.#query(query)).map(row => String(row.name))
    return names.filter(name => !unwatchedTables.has(name)).sort()
  }

  /** Waits for background jobs of earlier requests first. */
  async state(): Promise<State> {
    await this.#untilIdle()
    const state = new Map<string, string>()
    const revision = await this.#revision()
    // Nothing was committed since the digests were computed.
    if (revision !== this.#read?.revision) this.#read = { revision, digests: await this.#digests() }
    for (const [table, digest] of this.#read.digests) state.set(`table ${table}`, digest)
    for (const file of await this.files()) state.set(file, 'stored')
    return state
  }

  /** All files below the data folder except temporary ones. */
  async files(): Promise<string[]> {
    const folder = this.#library.config.dataFolder
    const top = (await readdir(folder, { withFileTypes: true })).filter(entry => entry.name !== 'scratch')
    const below = top.filter(entry => entry.isDirectory()).map(entry => readTree(join(folder, entry.name)))
    const files = [...top, ...(await Promise.all(below)).flat()]
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name).slice(folder.length + 1))
      .filter(path => !/-(wal|shm|journal)$/.test(path))
    const sized = await Promise.all(
      files.map(async path => {
        if (path.startsWith('heirloom.')) return path
        const found = await stat(join(folder, path)).catch(() => undefined)
        return found && `${path} (${found.size} bytes)`
      }),
    )
    return sized.filter(path => path !== undefined).sort()
  }

  /** Undefined if everything protected is unchanged. */
  async damageTo(guarded: Protected, before: string): Promise<string | undefined> {
    const now = await this.fingerprint(guarded)
    return now === before ? undefined : `changed what is protected:\n  before ${before}\n  after  ${now}`
  }

  async fingerprint({ queries, files }: Protected): Promise<string> {
    const rows = []
    for (const query of queries) rows.push(JSON.stringify(await this.#query(query)))
    const present = new Set(await this.files())
    return JSON.stringify({ rows, missing: files.filter(file => !present.has(file)) })
  }

  /** Changes with every commit of another connection. */
  async #revision(): Promise<string> {
    const isPostgres = this.#library.config.databaseUrl !== undefined
    const [row] = await this.#query(
      isPostgres ? 'select pg_current_snapshot()::text as revision' : 'pragma data_version',
    )
    return JSON.stringify(row)
  }

  async #digests(): Promise<[table: string, digest: string][]> {
    if (this.#library.config.databaseUrl) {
      // All tables in one query: a suite takes hundreds of snapshots.
      const rows = await this.#query(this.#tables.map(digestQuery).join(' union all '))
      return rows.map(({ name, digest }) => [String(name), String(digest)])
    }
    const read = async (table: string) => digestOf(await this.#query(`select * from "${table}"`), table)
    return Promise.all(this.#tables.map(async table => [table, await read(table)]))
  }

  async #untilIdle(): Promise<void> {
    const deadline = Date.now() + 30_000
    for (;;) {
      const [row] = await this.#query(
        `select count(*) as waiting from jobs where failed_at is null and run_at <= ${this.#library.now()} + 5000 and (unique_key is null or unique_key not like 'every:%')`,
      )
      if (Number(row?.waiting) === 0 || Date.now() > deadline) return
      await pause(50)
    }
  }
}

/** For Postgres, without the unwatched columns. */
function digestQuery(table: string): string {
  const row = `(to_jsonb(t) - '{${(unwatchedColumns[table] ?? []).join()}}'::text[])::text`
  return `select '${table}' as name, count(*) || ' rows, ' || coalesce(md5(string_agg(${row}, '' order by ${row})), 'none') as digest from "${table}" t`
}

function digestOf(rows: Rows, table: string): string {
  const hidden = unwatchedColumns[table] ?? []
  const lines = rows.map(row => JSON.stringify(row, (key, value) => (hidden.includes(key) ? undefined : value)))
  const hash = createHash('sha256')
  for (const line of lines.sort()) hash.update(line)
  return `${rows.length} rows, ${hash.digest('hex').slice(0, 16)}`
}

/** The differences as text; empty if there are none. */
export function differences(before: State, after: State, ignores: readonly string[] = []): string[] {
  const names = new Set([...before.keys(), ...after.keys()])
  return [...names]
    .filter(name => before.get(name) !== after.get(name) && !ignores.includes(name))
    .map(name => `${name}: ${before.get(name) ?? 'absent'} → ${after.get(name) ?? 'absent'}`)
}
