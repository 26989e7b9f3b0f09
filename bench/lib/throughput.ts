import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openAsBlob } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { variants } from '../../contract/src/limits.ts'
import { lowerPriority } from '../../server/src/processing/child-process.ts'
import { databaseRows } from '../../server/test/database-rows.ts'
import { type Product, startProduct, untilQuiet } from './product.ts'
import { quantile } from './report.ts'

export interface Throughput {
  perSecond: number
  /** CPU-seconds of the server and everything it started. */
  cpuPerPhoto: number
  mostMemoryMb: number
  /** Milliseconds; undefined without concurrent requests. */
  requests?: { idle: number; busy: number }
}

export type BareThroughput = Pick<Throughput, 'perSecond' | 'cpuPerPhoto'>

/** Copies of one photo with different trailing bytes: the same work, and no duplicates. */
export async function copiesOf(photo: string, count: number, folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  const bytes = await readFile(photo)
  const paths = Array.from({ length: count }, (_, i) => join(folder, `photo-${i}.jpg`))
  for (const path of paths) await writeFile(path, Buffer.concat([bytes, crypto.getRandomValues(Buffer.alloc(16))]))
  return paths
}

/**
 * The baseline: one process per core that only makes the same variants, at the priority of decoders, so that both get the
 * same share of a busy machine.
 */
export async function bareThroughput(photos: string[]): Promise<BareThroughput> {
  const sizes = Object.entries(variants).flatMap(([name, { maxSize, quality }]) =>
    name === 'full' ? [] : [{ maxSize, quality: Math.round(quality * 100) }],
  )
  const program = `
    import sharp from 'sharp'
    sharp.concurrency(1)
    for (const path of process.argv.slice(1))
      for (const { maxSize, quality } of ${JSON.stringify(sizes)})
        await sharp(path).autoOrient().resize(maxSize, maxSize, { fit: 'inside', withoutEnlargement: true }).jpeg({ quality }).toBuffer()
    const { user, system } = process.cpuUsage()
    console.log((user + system) / 1e6)`
  const cores = availableParallelism()
  const shares = Array.from({ length: cores }, (_, i) => photos.filter((_, at) => at % cores === i))
  let cpuSeconds = 0
  const run = async (share: string[]) => {
    const args = ['--input-type=module', '-e', program, '--', ...share]
    // Its own session (setsid), like every decoder.
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'], detached: true })
    if (child.pid !== undefined) lowerPriority(child.pid)
    const spent = Number(await text(child.stdout))
    if (!(spent > 0)) throw new Error('The bare loop failed')
    cpuSeconds += spent
  }
  const ms = await timed(() => Promise.all(shares.map(run)))
  return { perSecond: photos.length / (ms / 1_000), cpuPerPhoto: cpuSeconds / photos.length }
}

/** Uploads without client-made variants, with concurrent requests of another member. */
export async function uploadThroughput(photos: string[]): Promise<Throughput> {
  const product = await startProduct()
  try {
    const headers = { authorization: `Bearer ${await product.signIn()}` }
    const send = async (path: string) => {
      const form = new FormData()
      form.append('files', await openAsBlob(path), basename(path))
      const answer = await fetch(`${product.url}/api/media/upload`, { method: 'POST', body: form, headers })
      if (!answer.ok) throw new Error(`An upload was answered with ${answer.status}`)
    }
    const [first = '', ...rest] = photos
    await send(first)
    await untilPrepared(product)
    await untilQuiet(product)
    const idle = watchRequests(product, headers)
    await pause(IDLE_MS)
    const idleP95 = await idle.stop()
    const busy = watchRequests(product, headers)
    const measured = await whileMeasured(product, rest.length, async () => {
      const queue = [...rest]
      const sendAll = async () => {
        for (let path = queue.shift(); path; path = queue.shift()) await send(path)
      }
      await Promise.all(Array.from({ length: UPLOADS_AT_ONCE }, sendAll))
      await untilPrepared(product)
    })
    return { ...measured, requests: { idle: idleP95, busy: await busy.stop() } }
  } finally {
    await product.stop()
  }
}

/** The import and the preparation that follows it, without the start-up of the two programs. */
export async function importThroughput(photos: string[], source: string): Promise<Throughput> {
  const folder = await mkdtemp(join(tmpdir(), 'heirloom-bench-'))
  const nothing = join(folder, 'nothing')
  await mkdir(nothing)
  const dataFolder = join(folder, 'data')
  try {
    const empty = await startProduct({ folder: dataFolder })
    // The owner of the imported files: the first who signs in is the admin.
    await empty.signIn().finally(() => empty.stop())
    const starting = await timed(() => runImport(nothing, dataFolder))
    const importing = (await timed(() => runImport(source, dataFolder))) - starting
    const product = await startProduct({ folder: dataFolder })
    try {
      const prepared = await whileMeasured(product, photos.length, () => untilPrepared(product))
      const preparing = (photos.length / prepared.perSecond) * 1_000
      return { ...prepared, perSecond: photos.length / ((importing + preparing) / 1_000) }
    } finally {
      await product.stop()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const UPLOADS_AT_ONCE = 3
const IDLE_MS = 6_000

async function runImport(source: string, dataFolder: string): Promise<void> {
  const program = fileURLToPath(new URL('../../server/src/cli/main.ts', import.meta.url))
  const child = spawn(process.execPath, [program, 'import', source, source], {
    env: { ...process.env, DATA_DIR: dataFolder },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`The import ended with ${code}`)
}

async function whileMeasured(product: Product, photos: number, work: () => Promise<void>): Promise<Throughput> {
  const before = await product.busySeconds()
  let mostMemoryMb = 0
  const meter = setInterval(async () => {
    mostMemoryMb = Math.max(mostMemoryMb, await product.memoryMb())
  }, 500)
  const ms = await timed(work)
  clearInterval(meter)
  const spent = (await product.busySeconds()) - before
  return { perSecond: photos / (ms / 1_000), cpuPerPhoto: spent / photos, mostMemoryMb }
}

async function untilPrepared(product: Product): Promise<void> {
  const file = join(product.folder, 'heirloom.db')
  const waiting = "select count(*) as jobs from jobs where name = 'media.prepare'"
  while (Number((await databaseRows({ file }, waiting))[0]?.jobs) > 0) await pause(50)
}

/** Repeats the requests of a page; `stop` returns the p95 of all responses. */
function watchRequests({ url }: Product, headers: Record<string, string>): { stop(): Promise<number> } {
  const worker = new Worker(new URL('request-times.ts', import.meta.url), { workerData: { url, headers } })
  const answered = once(worker, 'message')
  return {
    async stop() {
      worker.postMessage('stop')
      const [times] = await answered
      return quantile(times as number[], 0.95)
    },
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}
