import { ApiError } from '../kit/api.ts'
import { checkReachable, waitOrWakeUp } from '../kit/reachability.ts'

/** Transient failures: no connection, a server restart, a proxy without its server. */
const TRANSIENT_STATUSES: readonly number[] = [0, 408, 423, 425, 429, 502, 503, 504]

function isTransient(error: unknown): boolean {
  return error instanceof ApiError && TRANSIENT_STATUSES.includes(error.status)
}

const FIRST_DELAY = 500
const MAX_DELAY = 15_000

/** Exponential backoff before the given attempt (from 1), in milliseconds. */
export function retryDelay(attempt: number): number {
  return Math.min(MAX_DELAY, FIRST_DELAY * 2 ** (attempt - 1))
}

export interface RetryOptions {
  signal: AbortSignal
  /** Called with true when an attempt failed for lack of a connection, and with false when one succeeded. */
  onOffline: (offline: boolean) => void
}

/** Retries until the call succeeds or fails with a permanent error. */
export async function retryUntilOnline<T>(act: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { signal, onOffline } = options
  for (let attempt = 1; ; attempt++) {
    try {
      const result = await act()
      onOffline(false)
      return result
    } catch (error) {
      signal.throwIfAborted()
      if (!isTransient(error)) throw error
      onOffline(true)
      void checkReachable()
      await waitOrWakeUp(retryDelay(attempt), signal)
      signal.throwIfAborted()
    }
  }
}
