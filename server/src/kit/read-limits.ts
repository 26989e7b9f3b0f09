import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance } from 'fastify'
import { AppError } from './errors.ts'

/** What limits the queries of a request that only reads. */
export interface ReadLimits {
  /** Aborts when the client has gone. */
  signal: AbortSignal
  /** How long one query may run, in milliseconds. */
  statementMs: number
}

interface Scope {
  limits?: ReadLimits | undefined
  longQueriesOf?: string | undefined
}

const scope = new AsyncLocalStorage<Scope>()

/** Undefined outside of requests that read: changes, jobs and commands are never interrupted. */
export function currentReadLimits(): ReadLimits | undefined {
  return scope.getStore()?.limits
}

/** On whose behalf queries run now that may take long. */
export function longQueriesOf(): string | undefined {
  return scope.getStore()?.longQueriesOf
}

/**
 * For work whose queries may take long: on SQLite those of one owner run one at a time, and all together leave a connection to
 * short ones.
 */
export function withLongQueries<T>(owner: string, work: () => Promise<T>): Promise<T> {
  return scope.run({ ...scope.getStore(), longQueriesOf: owner }, work)
}

/** For work that nobody waits for. */
export function inBackground<T>(work: () => Promise<T>): Promise<T> {
  return scope.run({ longQueriesOf: 'background' }, work)
}

/** For a result that several requests share: it does not end with one of them. */
export function withoutReadLimits<T>(work: () => T): T {
  return scope.run({}, work)
}

/** Queries of GET requests end when they take too long, or when their client has gone. */
export function limitReads(app: FastifyInstance, statementMs: number): void {
  app.addHook('preHandler', (request, reply, done) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return done()
    const gone = new AbortController()
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) gone.abort(nobodyWaits())
    })
    scope.run({ limits: { signal: gone.signal, statementMs } }, done)
  })
}

export function nobodyWaits(): AppError {
  return new AppError('timed_out', 'request.nobodyWaits')
}

/**
 * Runs a query within the limits. `interrupt` is called at most once, when it takes too long or the client has gone; the
 * error then says which.
 */
export async function runWithin<T>(
  { signal, statementMs }: ReadLimits,
  run: () => Promise<T>,
  interrupt: () => void,
): Promise<T> {
  signal.throwIfAborted()
  const { promise: interrupted, reject } = Promise.withResolvers<never>()
  const end = (reason: unknown) => {
    reject(reason)
    interrupt()
  }
  const onAbort = () => end(signal.reason)
  const timer = setTimeout(() => end(new AppError('unavailable', 'request.slowSearch')), statementMs)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([run(), interrupted])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
  }
}
