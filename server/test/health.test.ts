import { rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { whoAmI } from '#contract/auth.ts'
import { health } from '#contract/health.ts'
import { healthCheckTtl } from '#contract/limits.ts'
import { engines, startLibrary } from './library.ts'
import { startPostgres } from './postgres.ts'

test.each(engines)('a library on %s is well, and says so to anyone', async engine => {
  const library = await startLibrary({ engine })
  onTestFinished(library.close)
  expect(await library.anyone.call(health)).toEqual({ status: 'ok' })
})

test('while the database is away, every call says so and nothing else breaks', async () => {
  const postgres = await startPostgres()
  onTestFinished(postgres.stop)
  const library = await startLibrary({ environment: { DATABASE_URL: postgres.url } })
  onTestFinished(library.close)
  const ben = await library.signInAs('ben')
  await postgres.stop()

  const away = { status: 503, code: 'unavailable' }
  await expect(library.anyone.call(health)).rejects.toMatchObject(away)
  await expect(ben.call(whoAmI)).rejects.toMatchObject(away)
  expect((await library.anyone.fetch('/login')).status).toBe(200)
  expect((await library.anyone.fetch('/api/users')).status).toBe(401)
  await expect(library.signIn('ben')).rejects.toThrow('answered 503')
})

test('however many ask, database and storage are checked once in some seconds', async () => {
  const library = await startLibrary()
  onTestFinished(library.close)
  const files = join(library.config.dataFolder, 'files')
  await library.anyone.call(health)
  const lastWrite = async () => (await stat(join(files, '.tmp'))).mtimeMs
  const before = await lastWrite()
  await Promise.all(Array.from({ length: 30 }, () => library.anyone.call(health)))
  expect(await lastWrite()).toBe(before)

  library.pass(healthCheckTtl.success)
  await Promise.all(Array.from({ length: 30 }, () => library.anyone.call(health)))
  expect(await lastWrite()).toBeGreaterThan(before)

  library.pass(healthCheckTtl.success)
  await rename(files, `${files}-away`)
  await expect(library.anyone.call(health)).rejects.toMatchObject({ status: 503 })
  await rename(`${files}-away`, files)
  await expect(library.anyone.call(health)).rejects.toMatchObject({ status: 503 })
  library.pass(healthCheckTtl.failure)
  expect(await library.anyone.call(health)).toEqual({ status: 'ok' })
})

test('a library that lost its storage is not well', async () => {
  const library = await startLibrary()
  onTestFinished(library.close)
  await rm(join(library.config.dataFolder, 'files'), { recursive: true })
  await expect(library.anyone.call(health)).rejects.toMatchObject({ status: 503, code: 'unavailable' })
})
