import { z } from 'zod'
import { readJsonLines, writeJsonLines } from './json-lines.ts'
import { quoted, type Snapshot, type Table, type Value } from './snapshot.sql.ts'

const STEPS_TABLE = 'schema_steps'
/**
 * Which steps a schema has taken is said once, in the manifest. Triggers fill the other two from the rows of `media` and
 * `file_texts`, while those are inserted.
 */
export const NOT_COPIED = new Set([STEPS_TABLE, 'schema_steps_lock', 'media_days', 'text_shapes'])

export interface Dumped {
  hash: string
  schema: string[]
  rows: Record<string, number>
}

/** Every row of every table, in words that either engine can read: a line for the table, then a line per row. */
export async function writeDump(snapshot: Snapshot, path: string): Promise<Dumped> {
  const rows: Record<string, number> = {}
  const tables = (await snapshot.tables()).filter(table => !NOT_COPIED.has(table.name))
  async function* lines(): AsyncGenerator<unknown[]> {
    for (const table of tables) {
      rows[table.name] = 0
      yield [table]
      const query = `select ${table.columns.map(quoted).join()} from ${quoted(table.name)}`
      for await (const batch of snapshot.read(query)) {
        for (const row of batch) row.forEach(refuseOtherThanText)
        rows[table.name] = (rows[table.name] ?? 0) + batch.length
        yield batch
      }
    }
  }
  return { hash: await writeJsonLines(path, lines()), schema: await schemaSteps(snapshot), rows }
}

export async function schemaSteps(snapshot: Snapshot): Promise<string[]> {
  const steps: string[] = []
  for await (const batch of snapshot.read(`select name from ${STEPS_TABLE} order by name`)) {
    steps.push(...batch.flat().map(String))
  }
  return steps
}

/** JSON would turn bytes, dates and infinities into something else without a word. */
function refuseOtherThanText(value: unknown): void {
  if (value === null || typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))) return
  throw new Error(`A backup cannot hold a ${typeof value}`)
}

const TableLine = z.object({ name: z.string(), columns: z.array(z.string()), lastId: z.number().nullable() })

export interface DumpedRows {
  table: Table
  rows: Value[][]
}

/** Rows of one table at a time; a table without rows comes once, with none. */
export async function* readDump(path: string): AsyncGenerator<DumpedRows> {
  let table: Table | undefined
  for await (const lines of readJsonLines(path)) {
    let rows: Value[][] = []
    for (const line of lines) {
      if (Array.isArray(line)) {
        rows.push(line)
        continue
      }
      if (table && rows.length > 0) yield { table, rows }
      table = TableLine.parse(line)
      rows = []
      yield { table, rows: [] }
    }
    if (!table) throw new Error(`${path} does not begin with a table`)
    if (rows.length > 0) yield { table, rows }
  }
}
