/**
 * Scaling: variants made by two workers against one, compared with two bare sharp processes against one; and a page of
 * the list and a burst of live events on Postgres compared with SQLite. Needs Postgres and Ceph, as the tests do.
 * PHOTOS, FILES and MESSAGES set other numbers.
 */
import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openAsBlob } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import sharp from 'sharp'
import { serverArguments } from '../scripts/lib/project.mjs'
import { newBucketName, startCeph } from '../server/test/ceph.ts'
import { databaseRows } from '../server/test/database-rows.ts'
import { freePort } from '../server/test/free-port.ts'
import { createDatabase, startPostgres } from '../server/test/postgres.ts'
import { startProduct } from './lib/product.ts'
import { alternately, line, median } from './lib/report.ts'

const PHOTOS = Number(process.env.PHOTOS ?? 24)
const FILES = Number(process.env.FILES ?? 100_000)
const MESSAGES = process.env.MESSAGES ?? '300'
const ROUNDS = 40
const inServer = (path: string) => fileURLToPath(new URL(`../server/src/${path}`, import.meta.url))

const folder = await mkdtemp(join(tmpdir(), 'heirloom-scale-'))
const [postgres, ceph] = await Promise.all([startPostgres(), startCeph()])
try {
  await compareWorkers()
  await compareLists()
  await compareLive()
} finally {
  await Promise.all([postgres.stop(), ceph.stop()])
  await rm(folder, { recursive: true, force: true })
}

async function compareWorkers(): Promise<void> {
  const photos = await Promise.all(Array.from({ length: PHOTOS }, (_, i) => makePhoto(i)))
  const bare = { one: await bareSharp(1, photos), two: await bareSharp(2, photos) }
  const ours = { one: await drain(1, photos), two: await drain(2, photos) }
  const [limit, gain] = [bare.one / bare.two, ours.one / ours.two]
  line(
    `pictures of ${PHOTOS} photos by two workers`,
    `× ${gain.toFixed(2)} of one's (${perSecond(ours.two)} against ${perSecond(ours.one)} a second); two bare sharp processes × ${limit.toFixed(2)} of one`,
    '0.8 of what sharp gains',
    gain >= 0.8 * limit,
  )
}

function perSecond(ms: number): string {
  return (PHOTOS / (ms / 1000)).toFixed(1)
}

async function makePhoto(i: number): Promise<string> {
  const noise = { type: 'gaussian' as const, mean: 60 + i * 3, sigma: 30 }
  const photo = sharp({ create: { width: 4000, height: 3000, channels: 3, background: 'black', noise } })
  const path = join(folder, `photo-${i}.jpg`)
  await writeFile(path, await photo.jpeg({ quality: 85 }).toBuffer())
  return path
}

/** The baseline: processes that only make the same variants with sharp, each on one thread. */
async function bareSharp(processes: number, photos: string[]): Promise<number> {
  const program = `
    import sharp from 'sharp'
    sharp.concurrency(1)
    for (const path of process.argv.slice(1)) {
      for (const size of [2880, 1920, 800, 300]) await sharp(path).rotate().resize(size, size, { fit: 'inside' }).jpeg().toBuffer()
    }`
  const shares = Array.from({ length: processes }, (_, i) => photos.filter((_, at) => at % processes === i))
  const began = performance.now()
  const run = promisify(execFile)
  await Promise.all(shares.map(share => run(process.execPath, ['--input-type=module', '-e', program, '--', ...share])))
  return performance.now() - began
}

/** How long that many workers take to prepare the waiting photos. */
async function drain(workers: number, photos: string[]): Promise<number> {
  const database = await createDatabase(postgres.url)
  const env = {
    DATABASE_URL: database.url,
    S3_ENDPOINT: ceph.endpoint,
    S3_ACCESS_KEY_ID: ceph.accessKeyId,
    S3_SECRET_ACCESS_KEY: ceph.secretAccessKey,
    S3_BUCKET: newBucketName(),
  }
  const web = await startProduct({ env: { ...env, ROLE: 'web' } })
  try {
    const headers = { authorization: `Bearer ${await web.signIn()}` }
    for (const path of photos) {
      const form = new FormData()
      form.append('files', await openAsBlob(path), path.slice(path.lastIndexOf('/') + 1))
      await fetch(`${web.url}/api/media/upload`, { method: 'POST', body: form, headers })
    }
    const began = performance.now()
    const stops = await Promise.all(Array.from({ length: workers }, () => startWorker(env, web.folder)))
    const waiting = "select count(*) as jobs from jobs where name = 'media.prepare'"
    while (Number((await databaseRows(database, waiting))[0]?.jobs) > 0) {
      await new Promise(resolve => setTimeout(resolve, 50))
    }
    const took = performance.now() - began
    await Promise.all(stops.map(stop => stop()))
    return took
  } finally {
    await web.stop()
    await database.drop()
  }
}

async function startWorker(env: Record<string, string>, dataFolder: string): Promise<() => Promise<void>> {
  const port = String(await freePort())
  const child = spawn(process.execPath, serverArguments, {
    env: { ...process.env, ...env, ROLE: 'worker', PORT: port, DATA_DIR: dataFolder },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return async () => {
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
}

async function compareLists(): Promise<void> {
  const database = await createDatabase(postgres.url)
  const places: Record<string, string>[] = [{}, { DATABASE_URL: database.url }]
  const products = []
  for (const [i, env] of places.entries()) {
    const dataFolder = join(folder, `list-${i}`)
    const args = [inServer('cli/main.ts'), 'seed', folder, '--count', String(FILES), '--pictures', '10', '--rows-only']
    execFileSync(process.execPath, args, {
      env: { ...process.env, DATA_DIR: dataFolder, ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    products.push(await startProduct({ folder: dataFolder, env }))
  }
  const [sqlite, scaled] = await Promise.all(products.map(pageOf))
  if (!sqlite || !scaled) throw new Error('There are two libraries')
  await alternately(10, scaled, sqlite)
  const times = await alternately(ROUNDS, scaled, sqlite)
  const [ours, limit] = [median(times.ours), median(times.limit)]
  line(
    `a page of 200 out of ${FILES.toLocaleString('en')}`,
    `${ours.toFixed(1)} ms on Postgres, ${limit.toFixed(1)} ms on SQLite`,
    '30 ms',
    ours <= 30,
  )
  await Promise.all(products.map(product => product.stop()))
  await database.drop()
}

async function pageOf(product: Awaited<ReturnType<typeof startProduct>>): Promise<() => Promise<number>> {
  const headers = { authorization: `Bearer ${await product.signIn()}` }
  return async () => {
    const began = performance.now()
    await (await fetch(`${product.url}/api/media?limit=200`, { headers })).arrayBuffer()
    return performance.now() - began
  }
}

/** The benchmark of live events itself, once on each engine. */
async function compareLive(): Promise<void> {
  const live = fileURLToPath(new URL('./live.ts', import.meta.url))
  for (const engine of ['SQLite', 'Postgres']) {
    console.log(`live events on ${engine}:`)
    const database = engine === 'Postgres' ? await createDatabase(postgres.url) : undefined
    const env = { ...process.env, MESSAGES, ...(database ? { DATABASE_URL: database.url } : {}) }
    execFileSync(process.execPath, [live], { env, stdio: 'inherit' })
    await database?.drop()
  }
}
