import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { openPostgresSnapshot } from './postgres-snapshot.sql.ts'
import { openSqliteSnapshot } from './sqlite-snapshot.sql.ts'

/** All that a column may hold: the same in both engines, and in JSON. */
export type Value = string | number | null

export interface Table {
  name: string
  columns: string[]
  /** The highest id ever given, which may be gone by now; null where ids are not given by the database. */
  lastId: number | null
}

/** The database as it was at one moment, whatever is written to it meanwhile. */
export interface Snapshot {
  /** None where nothing has ever been stored. */
  tables(): Promise<Table[]>
  /** Some thousand rows at a time. */
  read(query: string): AsyncIterable<Value[][]>
  close(): Promise<void>
}

export async function openSnapshot({ databaseUrl, dataFolder }: Pick<Config, 'databaseUrl' | 'dataFolder'>) {
  return databaseUrl ? openPostgresSnapshot(databaseUrl) : openSqliteSnapshot(join(dataFolder, 'heirloom.db'))
}

/** A name as it stands in SQL, on both engines. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
