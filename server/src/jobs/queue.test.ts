import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { emptyDatabase } from '../../test/empty-database.ts'
import { engines } from '../../test/library.ts'
import type { Database } from '../db/database.ts'
import { defineJob, GiveUp, type Handler, type Job } from './job.ts'
import { createQueue, type Queue } from './queue.ts'

const LEASE = 60_000
const onePerLane = { quick: 1, slow: 1 }
const errand = defineJob<string>('test.errand')

describe.each(engines)('the queue on %s', engine => {
  test('takes a job with its transaction, and only with it', async () => {
    const { db, queue, add } = await workshop()
    const { ran } = worker(queue(), errand)
    const failing = db.write(async tx => {
      await queue().enqueue(tx, errand, 'never')
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    await add(errand, 'first')
    await start(queue())
    await add(errand, 'second')
    await eventually(ran).toEqual(['first', 'second'])
    await eventually(() => queue().countWaiting()).toBe(0)
  })

  test('gives every job to one of two servers, never to both', async () => {
    const { queue, add, anotherQueue } = await workshop()
    const other = await anotherQueue()
    const workers = [worker(queue(), errand), worker(other, errand)]
    const names = Array.from({ length: 40 }, (_, n) => `job ${n}`)
    for (const name of names) await add(errand, name)
    await Promise.all([queue().start({ quick: 2, slow: 1 }), other.start({ quick: 2, slow: 1 })])
    await eventually(() => queue().countWaiting()).toBe(0)
    expect(workers.flatMap(({ ran }) => ran()).toSorted()).toEqual(names.toSorted())
  })

  test('hands the job of a server that fell silent to another, and the first one’s late word changes nothing', async () => {
    const { queue, add, anotherQueue, pass, jobs } = await workshop()
    const [silent, successor] = [held(), held()]
    queue().handle(errand, silent.handler)
    await add(errand, 'letter')
    await start(queue())
    await silent.begun

    const other = await anotherQueue()
    other.handle(errand, successor.handler)
    pass(LEASE + 1)
    await start(other)
    expect(await successor.begun).toMatchObject({ payload: 'letter', attempt: 2 })

    const before = await jobs()
    silent.finish()
    await queue().stop()
    expect(await jobs()).toEqual(before)
    successor.finish()
    await eventually(jobs).toEqual([])
  })

  test('does not let a late failure undo what another server has taken over', async () => {
    const { queue, add, anotherQueue, pass, jobs } = await workshop()
    const [silent, successor] = [held(), held()]
    const gaveUp = vi.fn(async () => {})
    queue().handle(errand, { ...silent.handler, gaveUp })
    await add(errand, 'letter')
    await start(queue())
    await silent.begun
    const other = await anotherQueue()
    other.handle(errand, successor.handler)
    pass(LEASE + 1)
    await start(other)
    await successor.begun
    const before = await jobs()
    silent.fail(new GiveUp('Too late'))
    await queue().stop()
    expect(await jobs()).toEqual(before)
    expect(gaveUp).not.toHaveBeenCalled()
    successor.finish()
  })

  test('keeps a claim alive while the work goes on, and tells the work when it is lost', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { queue, add, anotherQueue, pass, jobs, rows } = await workshop()
    const long = held()
    queue().handle(errand, long.handler)
    await add(errand, 'film')
    await start(queue())
    const { signal } = await long.begun
    const [claimed] = await jobs()

    pass(LEASE - 1_000)
    vi.advanceTimersByTime(20_000)
    await eventually(async () => (await jobs())[0]?.claimed_until).toBe(Number(claimed?.claimed_until) + LEASE - 1_000)
    pass(2_000)
    const other = await anotherQueue()
    const idle = worker(other, errand)
    await start(other)
    await other.stop()
    expect(idle.ran()).toEqual([])
    expect(signal.aborted).toBe(false)

    await rows(`update jobs set claim = 'somebody else'`)
    vi.advanceTimersByTime(20_000)
    await eventually(() => signal.aborted).toBe(true)
    long.finish()
  })

  test('tries again, each time after a longer pause, and says why', async () => {
    const { queue, add, pass, now, jobs } = await workshop()
    const attempts: number[] = []
    queue().handle(errand, {
      async run(_, { attempt }) {
        attempts.push(attempt)
        if (attempt < 3) throw new Error(`The printer jammed, time ${attempt}`)
      },
    })
    await add(errand, 'letter')
    await start(queue())
    for (const [attempt, pause] of [5_000, 20_000].entries()) {
      await eventually(async () => (await jobs())[0]).toMatchObject({
        attempts: attempt + 1,
        failure: `The printer jammed, time ${attempt + 1}`,
        failed_at: null,
        claim: null,
      })
      const [job] = await jobs()
      const waits = Number(job?.run_at) - now()
      expect(waits).toBeGreaterThan(pause * 0.5)
      expect(waits).toBeLessThanOrEqual(pause * 1.25)
      pass(waits)
    }
    await eventually(jobs).toEqual([])
    expect(attempts).toEqual([1, 2, 3])
  })

  test('gives up after the last attempt, for all to see, and says so in the same transaction', async () => {
    const { queue, add, jobs, rows } = await workshop()
    const once = defineJob<string>('test.once', { attempts: 1 })
    queue().handle(once, {
      run: () => Promise.reject(new Error('No paper')),
      gaveUp: async (tx, payload, reason) => {
        await tx.insertInto('settings').values({ name: payload, value: reason }).execute()
      },
    })
    await add(once, 'letter')
    await start(queue())
    await eventually(async () => (await jobs())[0]?.failed_at ?? null).not.toBeNull()
    expect(await jobs()).toMatchObject([{ failure: 'No paper', attempts: 1, claim: null }])
    expect(await rows(`select value from settings where name = 'letter'`)).toEqual([{ value: 'No paper' }])
    expect(await queue().countWaiting()).toBe(0)
  })

  test('has not given up when saying so failed', async () => {
    const { queue, add, jobs, rows, log } = await workshop()
    const once = defineJob<string>('test.once', { attempts: 1 })
    queue().handle(once, {
      run: () => Promise.reject(new Error('No paper')),
      gaveUp: async tx => {
        await tx.insertInto('settings').values({ name: 'half', value: '' }).execute()
        throw new Error('No ink either')
      },
    })
    await add(once, 'letter')
    await start(queue())
    await eventually(() => log.join()).toContain('No ink either')
    expect(await jobs()).toMatchObject([{ failed_at: null }])
    expect(await rows(`select * from settings where name = 'half'`)).toEqual([])
  })

  test('gives up at once where trying again cannot help', async () => {
    const { queue, add, jobs } = await workshop()
    queue().handle(errand, { run: () => Promise.reject(new GiveUp('This is not a photo')) })
    await add(errand, 'letter')
    await start(queue())
    await eventually(jobs).toMatchObject([{ attempts: 1, failure: 'This is not a photo', claim: null }])
    expect((await jobs())[0]?.failed_at).not.toBeNull()
  })

  test('does not try for ever what kills every server that tries it', async () => {
    const { queue, add, anotherQueue, pass, jobs } = await workshop()
    const deadly = defineJob<string>('test.deadly', { attempts: 2 })
    const gaveUp = vi.fn(async () => {})
    await add(deadly, 'bomb')
    for (const next of [queue(), await anotherQueue()]) {
      const dies = held()
      next.handle(deadly, dies.handler)
      await start(next)
      await dies.begun
      pass(LEASE + 1)
    }
    const third = await anotherQueue()
    const run = vi.fn(async () => {})
    third.handle(deadly, { run, gaveUp })
    await start(third)
    await eventually(async () => (await jobs())[0]?.failed_at ?? null).not.toBeNull()
    expect(gaveUp).toHaveBeenCalledOnce()
    expect(run).not.toHaveBeenCalled()
  })

  describe('with a key', () => {
    test('holds one job, which knows the latest', async () => {
      const { queue, add, jobs } = await workshop()
      const { ran } = worker(queue(), errand)
      await add(errand, 'old', { uniqueKey: 'cover' })
      await add(errand, 'new', { uniqueKey: 'cover' })
      await add(errand, 'other', { uniqueKey: 'back' })
      expect(await jobs()).toHaveLength(2)
      await start(queue())
      await eventually(() => ran().toSorted()).toEqual(['new', 'other'])
    })

    test('runs again what was asked for anew while it ran', async () => {
      const { queue, add, jobs } = await workshop()
      const first = held()
      const payloads: string[] = []
      queue().handle(errand, {
        run: (payload, run) => {
          payloads.push(payload)
          return payloads.length === 1 ? first.handler.run(payload, run) : Promise.resolve()
        },
      })
      await add(errand, 'old', { uniqueKey: 'cover' })
      await start(queue())
      await first.begun
      await add(errand, 'new', { uniqueKey: 'cover' })
      first.finish()
      await eventually(jobs).toEqual([])
      expect(payloads).toEqual(['old', 'new'])
    })

    test('revives what had been given up', async () => {
      const { queue, add, jobs } = await workshop()
      const run = vi.fn(async (payload: string) => {
        if (payload === 'bad') throw new GiveUp('Unreadable')
      })
      queue().handle(errand, { run })
      await add(errand, 'bad', { uniqueKey: 'cover' })
      await start(queue())
      await eventually(jobs).toMatchObject([{ failure: 'Unreadable' }])
      await add(errand, 'good', { uniqueKey: 'cover' })
      await eventually(jobs).toEqual([])
    })
  })

  test('repeats what repeats, once for all servers, whether it fails or not', async () => {
    const { queue, anotherQueue, pass, now, jobs } = await workshop()
    const sweep = defineJob<null>('test.sweep', { everyMs: 3_600_000 })
    const run = vi.fn(async () => {
      if (run.mock.calls.length === 1) throw new Error('A broom is missing')
    })
    queue().handle(sweep, { run })
    await start(queue())
    await eventually(jobs).toMatchObject([{ failure: 'A broom is missing', failed_at: null, attempts: 0 }])
    expect(Number((await jobs())[0]?.run_at) - now()).toBeGreaterThan(3_590_000)

    pass(3_600_000)
    const other = await anotherQueue()
    other.handle(sweep, { run })
    await start(other)
    await eventually(() => run.mock.calls.length).toBe(2)
    await eventually(jobs).toMatchObject([{ failure: null, claim: null }])
    expect(await queue().countWaiting()).toBe(0)
  })

  test('lets the urgent go first, then the older', async () => {
    const { queue, add, pass } = await workshop()
    const urgent = defineJob<string>('test.urgent', { priority: 1 })
    const order: string[] = []
    for (const job of [errand, urgent]) {
      queue().handle(job, {
        run: async payload => {
          order.push(payload)
        },
      })
    }
    await add(errand, 'older')
    pass(1)
    await add(errand, 'younger')
    pass(1)
    await add(urgent, 'urgent')
    await start(queue())
    await eventually(() => order).toEqual(['urgent', 'older', 'younger'])
  })

  test('does not let slow work keep the quick waiting', async () => {
    const { queue, add } = await workshop()
    const film = defineJob<string>('test.film', { lane: 'slow' })
    const filming = held()
    queue().handle(film, filming.handler)
    const { ran } = worker(queue(), errand)
    await start(queue())
    await add(film, 'two hours')
    await filming.begun
    await add(errand, 'thumbnail')
    await eventually(ran).toEqual(['thumbnail'])
    filming.finish()
  })

  test('starts nothing before its time', async () => {
    const { queue, add, pass } = await workshop()
    const { ran } = worker(queue(), errand)
    await add(errand, 'later', { delayMs: 10_000 })
    await add(errand, 'now')
    await start(queue())
    await eventually(ran).toEqual(['now'])
    pass(10_000)
    await eventually(ran).toEqual(['now', 'later'])
  })

  test('leaves alone what it has no hands for', async () => {
    const { queue, add, jobs } = await workshop()
    const { ran } = worker(queue(), errand)
    await add(defineJob<string>('test.unknown'), 'x')
    await add(errand, 'y')
    await start(queue())
    await eventually(ran).toEqual(['y'])
    await queue().stop()
    expect(await jobs()).toMatchObject([{ name: 'test.unknown', attempts: 0, claim: null }])
  })

  test('gives back what is unfinished when it stops, as if it had never been tried', async () => {
    const { queue, add, anotherQueue, jobs } = await workshop()
    const long = held()
    queue().handle(errand, long.handler)
    await add(errand, 'film')
    await start(queue())
    await long.begun
    await queue().stop()
    expect(await jobs()).toMatchObject([{ attempts: 0, claim: null, claimed_until: null, failure: null }])

    const other = await anotherQueue()
    const next = held()
    other.handle(errand, next.handler)
    await start(other)
    expect(await next.begun).toMatchObject({ payload: 'film', attempt: 1 })
    next.finish()
  })

  test('has one pair of hands for each kind of job', async () => {
    const { queue } = await workshop()
    worker(queue(), errand)
    expect(() => worker(queue(), errand)).toThrow('Two handlers for the job test.errand')
  })

  /** A database with one server's queue on it, and a clock for all its servers. */
  async function workshop() {
    const { open, rows } = await emptyDatabase(engine)
    const db = await open()
    const log: string[] = []
    let time = 1_800_000_000_000
    const now = () => time
    const newQueue = (database: Database): Queue => {
      const write = ({ err }: { err?: Error }, message: string) => void log.push(`${message}: ${err?.message}`)
      const queue = createQueue(database, now, { info: write, error: write })
      onTestFinished(() => queue.stop())
      return queue
    }
    const first = newQueue(db)
    return {
      db,
      log,
      rows,
      now,
      queue: () => first,
      // SQLite serves one process, whose queues share its one connection.
      anotherQueue: async () => newQueue(engine === 'postgres' ? await open() : db),
      add: <P>(job: Job<P>, payload: P, options?: Parameters<Queue['enqueue']>[3]) =>
        db.write(tx => first.enqueue(tx, job, payload, options)),
      jobs: () => db.read.selectFrom('jobs').selectAll().orderBy('id').execute(),
      pass(milliseconds: number) {
        time += milliseconds
      },
    }
  }
})

afterEach(() => {
  vi.useRealTimers()
})

/** Servers that are not woken look for work every two seconds. */
function eventually<T>(look: () => T) {
  return expect.poll(look, { timeout: 10_000, interval: 20 })
}

function start(queue: Queue): Promise<void> {
  return queue.start(onePerLane)
}

/** Hands that do their work at once and remember it. */
function worker(queue: Queue, job: Job<string>) {
  const done: string[] = []
  queue.handle(job, {
    run: async payload => {
      done.push(payload)
    },
  })
  return { ran: () => done }
}

/** Work that lasts until the test ends it, or until it is told to stop. */
function held() {
  const begun = Promise.withResolvers<{ payload: string; attempt: number; signal: AbortSignal }>()
  const end = Promise.withResolvers<void>()
  const handler: Handler<string> = {
    run: (payload, { attempt, signal }) => {
      begun.resolve({ payload, attempt, signal })
      const stopped = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('Told to stop')))
      })
      return Promise.race([end.promise, stopped])
    },
  }
  return { handler, begun: begun.promise, finish: () => end.resolve(), fail: (error: Error) => end.reject(error) }
}
