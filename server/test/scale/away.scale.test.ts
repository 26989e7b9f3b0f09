import { setTimeout as wait } from 'node:timers/promises'
import { expect, inject, onTestFinished, test } from 'vitest'
import { health } from '#contract/health.ts'
import { listMedia } from '#contract/media-list.ts'
import { newServerData, type ServerProcess, startServer } from '../faults/server-process.ts'
import { UploadStorm, untilQuiet } from '../faults/upload-storm.ts'
import { startPostgres } from '../postgres.ts'
import { newBucket } from '../store.ts'
import { CallRefused } from '../visitor.ts'
import { openTcpProxy } from './tcp-proxy.ts'

const long = Boolean(process.env.LONG)
const AWAY_SECONDS = long ? 30 : 3

test('while Postgres restarts under load every call says "not now", and all goes on by itself', async () => {
  const postgres = await startPostgres()
  onTestFinished(postgres.stop)
  const serverData = await newServerData('postgres', undefined, newBucket(), postgres.url)
  const server = await startServer(serverData)
  const storm = await UploadStorm.prepare()
  const seen = await underLoad(server, storm, async () => {
    postgres.restart(AWAY_SECONDS)
    await wait(AWAY_SECONDS * 1_000)
  })
  expect(seen).toContain('503 unavailable')
  expect(seen.filter(refusal => refusal !== '503 unavailable')).toEqual([])
  await serverData.rows('update jobs set run_at = 0 where failed_at is null')
  await untilQuiet(serverData)
  await storm.verify(server.ada, serverData)
  await server.stop()
}, 240_000)

test('while the store cannot be reached uploads say "not now", lists are read on, and all goes on by itself', async () => {
  const bucket = newBucket()
  const proxy = await openTcpProxy(new URL(inject('store')?.S3_ENDPOINT ?? ''))
  const serverData = await newServerData('postgres', undefined, bucket)
  const server = await startServer(serverData, { S3_ENDPOINT: proxy.url })
  const storm = await UploadStorm.prepare()
  const seen = await underLoad(server, storm, async () => {
    proxy.close()
    await expect(server.ada.call(health)).rejects.toMatchObject({ status: 503, code: 'unavailable' })
    expect((await server.ada.call(listMedia, { query: { limit: 1 } })).files).toBeInstanceOf(Array)
    await wait(AWAY_SECONDS * 1_000)
    proxy.open()
  })
  expect(seen).toContain('503 unavailable')
  expect(seen.filter(refusal => refusal !== '503 unavailable')).toEqual([])
  await serverData.rows('update jobs set run_at = 0 where failed_at is null')
  await untilQuiet(serverData)
  await storm.verify(server.ada, serverData)
  await server.stop()
}, 240_000)

/** Describes an error. A broken connection is not a response of the server, so it stays distinguishable. */
function inWords(error: unknown): string {
  if (error instanceof CallRefused) return `${error.status} ${error.code}`
  // The steps of a resumable upload report only the status.
  return String(error).replace(/^.*: 503$/, '503 unavailable')
}

/** Uploads before, during and after the outage, until two more are acknowledged. Returns the errors. */
async function underLoad(server: ServerProcess, storm: UploadStorm, problem: () => Promise<void>): Promise<string[]> {
  const seen = new Set<string>()
  const kept = () => [...storm.fates.values()].filter(fate => fate === 'kept').length
  let over = false
  const people = Array.from({ length: 3 }, async () => {
    while (!over) {
      await storm.uploadOnce(server.ada).catch((error: unknown) => {
        seen.add(inWords(error))
      })
      await wait(50)
    }
  })
  await expect.poll(kept, { timeout: 60_000 }).toBeGreaterThan(2)
  await problem()
  const before = kept()
  await expect.poll(kept, { timeout: 60_000 }).toBeGreaterThan(before + 1)
  await expect.poll(() => server.ada.call(health).catch(() => undefined), { timeout: 30_000 }).toEqual({ status: 'ok' })
  over = true
  await Promise.all(people)
  return [...seen]
}
