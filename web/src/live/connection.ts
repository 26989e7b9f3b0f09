import { createParser } from 'eventsource-parser'
import { live } from '#contract/limits.ts'
import { LiveEvent, livePath } from '#contract/live.ts'
import { serverResponded, waitOrWakeUp } from '../kit/reachability.ts'

interface Timeouts {
  /** A stream without any data for this long counts as dead. */
  idleTimeout: number
  /** Exponential backoff: the first delay, doubled by each failure up to the maximum. */
  initialDelay: number
  maxDelay: number
}

const defaultTimeouts: Timeouts = { idleTimeout: 2 * live.heartbeat, initialDelay: live.retry / 2, maxDelay: 30_000 }

interface Connection extends StreamRequest {
  onEvent: OnEvent
  onConnected: (connected: boolean) => void
  /** The session has ended (401). */
  onRefused: () => void
  timeouts?: Timeouts
}

/**
 * Keeps a stream open until `signal` aborts: detects dead connections and reconnects with exponential backoff, resuming
 * at the last known position.
 */
export async function maintainConnection(connection: Connection, signal: AbortSignal): Promise<void> {
  const { onConnected, onRefused, timeouts = defaultTimeouts } = connection
  let { position } = connection
  let failures = 0
  const onEvent: OnEvent = (event, newPosition) => {
    position = newPosition ?? position
    connection.onEvent(event, position)
  }
  while (!signal.aborted) {
    const ending = await connectOnce({ ...connection, position, onEvent }, timeouts, signal, () => {
      failures = 0
      onConnected(true)
    })
    if (!signal.aborted) onConnected(false)
    if (ending === 'refused') return onRefused()
    if (ending !== 'aborted') await waitOrWakeUp(reconnectDelay(failures++, timeouts), signal)
  }
}

async function connectOnce(
  { onEvent, ...request }: Connection,
  { idleTimeout }: Timeouts,
  signal: AbortSignal,
  onOpen: () => void,
): Promise<StreamEnd | 'aborted'> {
  const line = new AbortController()
  const abort = () => line.abort()
  signal.addEventListener('abort', abort)
  let watchdog = setTimeout(abort, idleTimeout)
  let open = false
  const handlers = {
    onEvent,
    onData: () => {
      serverResponded()
      clearTimeout(watchdog)
      watchdog = setTimeout(abort, idleTimeout)
      if (!open) onOpen()
      open = true
    },
  }
  try {
    return await readStream(request, handlers, line.signal)
  } catch (error) {
    if (!line.signal.aborted) throw error
    return signal.aborted ? 'aborted' : 'cut'
  } finally {
    clearTimeout(watchdog)
    signal.removeEventListener('abort', abort)
  }
}

/** With random jitter, so that pages do not all reconnect at once. */
export function reconnectDelay(failures: number, { initialDelay, maxDelay }: Timeouts, chance = Math.random()): number {
  const whole = Math.min(maxDelay, initialDelay * 2 ** failures)
  return whole * (0.5 + chance / 2)
}

/** An event with its position in the stream, where the server sends one. */
export type OnEvent = (event: LiveEvent, position: string | undefined) => void

interface StreamHandlers {
  onEvent: OnEvent
  /** Any data arrived, also a heartbeat. */
  onData: () => void
}

/** How a connection ended. `refused`: the session is over, so a retry is useless. */
type StreamEnd = 'refused' | 'unreachable' | 'cut'

interface StreamRequest {
  address: string
  token: string
  /** Where the stream resumes; undefined where that is not known. */
  position: string | undefined
}

/** Reads one stream until it ends. Rejects only when aborted. */
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

/** A proxy or a captive portal may answer instead of the server. */
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

/** Undefined for an event that only a newer version knows. */
function parseEvent(data: string): LiveEvent | undefined {
  try {
    return LiveEvent.safeParse(JSON.parse(data)).data
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
