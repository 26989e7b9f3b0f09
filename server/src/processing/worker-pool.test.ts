import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test, vi } from 'vitest'
import { isRunning } from '../../test/is-running.ts'
import type { misbehaviour } from '../../test/processing/misbehaving-worker.ts'
import { residentMb } from './child-process.ts'
import { type PoolOptions, startWorkerPool, type WorkerPool } from './worker-pool.ts'

const program = new URL('../../test/processing/misbehaving-worker.ts', import.meta.url)
const pools: WorkerPool<typeof misbehaviour>[] = []

// Workers have a low priority: on a busy machine even starting one takes half a minute.
vi.setConfig({ testTimeout: 180_000 })

function start(options: Partial<PoolOptions> = {}) {
  const pool = startWorkerPool<typeof misbehaviour>(program, {
    size: 1,
    memoryMb: 400,
    timeoutMs: 15_000,
    ...options,
  })
  pools.push(pool)
  return pool
}

afterEach(async () => {
  await Promise.all(pools.splice(0).map(pool => pool.close()))
})

test('one process serves order after order', async () => {
  const pool = start()
  expect(await pool.run('echo', { a: ['b', 1, null] })).toEqual({ a: ['b', 1, null] })
  expect(await pool.run('pid', undefined)).toBe(await pool.run('pid', undefined))
})

test('a task in a process of its own leaves no process to others, and gets none of theirs', async () => {
  const pool = start()
  const shared = await pool.run('pid', undefined)
  const [one, other] = [
    await pool.run('pid', undefined, { ownProcess: true }),
    await pool.run('pid', undefined, { ownProcess: true }),
  ]
  expect(new Set([shared, one, other]).size).toBe(3)
  await expect(pool.run('fail', 'no picture', { ownProcess: true })).rejects.toMatchObject({ failure: 'unreadable' })
  expect(await pool.run('pid', undefined)).toBe(shared)
  await vi.waitFor(() => expect([one, other].some(isRunning)).toBe(false), { timeout: 20_000 })
})

test('a task that never ends is stopped at the time limit, and the next order is served', async () => {
  const pool = start({ timeoutMs: 1_500 })
  await expect(pool.run('spin', undefined)).rejects.toMatchObject({
    failure: 'time',
    message: 'Processing was stopped because it took longer than 1500 ms.',
  })
  expect(await pool.run('echo', 'still here')).toBe('still here')
})

test.runIf(process.platform === 'linux')('a task that hoards memory is stopped at the memory limit', async () => {
  const pool = start({ memoryMb: 200 })
  await expect(pool.run('hoard', undefined)).rejects.toMatchObject({
    failure: 'memory',
    message: 'Processing was stopped because it needed more than 200 MB of memory.',
  })
  expect(await pool.run('echo', 'still here')).toBe('still here')
})

test.runIf(process.platform === 'linux')('an order can have a lower limit than the pool', async () => {
  const pool = start({ memoryMb: 4_000 })
  await expect(pool.run('hoard', undefined, { memoryMb: 200 })).rejects.toMatchObject({
    failure: 'memory',
    message: 'Processing was stopped because it needed more than 200 MB of memory.',
  })
})

test.each(['crash', 'leave'] as const)('a task that makes its process %s fails alone', async misdeed => {
  const pool = start()
  await expect(pool.run(misdeed, undefined)).rejects.toMatchObject({
    failure: 'crashed',
    message: 'The decoder ended unexpectedly while it read this file.',
  })
  expect(await pool.run('echo', 'still here')).toBe('still here')
})

test('a failure keeps its sentence, and the process goes on', async () => {
  const pool = start()
  const before = await pool.run('pid', undefined)
  await expect(pool.run('fail', 'This is no picture.')).rejects.toMatchObject({
    failure: 'unreadable',
    message: 'This is no picture.',
  })
  await expect(pool.run('stumble', undefined)).rejects.toMatchObject({
    failure: 'crashed',
    message: 'The file could not be processed.',
    cause: 'undefined is not a function',
  })
  expect(await pool.run('pid', undefined)).toBe(before)
})

test('no more orders run at once than the pool has places', async () => {
  const pool = start({ size: 2 })
  const pids = await Promise.all([1, 2, 3, 4, 5].map(() => pool.run('wait', 30)))
  expect(new Set(pids).size).toBe(2)
})

