import { afterEach, describe, expect, test } from 'vitest'
import { emptyDatabase } from '../../test/empty-database.ts'
import { engines } from '../../test/library.ts'
import type { Database } from '../db/database.ts'
import { createFairScheduler } from './fairness.ts'
import { leaseJob } from './jobs.sql.ts'
import { createQueue, defineJob, type Queue } from './queue.ts'

const [ADA, BEN, CEM] = [1, 2, 3]
const soon = { timeout: 20_000 }
const photo = defineJob<{ of: number; nr: number }>('test.photo', { priority: 3 })
const avatar = defineJob<{ of: number; nr: number }>('test.avatar', { priority: 7 })

describe.each(engines)('the job queue (%s)', engine => {
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

  async function enqueue(db: Database, queue: Queue, ownerId: number, count: number, job = photo): Promise<void> {
    await db.transaction(async tx => {
      for (let nr = 1; nr <= count; nr++) await queue.enqueue(tx, job, { of: ownerId, nr }, { ownerId })
    })
    now++
  }

  test('serves people in turn: one job does not wait for the thousand that another queued before', async () => {
    const db = await openDatabase()
    const queue = openQueue(db)
    await enqueue(db, queue, ADA, 1_000)
    await enqueue(db, queue, BEN, 1)
    await enqueue(db, queue, CEM, 2)
    const scheduler = createFairScheduler()
    const owners: number[] = []
    for (let i = 0; i < 8; i++) {
      const lease = { token: String(i), now, until: now + 1 }
      owners.push((await leaseJob(db, [photo.name], lease, scheduler))?.owner_id ?? 0)
      now += 2
      await db.transaction(tx => tx.deleteFrom('jobs').where('lease_token', '=', String(i)).execute())
    }
    expect(owners).toEqual([ADA, BEN, CEM, ADA, CEM, ADA, ADA, ADA])
  })

  test("takes the owner's most urgent job, and lets nobody wait for another owner's more urgent ones", async () => {
    const db = await openDatabase()
    const queue = openQueue(db)
    await enqueue(db, queue, BEN, 1, avatar)
    await enqueue(db, queue, ADA, 3, photo)
    await enqueue(db, queue, ADA, 1, avatar)
    const scheduler = createFairScheduler()
    const leased: [number | undefined, string | undefined][] = []
    for (let i = 0; i < 4; i++) {
      const job = await leaseJob(db, [photo.name, avatar.name], { token: `${i}`, now, until: now + 60_000 }, scheduler)
      leased.push([job?.owner_id, job?.name])
    }
    expect(leased).toEqual([
      [ADA, photo.name],
      [BEN, avatar.name],
      [ADA, photo.name],
      [ADA, photo.name],
    ])
  })

  test('keeps a worker for others while all of one owner hang', async () => {
    const db = await openDatabase()
    const queue = openQueue(db)
    const started: string[] = []
    queue.handle(photo, {
      run: async ({ of, nr }, { signal }) => {
        started.push(`${of}:${nr}`)
        if (of !== ADA) return
        await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      },
    })
    await enqueue(db, queue, ADA, 20)
    await queue.start({ quick: 2, slow: 0 })
    await expect.poll(() => started, soon).toHaveLength(2)
    await enqueue(db, queue, BEN, 3)
    await expect.poll(() => started, soon).toEqual(['1:1', '1:2', '2:1', '2:2', '2:3'])
    // A job is deleted shortly after its handler is done.
    await expect.poll(() => queue.countWaiting(), soon).toBe(20)
  })

  test('runs as many jobs of one owner at once as it is given workers, and no more', async () => {
    const db = await openDatabase()
    const queue = openQueue(db)
    let running = 0
    const seen = new Set<number>()
    queue.handle(photo, {
      run: async () => {
        running++
        seen.add(running)
        await new Promise(resolve => setTimeout(resolve, 20))
        running--
      },
    })
    await enqueue(db, queue, ADA, 12)
    await queue.start({ quick: 2, slow: 0 })
    await expect.poll(() => queue.countWaiting(), soon).toBe(0)
    expect(Math.max(...seen)).toBe(2)
  })

  test.runIf(process.env.LONG)(
    'finds the next job by seeking, not by reading all that wait',
    async () => {
      const db = await openDatabase()
      /** The minimum over several claims, because other load only makes them slower. */
      const claims = async () => {
        const scheduler = createFairScheduler()
        const times: number[] = []
        for (let i = 0; i < 20; i++) {
          const begin = performance.now()
          const job = await leaseJob(
            db,
            [photo.name, avatar.name],
            { token: `${i}`, now, until: now + 60_000 },
            scheduler,
          )
          times.push(performance.now() - begin)
          expect(job).toBeDefined()
        }
        return Math.min(...times)
      }
      await insertMedia(db, 30, now)
      const few = await claims()
      await insertMedia(db, 100_000, now)
      const many = await claims()
      // A full scan takes at least 50 ms; the tolerance is for a busy machine.
      expect(many, `${few} ms with 30 jobs`).toBeLessThan(Math.max(few * 5, 20))
    },
    120_000,
  )
})

/** Inserts waiting jobs of ten people in bulk. */
async function insertMedia(db: Database, count: number, now: number): Promise<void> {
  await db.transaction(async tx => {
    for (let from = 0; from < count; from += 2_000) {
      const rows = Array.from({ length: Math.min(2_000, count - from) }, (_, i) => ({
        name: photo.name,
        payload: '{}',
        priority: photo.priority,
        run_at: now,
        attempts: 0,
        owner_id: i % 10 === 0 ? 1 + ((i / 10) % 10) : 1,
      }))
      await tx.insertInto('jobs').values(rows).execute()
    }
  })
}
