import { randomUUID } from 'node:crypto'
import type { Database } from '../db/database.ts'
import type { JobRow, Tx } from '../db/schema.ts'
import type { Clock } from '../kit/clock.ts'
import { inBackground } from '../kit/read-limits.ts'
import { createFairScheduler, type FairScheduler } from './fairness.ts'
import {
  countWaiting,
  countWaitingOf,
  deleteJob,
  insertJobIfNew,
  insertJobs,
  leaseJob,
  markFailed,
  payloadOf,
  renewLease,
  reschedule,
} from './jobs.sql.ts'

const LEASE_MS = 60_000
const RENEW_EVERY_MS = 20_000
/** Jobs of other servers and expired leases are found by polling; jobs of this server wake the workers at once. */
const POLL_EVERY_MS = 2_000

export interface QueueLog {
  info(context: object, message: string): void
  error(context: object, message: string): void
}

export interface EnqueueOptions {
  uniqueKey?: string
  delayMs?: number
  /** The person who waits for it; absent: the server itself. */
  ownerId?: number
}

/** The owner of the server's own jobs. */
const SERVER = 0

export interface Queue {
  /** Inserts the job in the transaction that it belongs to. */
  enqueue<P>(tx: Tx, job: Job<P>, payload: P, options?: EnqueueOptions): Promise<void>
  /** The same for many at once. Their unique keys must differ. */
  enqueueAll<P>(tx: Tx, job: Job<P>, all: readonly { payload: P; options: EnqueueOptions }[]): Promise<void>
  /** What a job of this unique key that waits or runs is about, for one that adds to it. */
  payloadOf<P>(tx: Tx, job: Job<P>, uniqueKey: string): Promise<P | undefined>
  handle<P>(job: Job<P>, handler: Handler<P>): void
  /** Jobs that wait or run, without the recurring ones. */
  countWaiting(): Promise<number>
  /** How many jobs of this kind wait or run for one owner. */
  countWaitingOf(tx: Tx, job: Job<never>, ownerId: number): Promise<number>
  /**
   * Starts the workers. In each lane at most this many jobs of one owner run at once; one more worker is reserved for
   * other owners.
   */
  start(lanes: Partial<Record<Job['lane'], number>>): Promise<void>
  /** Releases unfinished jobs and stops the workers. */
  stop(): Promise<void>
}

interface Registered {
  job: Job
  handler: Handler<unknown>
}

/** A durable job queue on the database: workers lease jobs, failed jobs are retried with exponential backoff. */
export function createQueue(db: Database, clock: Clock, log: QueueLog): Queue {
  const registered = new Map<string, Registered>()
  const stopping = new AbortController()
  const loops: Promise<void>[] = []
  let wakeAll: () => void = () => {}
  let woken = nextWake()

  function nextWake(): Promise<void> {
    return new Promise(resolve => {
      wakeAll = resolve
    })
  }

  function wake(): void {
    const resolve = wakeAll
    woken = nextWake()
    resolve()
  }

  async function workOn(lane: Job['lane'], scheduler: FairScheduler): Promise<void> {
    const names = [...registered.values()].filter(({ job }) => job.lane === lane).map(({ job }) => job.name)
    if (names.length === 0) return
    while (!stopping.signal.aborted) {
      // Read before polling, so that a job enqueued in between still wakes this worker.
      const wokenNow = woken
      const worked = await workOnce(names, scheduler).catch(error => {
        log.error({ err: error }, 'the job queue could not be read')
        return false
      })
      if (!worked) await Promise.race([wokenNow, pause(POLL_EVERY_MS, stopping.signal)])
    }
  }

  async function workOnce(names: string[], scheduler: FairScheduler): Promise<boolean> {
    const now = clock()
    const lease = { token: randomUUID(), now, until: now + LEASE_MS }
    const job = await scheduler.withLock(() => leaseJob(db, names, lease, scheduler))
    if (!job) return false
    try {
      await work(job)
    } finally {
      scheduler.finished(job.owner_id)
    }
    return true
  }

  async function work(job: JobRow): Promise<void> {
    const known = registered.get(job.name)
    if (!known) return
    if (known.job.everyMs === undefined && job.attempts > known.job.attempts) {
      await retryOrFail(job, known, new PermanentFailure('The server ended each time that it worked on this.'))
    } else {
      await runLeased(job, known)
    }
  }

  async function runLeased(row: JobRow, { job, handler }: Registered): Promise<void> {
    const lost = new AbortController()
    const renewal = setInterval(() => {
      renewLease(db.query, row, clock() + LEASE_MS).then(
        kept => kept || lost.abort(),
        error => log.error({ err: error, job: row.name }, 'the lease of a job could not be renewed'),
      )
    }, RENEW_EVERY_MS)
    try {
      const signal = AbortSignal.any([stopping.signal, lost.signal])
      await inBackground(() => handler.run(JSON.parse(row.payload), { signal, attempt: row.attempts }))
      if (job.everyMs === undefined) await deleteJob(db.query, row)
      else await reschedule(db.query, row, { runAt: clock() + job.everyMs, attempts: 0, failure: null })
    } catch (error) {
      await retryOrFail(row, { job, handler }, error)
    } finally {
      clearInterval(renewal)
    }
  }

  async function retryOrFail(row: JobRow, { job, handler }: Registered, error: unknown): Promise<void> {
    if (stopping.signal.aborted) {
      await reschedule(db.query, row, { runAt: clock(), attempts: row.attempts - 1, failure: null })
      return
    }
    const reason = error instanceof Error ? error.message : String(error)
    log.error({ err: error, job: row.name, attempt: row.attempts }, 'a job failed')
    if (job.everyMs !== undefined) {
      await reschedule(db.query, row, { runAt: clock() + job.everyMs, attempts: 0, failure: reason })
    } else if (error instanceof PermanentFailure || row.attempts >= job.attempts) {
      await db.transaction(async tx => {
        const ours = job.keepsFailed ? await markFailed(tx, row, clock(), reason) : await deleteJob(tx, row)
        if (ours) await handler.onFailed?.(tx, JSON.parse(row.payload), reason)
      })
    } else {
      await reschedule(db.query, row, {
        runAt: clock() + Math.max(backoffMs(row.attempts), error instanceof RetryAfter ? error.delayMs : 0),
        attempts: row.attempts,
        failure: reason,
      })
    }
  }

  const queue: Queue = {
    enqueue: (tx, job, payload, options = {}) => queue.enqueueAll(tx, job, [{ payload, options }]),
    async enqueueAll(tx, job, all) {
      const jobs = all.map(({ payload, options }) => ({
        name: job.name,
        payload: JSON.stringify(payload),
        priority: job.priority,
        runAt: clock() + (options.delayMs ?? 0),
        uniqueKey: options.uniqueKey ?? null,
        ownerId: options.ownerId ?? SERVER,
      }))
      await insertJobs(tx, jobs)
      db.afterCommit(tx, wake)
    },
    async payloadOf(tx, _job, uniqueKey) {
      const payload = await payloadOf(tx, uniqueKey)
      return payload === undefined ? undefined : JSON.parse(payload)
    },
    handle(job, handler) {
      if (registered.has(job.name)) throw new Error(`Two handlers for the job ${job.name}`)
      registered.set(job.name, { job, handler: handler as Handler<unknown> })
    },
    countWaiting: () => countWaiting(db.query),
    countWaitingOf: (tx, { name }, ownerId) => countWaitingOf(tx, name, ownerId),
    async start(lanes) {
      await db.transaction(async tx => {
        for (const { job } of registered.values()) {
          if (job.everyMs === undefined) continue
          const { name, priority } = job
          const uniqueKey = `every:${name}`
          await insertJobIfNew(tx, { name, priority, payload: 'null', runAt: clock(), uniqueKey, ownerId: SERVER })
        }
      })
      for (const [lane, count] of Object.entries(lanes) as [Job['lane'], number][]) {
        if (count === 0) continue
        const scheduler = createFairScheduler(count)
        for (let i = 0; i < count + 1; i++) loops.push(workOn(lane, scheduler))
      }
    },
    async stop() {
      stopping.abort()
      await Promise.all(loops)
    },
  }
  return queue
}

