import { type Kysely, sql } from 'kysely'
import { migrations } from '#server/db/migrate.ts'

/** The schema of 0.1.0, the first release; tests use it as the older version. */
export const FIRST_MIGRATION = '0001-initial'

/** Adds migrations as later versions will have them; `9002-later` creates the table `later`. Returns how to undo it. */
export function addMigrations(...names: string[]): () => void {
  for (const name of names) {
    const table = sql.table(name.replace(/^\d+-/, ''))
    migrations[name] = {
      up: async (db: Kysely<unknown>) => {
        await sql`create table ${table} (name text)`.execute(db)
        await sql`insert into ${table} (name) select name from people`.execute(db)
      },
    }
  }
  return () => {
    for (const name of names) delete migrations[name]
  }
}
