import type { ErrorKey } from '#messages/errors.ts'
import type { Clock } from './clock.ts'
import { AppError, type ErrorDetails } from './errors.ts'
import { setLru } from './lru.ts'

export interface RateLimiter {
  /** Counts one request under `key`; throws 429 after `max` in the current window. */
  hit(key: string, max: number): Promise<void>
}

export class TooManyRequests<Key extends ErrorKey = ErrorKey> extends AppError<Key> {
  readonly retryAfterSeconds: number

  constructor(retryAfterSeconds: number, key: Key, ...details: ErrorDetails<Key>) {
    super('too_many_requests', key, ...details)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Says how long to wait. */
export function tooManyRequests(retryAfterSeconds: number): TooManyRequests {
  return retryAfterSeconds > 120
    ? new TooManyRequests(retryAfterSeconds, 'request.waitMinutes', { minutes: Math.ceil(retryAfterSeconds / 60) })
    : new TooManyRequests(retryAfterSeconds, 'request.waitSeconds', { seconds: retryAfterSeconds })
}

export function enforceLimit(max: number, count: number, windowLeftMs: number): void {
  if (count > max) throw tooManyRequests(Math.ceil(windowLeftMs / 1000))
}

/** Bounds the memory: many new addresses evict the counts of other addresses (LRU). */
const MAX_KEYS = 20_000

/** Counts in this process, in fixed time windows. */
export function memoryRateLimiter(windowMs: number, clock: Clock, maxKeys = MAX_KEYS): RateLimiter {
  let window = 0
  let counts = new Map<string, number>()

  return {
    async hit(key, max) {
      const now = clock()
      const current = Math.floor(now / windowMs)
      if (current !== window) {
        window = current
        counts = new Map()
      }
      const count = (counts.get(key) ?? 0) + 1
      // LRU eviction: the least recently used key is removed first.
      setLru(counts, maxKeys, key, count)
      enforceLimit(max, count, (current + 1) * windowMs - now)
    },
  }
}
