import type { Clock } from './clock.ts'
import { withoutReadLimits } from './read-limits.ts'

interface Lifetimes {
  /** How long a success is cached, in milliseconds. */
  success: number
  /** How long a failure is cached: shorter, so that a recovery is noticed soon. */
  failure: number
  /** A longer run counts as failed, so that one that hangs does not block every later call. */
  timeout: number
  clock: Clock
}

/** Runs at most once at a time; concurrent and later calls share the result until it expires. */
export function cachedResult<T>(
  run: () => Promise<T>,
  { success, failure, timeout, clock }: Lifetimes,
): () => Promise<T> {
  let last: Promise<T> | undefined
  let expiresAt = 0
  return () => {
    if (last && clock() < expiresAt) return last
    // Not within the limits of the request that happens to start it: others wait for the result too.
    const result = withTimeout(withoutReadLimits(run), timeout)
    last = result
    expiresAt = Number.POSITIVE_INFINITY
    const settle = (ttl: number) => {
      expiresAt = clock() + ttl
    }
    result.then(
      () => settle(success),
      () => settle(failure),
    )
    return result
  }
}

async function withTimeout<T>(result: Promise<T>, milliseconds: number): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`No result after ${milliseconds} ms`)), milliseconds)
  try {
    return await Promise.race([result, late])
  } finally {
    clearTimeout(timer)
  }
}
