import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject, onTestFinished } from 'vitest'
import { connect, type Database, type DatabaseOptions } from '#server/db/database.ts'
import { databaseRows, type Row } from './database-rows.ts'
import type { Engine } from './library.ts'
import { createDatabase } from './postgres.ts'

export interface EmptyDatabase extends DatabaseOptions {
  /** Opens it; closed at the end of the test unless closed before. */
  open(): Promise<Database>
  /** Looks straight into it, or changes it behind our back. */
  rows(query: string): Promise<Row[]>
}

/** A database of the test's own on either engine, gone when the test is over. */
export async function emptyDatabase(engine: Engine): Promise<EmptyDatabase> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'heirloom-database-'))
  onTestFinished(() => rm(dataFolder, { recursive: true, force: true }))
  const postgres = engine === 'postgres' ? await createDatabase(inject('postgresUrl')) : undefined
  if (postgres) onTestFinished(postgres.drop)
  const url = postgres?.url
  return {
    url,
    dataFolder,
    async open() {
      const database = await connect({ url, dataFolder })
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
