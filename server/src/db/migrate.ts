import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { type Kysely, type Migration, Migrator } from 'kysely'
import { type Engine, type EngineTools, engineTools } from './engine.ts'
import type { Schema } from './schema.ts'

export interface SchemaMigration {
  up(db: Kysely<unknown>, tools: EngineTools): Promise<void>
}

/** Every file in `migrations`, forward only, in the order of their names. A released migration is never edited. */
export const migrations = await readMigrations(new URL('./migrations/', import.meta.url))

async function readMigrations(folder: URL): Promise<Record<string, SchemaMigration>> {
  const files = readdirSync(folder).filter(name => /^\d{4}-[a-z0-9-]+\.ts$/.test(name))
  const loaded = files.toSorted().map(async (file): Promise<[string, SchemaMigration]> => {
    return [basename(file, '.ts'), await import(new URL(file, folder).href)]
  })
  return Object.fromEntries(await Promise.all(loaded))
}

export const MIGRATIONS_TABLE = 'schema_migrations'
export const MIGRATIONS_LOCK_TABLE = 'schema_migrations_lock'

/**
 * How the databases of development versions before 0.1.0 are recognised: by the table in which they recorded their migrations, by
 * a migration that all later ones had, or by a table that 0.1.0 has replaced by another.
 */
const UNRELEASED_TABLE = 'schema_steps'
const UNRELEASED_MIGRATIONS = ['0001-foundation', '0002-hearts']
const REPLACED_TABLE = { before: 'notes', since: 'comments' }

/** The database or backup has a schema that this version cannot read. Nothing was changed. */
export class UnsupportedSchema extends Error {
  constructor(sentence: string) {
    super(sentence)
    this.name = 'UnsupportedSchema'
  }
}

function refuseUnreleased(what: 'database' | 'backup'): never {
  throw new UnsupportedSchema(
    `This ${what} was made by a development version of Heirloom from before 0.1.0, which no release can read. It was left unchanged: keep using the version that made it, or set DATA_DIR (and DATABASE_URL) to an empty place and import the original files there.`,
  )
}

/** Throws if a database with these tables and migrations was made before 0.1.0. */
export function refuseUnreleasedDatabase(tables: readonly string[], done: readonly string[]): void {
  const isUnreleased =
    tables.includes(UNRELEASED_TABLE) ||
    (tables.includes(REPLACED_TABLE.before) && !tables.includes(REPLACED_TABLE.since)) ||
    UNRELEASED_MIGRATIONS.some(name => done.includes(name))
  if (isUnreleased) refuseUnreleased('database')
}

/** Throws unless this version knows every one of these migrations. */
export function refuseUnknownMigrations(names: readonly string[], what: 'database' | 'backup'): void {
  if (UNRELEASED_MIGRATIONS.some(name => names.includes(name))) refuseUnreleased(what)
  const unknown = names.find(name => !(name in migrations))
  if (unknown === undefined) return
  throw new UnsupportedSchema(
    `The ${what} was written by a newer Heirloom (it has the migration "${unknown}"). Start that version, or restore a backup from before the upgrade.`,
  )
}

export interface MigrateOptions {
  /** The last migration to run, to load a backup of an older version; undefined: all. */
  upTo: string | undefined
  /** Runs before an existing database is changed, with the name of its last migration. */
  before: (lastMigration: string) => Promise<void>
}

/** Runs the missing migrations, under a lock that other servers starting at the same time wait for. */
export async function migrate(db: Kysely<Schema>, engine: Engine, { upTo, before }: MigrateOptions): Promise<void> {
  const tools = engineTools(engine)
  const done = await completedMigrations(db)
  refuseUnknownMigrations(done, 'database')
  const last = done.toSorted().at(-1)
  const isBehind = Object.keys(migrations).some(name => !done.includes(name) && (upTo === undefined || name <= upTo))
  if (last !== undefined && isBehind) await before(last)
  const steps = Object.entries(migrations).map(([name, { up }]): [string, Migration] => [
    name,
    { up: schema => up(schema, tools) },
  ])
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => Object.fromEntries(steps) },
    migrationTableName: MIGRATIONS_TABLE,
    migrationLockTableName: MIGRATIONS_LOCK_TABLE,
  })
  const { error } = upTo === undefined ? await migrator.migrateToLatest() : await migrator.migrateTo(upTo)
  if (error) throw error
}

async function completedMigrations(db: Kysely<Schema>): Promise<string[]> {
  const tables = (await db.introspection.getTables({ withInternalKyselyTables: true })).map(table => table.name)
  const recorded = db as unknown as Kysely<Record<string, { name: string }>>
  const rows = tables.includes(MIGRATIONS_TABLE)
    ? await recorded.selectFrom(MIGRATIONS_TABLE).select('name').execute()
    : []
  const done = rows.map(({ name }) => name)
  refuseUnreleasedDatabase(tables, done)
  return done
}
