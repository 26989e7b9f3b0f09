import { createReadStream, createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { z } from 'zod'
import { MIGRATIONS_LOCK_TABLE, MIGRATIONS_TABLE } from '../../db/migrate.ts'
import { quoted, type Snapshot, type Table, type Value } from '../../db/snapshot.sql.ts'
import { hashFile } from '../../processing/hash.ts'

/**
 * The migrations are listed in the manifest. Triggers fill the other two tables while the rows of `media` and
 * `media_search_texts` are inserted.
 */
const EXCLUDED_TABLES = new Set([MIGRATIONS_TABLE, MIGRATIONS_LOCK_TABLE, 'media_day_counts', 'search_text_shapes'])

export interface Dumped {
  hash: string
  schema: string[]
  rows: Record<string, number>
}

/** Writes every row of every table in a form that both engines can load: a line for the table, then a line per row. */
export async function writeDump(snapshot: Snapshot, path: string): Promise<Dumped> {
  const rows: Record<string, number> = {}
  async function* lines(): AsyncGenerator<unknown[]> {
    for await (const { table, rows: batch } of rowsOf(snapshot)) {
      const written = rows[table.name]
      rows[table.name] = (written ?? 0) + batch.length
      for (const row of batch) row.forEach(refuseOtherThanText)
      yield written === undefined ? [table, ...batch] : batch
    }
  }
  return { hash: await writeJsonLines(path, lines()), schema: await migrationsOf(snapshot), rows }
}

/** All tables, including those of later versions. */
export async function tablesOf(snapshot: Snapshot): Promise<Table[]> {
  return (await snapshot.tables()).filter(table => !EXCLUDED_TABLES.has(table.name))
}

/** Yields each table first without rows, then its rows in batches. */
export async function* rowsOf(snapshot: Snapshot): AsyncGenerator<DumpedRows> {
  for (const table of await tablesOf(snapshot)) {
    yield { table, rows: [] }
    const query = `select ${table.columns.map(quoted).join()} from ${quoted(table.name)}`
    for await (const rows of snapshot.read(query)) yield { table, rows }
  }
}

export async function migrationsOf(snapshot: Snapshot): Promise<string[]> {
  const names: string[] = []
  for await (const batch of snapshot.read(`select name from ${MIGRATIONS_TABLE} order by name`)) {
    names.push(...batch.flat().map(String))
  }
  return names
}

/** JSON would silently change bytes, dates and infinities. */
function refuseOtherThanText(value: unknown): void {
  if (value === null || typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))) return
  throw new Error(`A backup cannot hold a ${typeof value}`)
}

const TableLine = z.object({ name: z.string(), columns: z.array(z.string()), lastId: z.number().nullable() })

export interface DumpedRows {
  table: Table
  rows: Value[][]
}

/** Yields each table first without rows, then its rows in batches. */
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

/** The lines are repetitive, so they compress well even at a low level. */
const EFFORT = 4

/** Writes values as compressed JSON lines and fsyncs the file; returns its hash. */
export async function writeJsonLines(path: string, batches: AsyncIterable<readonly unknown[]>): Promise<string> {
  async function* text() {
    for await (const batch of batches) yield batch.map(value => `${JSON.stringify(value)}\n`).join('')
  }
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
  await pipeline(Readable.from(text()), createGzip({ level: EFFORT }), file)
  return hashFile(path)
}

/** Reads the values back in batches. */
export async function* readJsonLines(path: string): AsyncGenerator<unknown[]> {
  const source = createReadStream(path)
  const text = source.pipe(createGunzip())
  // `pipe` does not forward errors.
  source.once('error', error => text.destroy(error))
  text.setEncoding('utf8')
  let rest = ''
  for await (const chunk of text) {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    if (lines.length > 0) yield lines.map(line => JSON.parse(line))
  }
  if (rest !== '') throw new Error(`${path} ends in the middle of a line`)
}
