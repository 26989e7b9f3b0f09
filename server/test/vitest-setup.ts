import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The one Postgres of the run: give it to `createDatabase` for a database of your own. */
    postgresUrl: string
  }
}

/** Starts the Postgres that every data test runs on beside SQLite, and ends it with the run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres()
  project.provide('postgresUrl', postgres.url)
  return postgres.stop
}
