import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { Config } from '../../config.ts'

const UPSERT = 'on conflict (name) do update set value = excluded.value'

/**
 * Records in the library when it was last backed up, for admins. Not through `connect`, which would migrate the database.
 * SQLite allows this while the server is running: one of them waits for the other.
 */
export async function recordInLibrary(
  { databaseUrl, dataFolder }: Pick<Config, 'databaseUrl' | 'dataFolder'>,
  setting: { name: string; value: string },
): Promise<void> {
  const values = [setting.name, setting.value]
  if (databaseUrl) {
    const client = new pg.Client({ connectionString: databaseUrl })
    client.on('error', () => {})
    await client.connect()
    try {
      await client.query(`insert into settings (name, value) values ($1, $2) ${UPSERT}`, values)
    } finally {
      await client.end()
    }
    return
  }
  const database = new DatabaseSync(join(dataFolder, 'heirloom.db'), { timeout: WAIT_MS })
  try {
    database.prepare(`insert into settings (name, value) values (?, ?) ${UPSERT}`).run(...values)
  } finally {
    database.close()
  }
}

const WAIT_MS = 10_000
