import { createParser } from 'eventsource-parser'
import { LiveEvent, livePath } from '#contract/live.ts'

/** What came, and how far the page has been told with it, where the server says so. */
export type OnEvent = (event: LiveEvent, position: string | undefined) => void

export interface StreamHandlers {
  onEvent: OnEvent
  /** Anything at all came: the line is alive. */
  onData: () => void
}

/** How one connection ended. `refused`: this session is over, and asking again would not help. */
export type StreamEnd = 'refused' | 'unreachable' | 'cut'

export interface StreamRequest {
  address: string
  token: string
  /** How far the page has been told: the stream continues there. Undefined: nobody knows. */
  position: string | undefined
}

/** Reads one stream until it ends. Rejects only when it was aborted. */
export async function readStream(
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
