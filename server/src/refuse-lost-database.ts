import { existsSync, statSync } from 'node:fs'
import { opendir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Config } from './config.ts'
import { sqliteFile } from './db/database.ts'
import type { Clock } from './kit/clock.ts'
import type { Scratch } from './kit/safe-path.ts'
import { isKey } from './storage/keys.ts'

export class DatabaseLost extends Error {
  constructor(original: string, { databaseUrl, dataFolder, s3 }: Config) {
    const database = databaseUrl ? 'The database at DATABASE_URL' : `The database ${sqliteFile(dataFolder)}`
    const files = s3 ? `the bucket ${s3.bucket}` : join(dataFolder, 'files')
    const settings = ['DATA_DIR', ...(databaseUrl ? ['DATABASE_URL'] : []), ...(s3 ? ['S3_BUCKET'] : [])]
    super(
      `${database} is empty, but ${files} holds originals (${JSON.stringify(original)}). Nothing was changed. Check ${settings.join(' and ')}. If the database was lost, restore a backup (docs/operations.md, "A lost database"). To begin a new library beside these files, start once with NEW_LIBRARY=true.`,
    )
    this.name = 'DatabaseLost'
  }
}

/** The database file is not a valid SQLite database. */
export class DatabaseDamaged extends Error {
  constructor(dataFolder: string, cause: unknown) {
    const reason = (cause as Error).message
    super(
      `The database ${sqliteFile(dataFolder)} is damaged and cannot be read (${reason}). Nothing was changed, and the originals are not affected. Keep a copy of the file, then restore a backup (docs/operations.md, "A lost database").`,
      { cause },
    )
    this.name = 'DatabaseDamaged'
  }
}

/** Messages of SQLITE_CORRUPT and SQLITE_NOTADB: errors from the SQLite thread arrive without their codes. */
const DAMAGED = /file is not a database|database disk image is malformed|malformed database schema/

/** Turns an error at opening the database into DatabaseDamaged if the file is corrupted. */
export function explainDamage(error: unknown, { databaseUrl, dataFolder }: Config): unknown {
  if (databaseUrl) return error
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (DAMAGED.test(cause.message)) return new DatabaseDamaged(dataFolder, cause)
  }
  return error
}

/**
 * Throws if the database is unused but the storage contains originals: a wrong setting or a lost database file, which
 * creating a new library would hide. Creates nothing, because the next start would then find a database.
 */
export async function refuseLostDatabase(config: Config, deps: { clock: Clock; scratch: Scratch }): Promise<void> {
  if (config.newLibrary || !(await isUnused(config))) return
  const original = config.s3
    ? await originalInStore(config.s3, deps)
    : await originalBelow(join(config.dataFolder, 'files'))
  if (original !== undefined) throw new DatabaseLost(original, config)
}

/** Nobody has ever signed in: every file has an owner. */
function isUnused({ databaseUrl, dataFolder }: Config): Promise<boolean> | boolean {
  return databaseUrl ? isUnusedPostgres(databaseUrl) : isUnusedSqlite(sqliteFile(dataFolder))
}

function isUnusedSqlite(file: string): boolean {
  if (!existsSync(file) || statSync(file).size === 0) return true
  const database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 })
  try {
    if (!database.prepare(`select 1 from sqlite_master where type = 'table' and name = 'people'`).get()) return true
    return database.prepare('select 1 from people limit 1').get() === undefined
  } finally {
    database.close()
  }
}

async function isUnusedPostgres(url: string): Promise<boolean> {
  const { default: pg } = await import('pg')
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 })
  // The running query fails by itself; without a listener, the 'error' event would crash the process.
  client.on('error', () => {})
  await client.connect()
  try {
    const { rows } = await client.query(`select to_regclass('people') is not null as found`)
    if (!rows[0]?.found) return true
    return (await client.query('select 1 from people limit 1')).rows.length === 0
  } finally {
    await client.end()
  }
}

/** Keys are `originals/2024/06/name`. Deeper folders are not entered, because symbolic links can form cycles. */
const DEEPEST_FOLDER = 'originals/2024/06'.split('/').length

/** Not by opening the storage, which would create the folder. A year's folder may be a symbolic link. */
async function originalBelow(root: string, folder = 'originals'): Promise<string | undefined> {
  if (folder.split('/').length > DEEPEST_FOLDER) return
  const entries = await opendir(join(root, folder)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  })
  if (!entries) return
  for await (const entry of entries) {
    const key = `${folder}/${entry.name}`
    const found = entry.isSymbolicLink() ? await stat(join(root, key)).catch(() => undefined) : entry
    if (found?.isFile() && isKey(key)) return key
    const below = found?.isDirectory() ? await originalBelow(root, key) : undefined
    if (below !== undefined) return below
  }
  return undefined
}

async function originalInStore(
  settings: NonNullable<Config['s3']>,
  deps: { clock: Clock; scratch: Scratch },
): Promise<string | undefined> {
  const { openS3Storage } = await import('./storage/s3/s3-storage.ts')
  const store = await openS3Storage({ settings, ...deps })
  try {
    for await (const { key } of store.list('originals/')) return key
    return undefined
  } finally {
    await store.close()
  }
}
