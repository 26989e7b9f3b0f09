import type { TestProject } from 'vitest/node'
import { startPostgres } from './postgres.ts'
import { makeTemplates, type Templates } from './templates.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The Postgres of the run: pass it to `createDatabase` for a separate database. */
    postgresUrl: string
    templates: Templates
    /** The settings of the S3 store without a bucket; null if the run has none. */
    store: { S3_ENDPOINT: string; S3_ACCESS_KEY_ID: string; S3_SECRET_ACCESS_KEY: string } | null
  }
}

/** Starts the Postgres that every data test uses besides SQLite, and stops it after the run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres()
  const { remove, ...templates } = await makeTemplates(postgres.url)
  project.provide('postgresUrl', postgres.url)
  project.provide('templates', templates)
  project.provide('store', null)
  return async () => {
    await Promise.all([postgres.stop(), remove()])
  }
}
