import type { Clock } from './clock.ts'

interface Lifetimes {
  /** How long a success is repeated, in milliseconds. */
  success: number
  /** How long a failure is: shorter, so that a recovery is noticed soon. */
  failure: number
  /** A run that takes longer than this counts as failed; one that hangs must not hang every later call. */
  timeout: number
  clock: Clock
}

/** Runs once at a time and caches the result for all calls until it expires, however many ask. */
export function cachedResult<T>(
  run: () => Promise<T>,
  { success, failure, timeout, clock }: Lifetimes,
): () => Promise<T> {
  let last: Promise<T> | undefined
  let expiresAt = 0
  return () => {
    if (last && clock() < expiresAt) return last
    const result = withTimeout(run(), timeout)
    last = result
    expiresAt = Number.POSITIVE_INFINITY
    const settle = (lasts: number) => {
      expiresAt = clock() + lasts
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
