import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { type Kysely, type Migration, Migrator } from 'kysely'
import { type Engine, type EngineTools, engineTools } from './engine.ts'
import type { Schema } from './schema.ts'

export interface SchemaStep {
  up(db: Kysely<unknown>, tools: EngineTools): Promise<void>
}

/**
 * Every file in `migrations`, forward only and in the order of their names. A step that was released is never changed.
 * There is no 0012, and must not be: Kysely refuses a step whose name sorts before one that a database has already taken.
 */
const steps = await readSteps(new URL('./migrations/', import.meta.url))

async function readSteps(folder: URL): Promise<Record<string, SchemaStep>> {
  const files = readdirSync(folder).filter(name => /^\d{4}-[a-z0-9-]+\.ts$/.test(name))
  const loaded = files.toSorted().map(async (file): Promise<[string, SchemaStep]> => {
    return [basename(file, '.ts'), await import(new URL(file, folder).href)]
  })
  return Object.fromEntries(await Promise.all(loaded))
}

export class DatabaseTooNew extends Error {
  constructor(step: string) {
    super(
      `The database was written by a newer Heirloom (it knows "${step}"). Start that version, or restore a backup from before the upgrade.`,
    )
    this.name = 'DatabaseTooNew'
  }
}

/** Throws unless this program knows every one of these steps. */
export function refuseUnknownSteps(names: readonly string[]): void {
  const unknown = names.find(name => !(name in steps))
  if (unknown !== undefined) throw new DatabaseTooNew(unknown)
}

/**
 * Brings the schema up to date, under a lock that other servers starting at the same time wait for. A backup from before
 * some step is loaded as it was, and so asks for the schema only up to the last step it knew. `before` runs when an existing
 * database is about to change, with the last step that it has taken.
 */
export async function migrate(
  db: Kysely<Schema>,
  engine: Engine,
  { upTo, before }: { upTo: string | undefined; before: (lastStep: string) => Promise<void> },
): Promise<void> {
  const tools = engineTools(engine)
  const migrations = Object.fromEntries(
    Object.entries(steps).map(([name, step]): [string, Migration] => [name, { up: any => step.up(any, tools) }]),
  )
  const done = await stepsTaken(db)
  refuseUnknownSteps(done)
  const lastStep = done.toSorted().at(-1)
  const isBehind = Object.keys(steps).some(name => !done.includes(name) && (upTo === undefined || name <= upTo))
  if (lastStep !== undefined && isBehind) await before(lastStep)
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    migrationTableName: MIGRATIONS_TABLE,
    migrationLockTableName: 'schema_steps_lock',
  })
  const { error } = upTo === undefined ? await migrator.migrateToLatest() : await migrator.migrateTo(upTo)
  if (error) throw error
}

const MIGRATIONS_TABLE = 'schema_steps'

async function stepsTaken(db: Kysely<Schema>): Promise<string[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(table => table.name === MIGRATIONS_TABLE)) return []
  const done = await (db as unknown as Kysely<Record<string, { name: string }>>)
    .selectFrom(MIGRATIONS_TABLE)
    .select('name')
    .execute()
  return done.map(({ name }) => name)
}
