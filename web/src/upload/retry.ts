import { ApiError } from '../kit/api.ts'
import { checkReachable } from '../kit/reachability.ts'

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
  /** Emits `online` when the network is back; the window by default. */
  network?: EventTarget
}

/** Retries until the call succeeds or fails with a permanent error. */
export async function retryUntilOnline<T>(act: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { signal, onOffline, network = window } = options
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
      await waitForRetry(retryDelay(attempt), signal, network)
    }
  }
}

/** Waits for the delay, or until the browser reports that it is online. */
function waitForRetry(milliseconds: number, signal: AbortSignal, network: EventTarget): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => () => {
      clearTimeout(timer)
      network.removeEventListener('online', onOnline)
      signal.removeEventListener('abort', onAbort)
      settle()
    }
    const onOnline = end(resolve)
    const onAbort = end(() => reject(signal.reason))
    const timer = setTimeout(onOnline, milliseconds)
    network.addEventListener('online', onOnline)
    signal.addEventListener('abort', onAbort)
    if (signal.aborted) onAbort()
  })
}
