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

/** Where `addLongMigrations` can be stopped. */
export const momentsOfMigration = [
  'before the first',
  'after a table',
  'after its rows',
  'between two',
  'at the end',
] as const

/** Two migrations, as later versions will have them, that wait at each of those moments. Returns how to undo it. */
export function addLongMigrations(at: (moment: (typeof momentsOfMigration)[number]) => Promise<void>): () => void {
  migrations['9001-first'] = {
    up: async (db: Kysely<unknown>) => {
      await at('before the first')
      await sql`create table first_later (name text)`.execute(db)
      await at('after a table')
      await sql`insert into first_later (name) select name from people`.execute(db)
      await at('after its rows')
    },
  }
  migrations['9002-second'] = {
    up: async (db: Kysely<unknown>) => {
      await at('between two')
      await sql`alter table people add column nickname text`.execute(db)
      await sql`update people set nickname = name`.execute(db)
      await at('at the end')
    },
  }
  return () => {
    for (const name of ['9001-first', '9002-second']) delete migrations[name]
  }
}
