import type { Clock } from './clock.ts'

interface Lifetimes {
  /** How long a success is repeated, in milliseconds. */
  success: number
  /** How long a failure is: shorter, so that an end of the trouble is seen soon. */
  failure: number
  clock: Clock
}

/** One run at a time, whose result answers every call until it is too old, however many ask. */
export function rememberBriefly<T>(run: () => Promise<T>, { success, failure, clock }: Lifetimes): () => Promise<T> {
  let last: Promise<T> | undefined
  let goodUntil = 0
  return () => {
    if (last && clock() < goodUntil) return last
    const result = run()
    last = result
    goodUntil = Number.POSITIVE_INFINITY
    const settle = (lasts: number) => {
      goodUntil = clock() + lasts
    }
    result.then(
      () => settle(success),
      () => settle(failure),
    )
    return result
  }
}
