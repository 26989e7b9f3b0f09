import { ApiError } from '../../kit/api.ts'

/** What a person cannot help and the server does not mean: the line, a restart, a proxy without its server. */
const OUTAGES: readonly number[] = [0, 408, 423, 425, 429, 502, 503, 504]

function isOutage(error: unknown): boolean {
  return error instanceof ApiError && OUTAGES.includes(error.status)
}

const FIRST_WAIT = 500
const LONGEST_WAIT = 15_000

/** How long to wait before the given attempt (from 1 on), in milliseconds. */
export function waitBefore(attempt: number): number {
  return Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** (attempt - 1))
}

export interface Persistence {
  signal: AbortSignal
  /** Told when nothing can go on for now, and when it does again. */
  onWaiting: (waiting: boolean) => void
  /** Says `online` when the network is back: the window. */
  network?: EventTarget
}

/** Does it again and again until it works or is refused: a broken connection is no reason to give up. */
export async function persistently<T>(act: () => Promise<T>, persistence: Persistence): Promise<T> {
  const { signal, onWaiting, network = window } = persistence
  for (let attempt = 1; ; attempt++) {
    try {
      const result = await act()
      onWaiting(false)
      return result
    } catch (error) {
      signal.throwIfAborted()
      if (!isOutage(error)) throw error
      onWaiting(true)
      await untilWorthTrying(waitBefore(attempt), signal, network)
    }
  }
}

/** Waits for a while; less when the browser says that the network is back. */
function untilWorthTrying(milliseconds: number, signal: AbortSignal, network: EventTarget): Promise<void> {
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
