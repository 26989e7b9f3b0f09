import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

export type Row = Record<string, unknown>

/** Queries or changes a database directly, bypassing the product. */
export async function databaseRows(database: { url: string } | { file: string }, query: string): Promise<Row[]> {
  return 'url' in database ? postgresRows(database.url, query) : sqliteRows(database.file, query)
}

/** Retries instead of waiting: the blocking transaction needs this thread to finish. */
async function sqliteRows(file: string, query: string): Promise<Row[]> {
  for (let tries = 1; ; tries++) {
    const database = new DatabaseSync(file, { timeout: 0 })
    try {
      return database.prepare(query).all()
    } catch (error) {
      if (!String(error).includes('database is locked') || tries === 500) throw error
    } finally {
      database.close()
    }
    await pause(20)
  }
}

async function postgresRows(url: string, query: string): Promise<Row[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(query)).rows
  } finally {
    await client.end()
  }
}
