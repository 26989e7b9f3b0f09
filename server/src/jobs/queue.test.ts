import { afterEach, describe, expect, test } from 'vitest'
import { emptyDatabase } from '../../test/empty-database.ts'
import { engines } from '../../test/library.ts'
import type { Database } from '../db/database.ts'
import { leaseJob } from './jobs.sql.ts'
import { createQueue, defineJob, type Handler, type Job, PermanentFailure, type Queue } from './queue.ts'

const MINUTE = 60_000
const soon = { timeout: 10_000 }
const greet = defineJob<{ name: string }>('test.greet', { attempts: 3 })

describe.each(engines)('a job (%s)', engine => {
  let now = 1_000_000
  const clock = () => now
  const queues: Queue[] = []
  afterEach(async () => {
    for (const queue of queues.splice(0)) await queue.stop()
  })

  const openDatabase = async () => (await emptyDatabase(engine)).open()

  function openQueue(db: Database): Queue {
    const queue = createQueue(db, clock, { info: () => undefined, error: () => undefined })
    queues.push(queue)
    return queue
  }

  /** A running queue with this handler and one waiting job. */
  async function begin<P>(job: Job<P>, payload: P, handler: Handler<P>) {
    const db = await openDatabase()
    const queue = openQueue(db)
    queue.handle(job, handler)
    await db.transaction(tx => queue.enqueue(tx, job, payload))
    return { db, queue }
  }

  const jobsIn = (db: Database) => db.query.selectFrom('jobs').selectAll().orderBy('id').execute()

  test('is done once, and gone then', async () => {
    const greeted: string[] = []
    const { db, queue } = await begin(greet, { name: 'Ada' }, { run: async ({ name }) => void greeted.push(name) })
    await queue.start({ quick: 3, slow: 0 })
    await expect.poll(() => jobsIn(db), soon).toEqual([])
    expect(greeted).toEqual(['Ada'])
  })

  test('of a transaction that fails was never there', async () => {
    const db = await openDatabase()
    const queue = openQueue(db)
    const failing = db.transaction(async tx => {
      await queue.enqueue(tx, greet, { name: 'Nobody' })
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await jobsIn(db)).toEqual([])
  })

  test('that fails is tried again later, and at last given up with its reason', async () => {
    const attempts: number[] = []
    const onFailed: string[] = []
    const { db, queue } = await begin(
      greet,
      { name: 'Ada' },
      {
        run: async (_, { attempt }) => {
          attempts.push(attempt)
          throw new Error(`refused ${attempt}`)
        },
        onFailed: async (_tx, { name }, reason) => void onFailed.push(`${name}: ${reason}`),
      },
    )
    await queue.start({ quick: 1, slow: 0 })
    for (const attempt of [1, 2, 3]) {
      await expect.poll(() => attempts, soon).toHaveLength(attempt)
      // Before the failure is recorded, advancing the clock would expire the lease and let another worker take the job.
      await expect.poll(async () => (await jobsIn(db))[0]?.lease_token, soon).toBeNull()
      now += 10 * MINUTE
    }
    await expect
      .poll(() => jobsIn(db), soon)
      .toMatchObject([{ attempts: 3, last_error: 'refused 3', lease_token: null, failed_at: expect.any(Number) }])
    expect(onFailed).toEqual(['Ada: refused 3'])
    now += 60 * MINUTE
    expect(await queue.countWaiting()).toBe(0)
    expect(attempts).toEqual([1, 2, 3])
  })

  test('whose failures are not kept is gone when it is given up', async () => {
    const failed: string[] = []
    const ask = defineJob<null>('test.ask', { keepsFailed: false })
    const { db, queue } = await begin(ask, null, {
      run: () => Promise.reject(new PermanentFailure('Nobody is there.')),
      onFailed: async (_tx, _payload, reason) => void failed.push(reason),
    })
    await queue.start({ quick: 1, slow: 0 })
    await expect.poll(() => jobsIn(db), soon).toEqual([])
    expect(failed).toEqual(['Nobody is there.'])
  })

  test('that cannot ever succeed is not tried again', async () => {
    let runs = 0
    const { db, queue } = await begin(
      greet,
      { name: 'Ada' },
      {
        run: async () => {
          runs++
          throw new PermanentFailure('There is nobody of that name.')
        },
      },
    )
    await queue.start({ quick: 1, slow: 0 })
    await expect.poll(async () => (await jobsIn(db))[0]?.failed_at, soon).toBe(now)
    expect(runs).toBe(1)
  })

  test('that brings its server down each time is given up unread', async () => {
    const onFailed: string[] = []
    const handler: Handler<{ name: string }> = {
      run: async () => void onFailed.push('it was run once more'),
      onFailed: async (_tx, _payload, reason) => void onFailed.push(reason),
    }
    const { db, queue } = await begin(greet, { name: 'Ada' }, handler)
    for (let server = 1; server <= greet.attempts; server++) {
      const lease = { token: `server ${server}`, now, until: now + MINUTE }
      expect(await leaseJob(db, [greet.name], lease)).toMatchObject({ attempts: server })
      now += 2 * MINUTE
    }
    await queue.start({ quick: 1, slow: 0 })
    await expect.poll(async () => (await jobsIn(db))[0]?.failed_at, soon).toBe(now)
    expect(onFailed).toEqual(['The server ended each time that it worked on this.'])
  })

  test('is left alone by others while its claim holds, and taken over when it has run out', async () => {
    const greeted: string[] = []
    const { db, queue } = await begin(greet, { name: 'Ada' }, { run: async ({ name }) => void greeted.push(name) })
    const claimAs = (token: string) => leaseJob(db, [greet.name], { token, now, until: now + MINUTE })
    expect(await claimAs('one server')).toMatchObject({ lease_token: 'one server' })
    expect(await claimAs('another server')).toBeUndefined()
    now += 2 * MINUTE
    await queue.start({ quick: 1, slow: 0 })
    await expect.poll(() => greeted, soon).toEqual(['Ada'])
  })

  test('of which one waits already is brought up to date, not doubled', async () => {
    const db = await openDatabase()
    const queue = openQueue(db)
    for (const name of ['Ada', 'Ben']) {
      await db.transaction(tx => queue.enqueue(tx, greet, { name }, { uniqueKey: 'greeting' }))
    }
    expect(await jobsIn(db)).toMatchObject([{ payload: '{"name":"Ben"}', attempts: 0 }])
  })

  test('that is unfinished when the server stops is given back, and the attempt does not count', async () => {
    let started = false
    const { db, queue } = await begin(
      greet,
      { name: 'Ada' },
      {
        run: async (_, { signal }) => {
          started = true
          await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
        },
      },
    )
    await queue.start({ quick: 1, slow: 0 })
    await expect.poll(() => started, soon).toBe(true)
    await queue.stop()
    expect(await jobsIn(db)).toMatchObject([{ attempts: 0, lease_token: null, failed_at: null }])
  })

  test('that repeats goes on after a failure, and is not doubled by a second start', async () => {
    const tick = defineJob<null>('test.tick', { everyMs: 10 * MINUTE })
    const db = await openDatabase()
    let runs = 0
    const handler: Handler<null> = {
      run: async () => {
        runs++
        if (runs === 1) throw new Error('not yet')
      },
    }
    for (let server = 1; server <= 2; server++) {
      const queue = openQueue(db)
      queue.handle(tick, handler)
      await queue.start({ quick: 1, slow: 0 })
    }
    await expect.poll(() => runs, soon).toBe(1)
    await expect.poll(async () => (await jobsIn(db))[0]?.lease_token, soon).toBeNull()
    now += 11 * MINUTE
    await expect.poll(() => runs, soon).toBe(2)
    expect(await jobsIn(db)).toMatchObject([{ failed_at: null }])
  })
})
