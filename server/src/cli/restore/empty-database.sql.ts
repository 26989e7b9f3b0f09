import pg from 'pg'
import type { Config } from '../../config.ts'
import { MIGRATIONS_LOCK_TABLE, MIGRATIONS_TABLE } from '../../db/migrate.ts'
import { openSnapshot, quoted, type Snapshot } from '../../db/snapshot.sql.ts'
import { pathBelow, removeFile, rootFolder } from '../../kit/safe-path.ts'
import { RESTORING } from './load-dump.sql.ts'

/** Tables that a server fills even if nobody uses it. */
const WRITTEN_BY_ITSELF = new Set([
  'settings',
  'jobs',
  'sign_in_attempts',
  'rate_limits',
  'upload_locks',
  MIGRATIONS_TABLE,
  MIGRATIONS_LOCK_TABLE,
])

export type DatabaseState = 'empty' | 'in use' | 'half restored'

/** Whether the database is empty, or was filled from this snapshot by an interrupted restore. */
export async function inspectDatabase(config: Config, snapshotName: string): Promise<DatabaseState> {
  const database = await openSnapshot(config)
  try {
    const tables = (await database.tables()).map(table => table.name)
    if (tables.includes('settings') && (await restoringFrom(database)) === snapshotName) return 'half restored'
    for (const table of tables) {
      if (!WRITTEN_BY_ITSELF.has(table) && (await holdsRows(database, table))) return 'in use'
    }
    return 'empty'
  } finally {
    await database.close()
  }
}

async function restoringFrom(database: Snapshot): Promise<string | undefined> {
  for await (const rows of database.read(`select value from settings where name = '${RESTORING}'`)) {
    return String(rows[0]?.[0])
  }
  return undefined
}

async function holdsRows(database: Snapshot, table: string): Promise<boolean> {
  for await (const rows of database.read(`select 1 from ${quoted(table)} limit 1`)) return rows.length > 0
  return false
}

/** Drops the tables of an empty library: a backup of an older schema may have fewer. */
export async function clearDatabase({ databaseUrl, dataFolder }: Config): Promise<void> {
  if (!databaseUrl) {
    const folder = rootFolder(dataFolder)
    for (const end of ['', '-wal', '-shm'] as const) await removeFile(pathBelow(folder, `heirloom.db${end}`))
    return
  }
  const database = await openSnapshot({ databaseUrl, dataFolder })
  const tables = await database.tables().finally(() => database.close())
  if (tables.length === 0) return
  const client = new pg.Client(databaseUrl)
  await client.connect()
  try {
    await client.query(`drop table ${tables.map(table => quoted(table.name)).join()} cascade`)
  } finally {
    await client.end()
  }
}
