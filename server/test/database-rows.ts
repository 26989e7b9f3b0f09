import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'

export type Row = Record<string, unknown>

/** Looks into a database past the product, to see what is really there. */
export async function databaseRows(database: { url: string } | { file: string }, query: string): Promise<Row[]> {
  return 'url' in database ? postgresRows(database.url, query) : sqliteRows(database.file, query)
}

function sqliteRows(file: string, query: string): Row[] {
  const database = new DatabaseSync(file, { readOnly: true })
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
