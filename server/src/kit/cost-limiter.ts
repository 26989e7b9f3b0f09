import type { Clock } from './clock.ts'
import { setLru } from './lru.ts'
import { tooManyRequests } from './rate-limiter.ts'

interface Budget {
  /** What a key may use at once. */
  burst: number
  /** What it regains each second. */
  perSecond: number
}

/** Bounds the memory, like the limit of `memoryRateLimiter`. */
const MAX_KEYS = 20_000

/**
 * A token bucket per key, in which requests cost what they cost the server. In memory also with several servers: it
 * protects the CPU of this one, and a count in the database would cost more than most requests.
 */
export class CostLimiter {
  readonly #budget: Budget
  readonly #clock: Clock
  readonly #maxKeys: number
  readonly #buckets = new Map<string, { left: number; at: number }>()

  constructor(budget: Budget, clock: Clock, maxKeys = MAX_KEYS) {
    this.#budget = budget
    this.#clock = clock
    this.#maxKeys = maxKeys
  }

  /** Throws 429 if `key` cannot pay. */
  spend(key: string, cost: number): void {
    if (cost === 0) return
    const { burst, perSecond } = this.#budget
    const now = this.#clock()
    const { left, at } = this.#buckets.get(key) ?? { left: burst, at: now }
    const available = Math.min(burst, left + (Math.max(0, now - at) / 1000) * perSecond)
    const isEnough = available >= cost
    setLru(this.#buckets, this.#maxKeys, key, { left: isEnough ? available - cost : available, at: now })
    if (!isEnough) throw tooManyRequests(Math.ceil((cost - available) / perSecond))
  }

  /** Gives back what `key` has spent. */
  refund(key: string, cost: number): void {
    const bucket = this.#buckets.get(key)
    if (bucket) bucket.left = Math.min(this.#budget.burst, bucket.left + cost)
  }
}
