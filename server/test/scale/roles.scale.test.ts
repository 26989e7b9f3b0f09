import { expect, test } from 'vitest'
import { whoAmI } from '#contract/auth.ts'
import { health } from '#contract/health.ts'
import { getMedia } from '#contract/media.ts'
import { listMedia } from '#contract/media-list.ts'
import { untilPrepared, uploadFile } from '../fixtures/uploads.ts'
import { startCluster } from './cluster.ts'

test('each server does what its role says, and together they are one library', async () => {
  const cluster = await startCluster({ METRICS_TOKEN: 'a-token-for-prometheus' })
  const [web, other, uploads, worker] = cluster.members.map(({ process }) => process.ada)
  if (!web || !other || !uploads || !worker) throw new Error('There are five servers')

  for (const server of [web, other, uploads, worker]) {
    expect(await server.call(health)).toEqual({ status: 'ok' })
    const headers = { authorization: 'Bearer a-token-for-prometheus' }
    expect((await server.fetch('/metrics', { headers })).status).toBe(200)
  }
  for (const server of [uploads, worker]) {
    await expect(server.call(listMedia, { query: {} })).rejects.toMatchObject({ status: 404, code: 'not_found' })
    await expect(server.call(whoAmI)).rejects.toMatchObject({ status: 404 })
    expect((await server.fetch('/login')).status).toBe(404)
  }
  await expect(uploadFile(worker)).rejects.toMatchObject({ status: 404 })

  const { id } = await uploadFile(uploads, { name: 'beach.jpg' })
  expect(await untilPrepared(web, id)).toMatchObject({ status: 'ready', original_name: 'beach.jpg' })
  const [one, two] = [await web.call(getMedia, { params: { id } }), await other.call(getMedia, { params: { id } })]
  expect(one.thumbnail_url).toBe(two.thumbnail_url)
  expect((await fetch(one.thumbnail_url ?? '')).headers.get('content-type')).toBe('image/jpeg')
  const policy = (await web.fetch('/login')).headers.get('content-security-policy') ?? ''
  const store = new URL(one.download_url).origin
  for (const rule of ['img-src', 'media-src', 'connect-src'])
    expect(policy).toMatch(new RegExp(`${rule} [^;]*${store}`))
  await cluster.stop()
}, 120_000)

test('jobs gather while there is no worker', async () => {
  const cluster = await startCluster()
  await cluster.kill(3)
  await cluster.kill(4)
  // Every server gets one: adding a job wakes the queue of a server that works on it.
  const files: { id: number }[] = []
  for (let number = 1; number <= 4; number++) {
    files.push(await uploadFile(cluster.ada, { name: `later ${number}.jpg` }))
  }
  const jobs = await cluster.serverData.rows("select lease_token, attempts from jobs where name = 'media.prepare'")
  expect(jobs).toEqual(files.map(() => ({ lease_token: null, attempts: 0 })))
  await cluster.revive(4)
  for (const { id } of files) expect(await untilPrepared(cluster.ada, id)).toMatchObject({ status: 'ready' })
  await cluster.stop()
}, 120_000)
