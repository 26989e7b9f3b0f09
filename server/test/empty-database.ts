import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { connect, type Database, type DatabaseOptions } from '#server/db/database.ts'
import { databaseRows, type Row } from './database-rows.ts'
import type { Engine } from './library.ts'
import { createDatabase } from './postgres.ts'

export interface EmptyDatabase extends DatabaseOptions {
  /** Opens it; closed at the end of the test unless it was closed before. */
  open(options?: Pick<DatabaseOptions, 'schemaUpTo'>): Promise<Database>
  /** Queries or changes it directly. */
  rows(query: string): Promise<Row[]>
}

/** A separate database for one test on either engine, removed after the test. */
export async function emptyDatabase(engine: Engine): Promise<EmptyDatabase> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'heirloom-database-'))
  onTestFinished(() => rm(dataFolder, { recursive: true, force: true }))
  const postgres = engine === 'postgres' ? await createDatabase(inject('postgresUrl')) : undefined
  if (postgres) onTestFinished(postgres.drop)
  const url = postgres?.url
  return {
    url,
    dataFolder,
    async open(options = {}) {
      const database = await connect({ url, dataFolder, ...options })
      let closed: Promise<void> | undefined
      const close = () => {
        closed ??= database.close()
        return closed
      }
      onTestFinished(close)
      return { ...database, close }
    },
    rows: query => databaseRows(postgres ?? { file: join(dataFolder, 'heirloom.db') }, query),
  }
}
