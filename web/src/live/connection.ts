import { live } from '#contract/limits.ts'
import { type Ending, type OnEvent, type Request, readStream } from './stream.ts'

interface Patience {
  /** A line on which nothing came for this long is dead, whatever the browser believes. */
  silence: number
  /** The first wait after a cut; each failure doubles it, up to the last. */
  firstWait: number
  longestWait: number
}

const usual: Patience = { silence: 2 * live.heartbeat, firstWait: live.retry / 2, longestWait: 30_000 }

interface Connection extends Request {
  onEvent: OnEvent
  onConnected: (connected: boolean) => void
  /** The server does not know this session any more. */
  onRefused: () => void
  patience?: Patience
}

/**
 * Keeps a stream open until `signal` aborts: hears when it is dead, and comes back after a while that grows, to continue
 * where it was cut.
 */
export async function keepConnected(connection: Connection, signal: AbortSignal): Promise<void> {
  const { onConnected, onRefused, patience = usual } = connection
  let { position } = connection
  let failures = 0
  const onEvent: OnEvent = (event, toldUntil) => {
    position = toldUntil ?? position
    connection.onEvent(event, position)
  }
  while (!signal.aborted) {
    const ending = await connectOnce({ ...connection, position, onEvent }, patience, signal, () => {
      failures = 0
      onConnected(true)
    })
    if (!signal.aborted) onConnected(false)
    if (ending === 'refused') return onRefused()
    if (ending !== 'aborted') await pause(waitAfter(failures++, patience), signal)
  }
}

async function connectOnce(
  { onEvent, ...request }: Connection,
  { silence }: Patience,
  signal: AbortSignal,
  onOpen: () => void,
): Promise<Ending | 'aborted'> {
  const line = new AbortController()
  const hangUp = () => line.abort()
  signal.addEventListener('abort', hangUp)
  let watchdog = setTimeout(hangUp, silence)
  let open = false
  const heard = {
    onEvent,
    onBeat: () => {
      clearTimeout(watchdog)
      watchdog = setTimeout(hangUp, silence)
      if (!open) onOpen()
      open = true
    },
  }
  try {
    return await readStream(request, heard, line.signal)
  } catch (error) {
    if (!line.signal.aborted) throw error
    return signal.aborted ? 'aborted' : 'cut'
  } finally {
    clearTimeout(watchdog)
    signal.removeEventListener('abort', hangUp)
  }
}

/** Between half and the whole of the doubled time, by chance: a hundred pages must not come back at once. */
export function waitAfter(failures: number, { firstWait, longestWait }: Patience, chance = Math.random()): number {
  const whole = Math.min(longestWait, firstWait * 2 ** failures)
  return whole * (0.5 + chance / 2)
}

/** Waits, but not once the browser says that the network is back, or the person that they are. */
function pause(duration: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const controller = new AbortController()
    const end = () => {
      clearTimeout(timer)
      controller.abort()
      resolve()
    }
    const timer = setTimeout(end, duration)
    const once = { signal: controller.signal }
    signal.addEventListener('abort', end, once)
    if (typeof window === 'undefined') return
    window.addEventListener('online', end, once)
    document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && end(), once)
  })
}