/** Exponential backoff: 5 s, 20 s, 80 s, … at most an hour, with ±25 % jitter. */
function backoffMs(attempts: number): number {
  const base = Math.min(5_000 * 4 ** (attempts - 1), 3_600_000)
  // Rounded, because the column is a bigint.
  return Math.round(base * (0.75 + Math.random() / 2))
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise(resolve => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
  })
}

/** A kind of background job: its name, how it is retried, and the type of its payload. */
export interface Job<Payload = unknown> {
  readonly name: string
  /**
   * Slow work has its own lane, so that converting a two-hour film never delays a thumbnail. So have mails and notifications on
   * devices, because the servers that they are sent to may not answer for long, folders of other programs, and imports, which take
   * hours.
   */
  readonly lane: 'quick' | 'slow' | 'mail' | 'push' | 'folders' | 'import'
  /** Lower runs first within the lane. */
  readonly priority: number
  readonly attempts: number
  /** Repeats this long after each run. */
  readonly everyMs: number | undefined
  /** A job that failed for good stays in the table with its reason. */
  readonly keepsFailed: boolean
  /** Never called: carries the payload's type. */
  payload?(payload: Payload): void
}

export function defineJob<Payload>(
  name: string,
  options: { lane?: Job['lane']; priority?: number; attempts?: number; everyMs?: number; keepsFailed?: boolean } = {},
): Job<Payload> {
  return {
    name,
    lane: options.lane ?? 'quick',
    priority: options.priority ?? 5,
    attempts: options.attempts ?? 5,
    everyMs: options.everyMs,
    keepsFailed: options.keepsFailed ?? true,
  }
}

export interface JobRun {
  /** Aborted when the server stops or the lease is lost. */
  signal: AbortSignal
  attempt: number
}

/** Handlers must be idempotent: if a server dies before it records success, another one runs the job again. */
export interface Handler<Payload> {
  run(payload: Payload, run: JobRun): Promise<void>
  /** Called when the last attempt failed, in the transaction that marks the job as failed. */
  onFailed?(tx: Tx, payload: Payload, reason: string): Promise<void>
}

/** Thrown by a handler when a retry should wait for at least this long. */
export class RetryAfter extends Error {
  readonly delayMs: number

  constructor(reason: string, delayMs: number, options?: ErrorOptions) {
    super(reason, options)
    this.name = 'RetryAfter'
    this.delayMs = delayMs
  }
}

/** Thrown by a handler when a retry cannot help. Its message is shown to people. */
export class PermanentFailure extends Error {
  constructor(reason: string, options?: { cause?: unknown }) {
    super(reason, options)
    this.name = 'PermanentFailure'
  }
}
