import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type Database } from '../../server/src/db/database.ts'
import { createDatabase, startPostgres } from '../../server/test/postgres.ts'

/** Measures on an empty database of each engine, and closes it. */
export async function onBothEngines(measure: (engine: string, db: Database) => Promise<void>): Promise<void> {
  const postgres = await startPostgres()
  const folder = await mkdtemp(join(tmpdir(), 'heirloom-bench-'))
  try {
    const { url } = await createDatabase(postgres.url)
    for (const [engine, address] of [
      ['SQLite', undefined],
      ['Postgres', url],
    ] as const) {
      const db = await connect({ url: address, dataFolder: folder })
      await measure(engine, db)
      await db.close()
    }
  } finally {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