test('people are served in turn, however many orders one of them has waiting', async () => {
  const pool = start({ size: 1 })
  const served: string[] = []
  const order = async (name: string, ownerId: number) => {
    await pool.run('wait', 5, { ownerId })
    served.push(name)
  }
  await Promise.all([
    ...[1, 2, 3, 4, 5].map(nr => order(`Ada ${nr}`, 1)),
    order('Ben 1', 2),
    order('Cem 1', 3),
    order('Ben 2', 2),
  ])
  expect(served).toEqual(['Ada 1', 'Ben 1', 'Cem 1', 'Ada 2', 'Ben 2', 'Ada 3', 'Ada 4', 'Ada 5'])
})

test('one owner cannot occupy every process', async () => {
  const pool = start({ size: 2, sizePerOwner: 1 })
  const over = new AbortController()
  const hanging = [1, 2, 3].map(() => pool.run('spin', undefined, { ownerId: 1, signal: over.signal }))
  const outcomes = Promise.allSettled(hanging)
  expect(await pool.run('echo', 'answered', { ownerId: 2 })).toBe('answered')
  expect(await pool.run('echo', 'again', { ownerId: 3 })).toBe('again')
  over.abort()
  for (const outcome of await outcomes) expect(outcome).toMatchObject({ reason: { failure: 'cancelled' } })
  expect(await pool.run('echo', 'still here', { ownerId: 1 })).toBe('still here')
})

test('a process is replaced after its share of orders', async () => {
  const pool = start({ tasksPerProcess: 2 })
  const pids = [await pool.run('pid', undefined), await pool.run('pid', undefined), await pool.run('pid', undefined)]
  expect(pids[1]).toBe(pids[0])
  expect(pids[2]).not.toBe(pids[0])
})

test.runIf(process.platform === 'linux')('a process that keeps too much memory is replaced', async () => {
  const pool = start({ maxIdleMb: 200 })
  const fat = await pool.run('keep', 200)
  expect(await pool.run('pid', undefined)).not.toBe(fat)
})

test('an unused process ends by itself', async () => {
  const pool = start({ idleMs: 50 })
  const pid = await pool.run('pid', undefined)
  await vi.waitFor(() => expect(isRunning(pid)).toBe(false), 20_000)
  expect(await pool.run('pid', undefined)).not.toBe(pid)
})

test('an order can be called off while it runs and while it waits', async () => {
  const pool = start()
  const running = new AbortController()
  const first = pool.run('spin', undefined, { signal: running.signal })
  const waiting = new AbortController()
  const second = pool.run('echo', 'never', { signal: waiting.signal })
  waiting.abort()
  await expect(second).rejects.toMatchObject({ failure: 'cancelled' })
  setTimeout(() => running.abort(), 100)
  await expect(first).rejects.toMatchObject({ failure: 'cancelled' })
  await expect(pool.run('echo', 'never', { signal: AbortSignal.abort() })).rejects.toMatchObject({
    failure: 'cancelled',
  })
  expect(await pool.run('echo', 'still here')).toBe('still here')
})

test('closing ends every process and calls off every order', async () => {
  const pool = start({ size: 2 })
  const pid = await pool.run('pid', undefined)
  const orders = [pool.run('spin', undefined), pool.run('spin', undefined), pool.run('echo', 'never')]
  const outcomes = Promise.allSettled(orders)
  await pool.close()
  for (const outcome of await outcomes) expect(outcome).toMatchObject({ reason: { failure: 'cancelled' } })
  expect(isRunning(pid)).toBe(false)
  await expect(pool.run('echo', 'never')).rejects.toMatchObject({ failure: 'cancelled' })
})

test("a process sees nothing of the server's environment", async () => {
  vi.stubEnv('OIDC_CLIENT_SECRET', 'hush')
  const environment = await start().run('environment', undefined)
  vi.unstubAllEnvs()
  expect(JSON.stringify(environment)).not.toContain('hush')
  expect(environment).not.toHaveProperty('HOME')
})

test('a process reads the compile cache of the server', async () => {
  const { NODE_COMPILE_CACHE } = process.env
  expect(await start().run('environment', undefined)).toMatchObject(NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {})
})

test('a worker caught in a loop ends when its server is killed', async () => {
  const server = fileURLToPath(new URL('../../test/processing/orphan-maker.ts', import.meta.url))
  const { stdout, signal } = spawnSync(process.execPath, [server], { encoding: 'utf8' })
  expect(signal).toBe('SIGKILL')
  const orphan = Number(stdout)
  expect(orphan).toBeGreaterThan(1)
  await vi.waitFor(() => expect(isRunning(orphan)).toBe(false), 20_000)
})

test.runIf(process.platform === 'linux')('an idle process is small', async () => {
  const pid = await start().run('pid', undefined)
  expect(residentMb(pid)).toBeLessThan(90)
})
