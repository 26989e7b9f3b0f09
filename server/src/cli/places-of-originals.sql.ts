import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { Config } from '../config.ts'
import type { Place } from '../source-folders/watched-storage.ts'

/** As `placesOfKey`. Not through `connect`, which would migrate the database of a running server. */
const QUERY = `
  select w.root, w.path, w.size, w.modified_at from media_parts p
  join media m on m.id = p.media_id
  join watched_files w on w.media_id = p.media_id and w.part = p.kind and w.size = p.size
  where p.key = $1 and (p.kind <> 'original' or w.hash = m.hash)`

/** Where the originals of watched folders are, one by one, so that no transaction lasts as long as a backup. */
export async function openPlaces({ databaseUrl, dataFolder }: Pick<Config, 'databaseUrl' | 'dataFolder'>) {
  if (databaseUrl) {
    const types = new pg.TypeOverrides()
    types.setTypeParser(pg.types.builtins.INT8, Number)
    const pool = new pg.Pool({ connectionString: databaseUrl, types, max: 4 })
    pool.on('error', () => {})
    return {
      of: async (key: string) => (await pool.query<Place>(QUERY, [key])).rows,
      close: () => pool.end(),
    }
  }
  const database = new DatabaseSync(join(dataFolder, 'heirloom.db'), { readOnly: true, timeout: 10_000 })
  return {
    of: async (key: string) => database.prepare(QUERY.replace('$1', '?')).all(key) as unknown as Place[],
    close: async () => database.close(),
  }
}
