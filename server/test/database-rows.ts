import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

export type Row = Record<string, unknown>

/** Looks into a database behind the product's back, or changes it. */
export async function databaseRows(database: { url: string } | { file: string }, query: string): Promise<Row[]> {
  return 'url' in database ? postgresRows(database.url, query) : sqliteRows(database.file, query)
}

/** Asks again rather than waits: the transaction in the way needs this very thread to come to its end. */
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
