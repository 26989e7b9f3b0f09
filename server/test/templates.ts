import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, sqliteFile } from '#server/db/database.ts'
import { createDatabase } from './postgres.ts'

/** Migrated databases without rows, to copy: migrating takes several times as long. */
export interface Templates {
  sqliteFile: string
  /** The name of a database. */
  postgres: string
}

export async function makeTemplates(postgresUrl: string): Promise<Templates & { remove: () => Promise<void> }> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'heirloom-template-'))
  const { name, url } = await createDatabase(postgresUrl)
  for (const options of [{ dataFolder }, { dataFolder, url }]) {
    const database = await connect({ url: undefined, ...options })
    await database.close()
  }
  return {
    sqliteFile: sqliteFile(dataFolder),
    postgres: name,
    remove: () => rm(dataFolder, { recursive: true, force: true }),
  }
}
