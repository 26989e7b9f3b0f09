import type { TestProject } from 'vitest/node'
import { startCeph } from './ceph.ts'
import { startPostgres } from './postgres.ts'
import { makeTemplates } from './templates.ts'

/** Starts Postgres and the S3 store for a test run and stops them after it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres()
  const ceph = await startCeph().catch(async error => {
    await postgres.stop()
    throw error
  })
  const { remove, ...templates } = await makeTemplates(postgres.url)
  project.provide('postgresUrl', postgres.url)
  project.provide('templates', templates)
  project.provide('store', {
    S3_ENDPOINT: ceph.endpoint,
    S3_ACCESS_KEY_ID: ceph.accessKeyId,
    S3_SECRET_ACCESS_KEY: ceph.secretAccessKey,
  })
  return async () => {
    await Promise.all([postgres.stop(), ceph.stop(), remove()])
  }
}
