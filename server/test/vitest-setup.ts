import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The one Postgres of the run: give it to `createDatabase` for a database of your own. */
    postgresUrl: string
    /** The settings of the S3 store, a bucket's name aside; null where the run has none. */
    store: { S3_ENDPOINT: string; S3_ACCESS_KEY_ID: string; S3_SECRET_ACCESS_KEY: string } | null
  }
}

/** Starts the Postgres that every data test runs on beside SQLite, and ends it with the run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres()
  project.provide('postgresUrl', postgres.url)
  project.provide('store', null)
  return postgres.stop
}
