import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'

export type Row = Record<string, unknown>

/** Looks into a database behind the product's back, or changes it. */
export async function databaseRows(database: { url: string } | { file: string }, query: string): Promise<Row[]> {
  return 'url' in database ? postgresRows(database.url, query) : sqliteRows(database.file, query)
}

function sqliteRows(file: string, query: string): Row[] {
  const database = new DatabaseSync(file, { timeout: 10_000 })
  try {
    return database.prepare(query).all()
  } finally {
    database.close()
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
