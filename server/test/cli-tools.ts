import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { terminalOn } from '#server/cli/command.ts'
import { type Config, readConfig } from '#server/config.ts'
import { openSnapshot, quoted } from '#server/db/snapshot.sql.ts'
import { systemClock } from '#server/kit/clock.ts'
import { LAST_BACKUP } from '#server/metrics/overview.sql.ts'
import { databaseRows, type Row } from './database-rows.ts'
import { filesBelow } from './fixtures/remains.ts'
import type { Engine } from './library.ts'
import { createDatabase } from './postgres.ts'

/** The dependencies that the CLI passes to a command, with its output captured. */
export function commandContext(config: Config) {
  const output: string[] = []
  const stop = new AbortController()
  const out = terminalOn({ write: text => output.push(text) })
  return { config, clock: systemClock, out, signal: stop.signal, stop, output }
}

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'heirloom-cli-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** The settings of a machine without any data. */
export async function emptyMachine(engine: Engine): Promise<Config> {
  const dataFolder = join(await temporaryFolder(), 'data')
  const settings = { DATA_DIR: dataFolder, PATH: process.env.PATH, HOME_TIMEZONE: 'UTC' }
  if (engine === 'sqlite') return readConfig(settings)
  const database = await createDatabase(inject('postgresUrl'))
  onTestFinished(database.drop)
  return readConfig({ ...settings, DATABASE_URL: database.url })
}

/** Queries a database directly. */
export function rowsOf({ databaseUrl, dataFolder }: Config, query: string): Promise<Row[]> {
  return databaseRows(databaseUrl ? { url: databaseUrl } : { file: join(dataFolder, 'heirloom.db') }, query)
}

/** Every row of every table, serialised identically on both engines. */
export async function everyRow(config: Config): Promise<Record<string, string[]>> {
  const database = await openSnapshot(config)
  try {
    const all: Record<string, string[]> = {}
    for (const { name, columns, lastId } of await database.tables()) {
      const rows: string[] = []
      const query = `select ${columns.toSorted().map(quoted).join()} from ${quoted(name)}`
      for await (const batch of database.read(query)) rows.push(...batch.map(row => JSON.stringify(row)))
      all[name] = [`after ${lastId}`, ...rows.sort()]
    }
    // The times of migrations differ between two databases with equal content.
    delete all.schema_migrations
    // Recorded after the backup that it is about, which therefore does not have it.
    if (all.settings) all.settings = all.settings.filter(row => !row.includes(LAST_BACKUP))
    return all
  } finally {
    await database.close()
  }
}

/** Every stored file, by key. */
export async function everyFile({ dataFolder }: Config): Promise<Map<string, Buffer>> {
  const folder = join(dataFolder, 'files')
  const keys = await filesBelow(folder)
  return new Map(await Promise.all(keys.map(async key => [key, await readFile(join(folder, key))] as const)))
}
