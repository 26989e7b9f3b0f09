import { createParser } from 'eventsource-parser'
import { live } from '#contract/limits.ts'
import { LiveEvent, livePath } from '#contract/live.ts'

interface Timeouts {
  /** A line on which nothing came for this long is dead, whatever the browser believes. */
  idleTimeout: number
  /** The first wait after a cut; each failure doubles it, up to the last. */
  initialDelay: number
  maxDelay: number
}

const defaultTimeouts: Timeouts = { idleTimeout: 2 * live.heartbeat, initialDelay: live.retry / 2, maxDelay: 30_000 }

interface Connection extends StreamRequest {
  onEvent: OnEvent
  onConnected: (connected: boolean) => void
  /** The server does not know this session any more. */
  onRefused: () => void
  timeouts?: Timeouts
}

/**
 * Keeps a stream open until `signal` aborts: hears when it is dead, and comes back after a while that grows, to continue
 * where it was cut.
 */
export async function maintainConnection(connection: Connection, signal: AbortSignal): Promise<void> {
  const { onConnected, onRefused, timeouts = defaultTimeouts } = connection
  let { position } = connection
  let failures = 0
  const onEvent: OnEvent = (event, toldUntil) => {
    position = toldUntil ?? position
    connection.onEvent(event, position)
  }
  while (!signal.aborted) {
    const ending = await connectOnce({ ...connection, position, onEvent }, timeouts, signal, () => {
      failures = 0
      onConnected(true)
    })
    if (!signal.aborted) onConnected(false)
    if (ending === 'refused') return onRefused()
    if (ending !== 'aborted') await waitOrWakeUp(backoffDelay(failures++, timeouts), signal)
  }
}

async function connectOnce(
  { onEvent, ...request }: Connection,
  { idleTimeout }: Timeouts,
  signal: AbortSignal,
  onOpen: () => void,
): Promise<StreamEnd | 'aborted'> {
  const line = new AbortController()
  const hangUp = () => line.abort()
  signal.addEventListener('abort', hangUp)
  let watchdog = setTimeout(hangUp, idleTimeout)
  let open = false
  const heard = {
    onEvent,
    onData: () => {
      clearTimeout(watchdog)
      watchdog = setTimeout(hangUp, idleTimeout)
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
export function backoffDelay(failures: number, { initialDelay, maxDelay }: Timeouts, chance = Math.random()): number {
  const whole = Math.min(maxDelay, initialDelay * 2 ** failures)
  return whole * (0.5 + chance / 2)
}

/** Waits, but not once the browser says that the network is back, or the person that they are. */
function waitOrWakeUp(duration: number, signal: AbortSignal): Promise<void> {
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

/** What came, and how far the page has been told with it, where the server says so. */
export type OnEvent = (event: LiveEvent, position: string | undefined) => void

interface StreamHandlers {
  onEvent: OnEvent
  /** Anything at all came: the line is alive. */
  onData: () => void
}

/** How one connection ended. `refused`: this session is over, and asking again would not help. */
type StreamEnd = 'refused' | 'unreachable' | 'cut'

interface StreamRequest {
  address: string
  token: string
  /** How far the page has been told: the stream continues there. Undefined: nobody knows. */
  position: string | undefined
}

/** Reads one stream until it ends. Rejects only when it was aborted. */
async function readStream(
  { address, token, position }: StreamRequest,
  { onEvent, onData }: StreamHandlers,
  signal: AbortSignal,
): Promise<StreamEnd> {
  let opened = false
  try {
    const headers = new Headers({ accept: 'text/event-stream', authorization: `Bearer ${token}` })
    if (position !== undefined) headers.set('last-event-id', position)
    const response = await fetch(address, { headers, cache: 'no-store', signal })
    if (response.status === 401) return 'refused'
    const { body } = response
    if (!response.ok || body === null || !isEventStream(response)) return 'unreachable'
    opened = true
    await readEvents(body, { onEvent, onData })
    return 'cut'
  } catch (error) {
    if (signal.aborted) throw error
    return opened ? 'cut' : 'unreachable'
  }
}

export function streamUrl(origin: string): string {
  return new URL(livePath, origin).href
}

/** A proxy or a captive portal may answer in the server's place. */
function isEventStream(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('text/event-stream') === true
}

async function readEvents(body: ReadableStream<Uint8Array>, { onEvent, onData }: StreamHandlers): Promise<void> {
  const parser = createParser({
    onEvent: ({ data, id }) => {
      const event = parseEvent(data)
      if (event !== undefined) onEvent(event, id)
    },
  })
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    onData()
    parser.feed(value)
  }
}

/** Undefined for what a newer server says and this page does not know yet. */
function parseEvent(data: string): LiveEvent | undefined {
  try {
    return LiveEvent.safeParse(JSON.parse(data)).data
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
