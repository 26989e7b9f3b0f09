import { createParser } from 'eventsource-parser'
import { LiveEvent, livePath } from '#contract/live.ts'

export interface Heard {
  onEvent: (event: LiveEvent) => void
  /** Anything at all came: the line is alive. */
  onBeat: () => void
}

/** How one connection ended. `refused`: this session is over, and asking again would not help. */
export type Ending = 'refused' | 'unreachable' | 'cut'

/** Reads one stream until it ends. Rejects only when it was aborted. */
export async function readStream(
  address: string,
  token: string,
  { onEvent, onBeat }: Heard,
  signal: AbortSignal,
): Promise<Ending> {
  let opened = false
  try {
    const headers = { accept: 'text/event-stream', authorization: `Bearer ${token}` }
    const response = await fetch(address, { headers, cache: 'no-store', signal })
    if (response.status === 401) return 'refused'
    const { body } = response
    if (!response.ok || body === null || !isEventStream(response)) return 'unreachable'
    opened = true
    await readEvents(body, { onEvent, onBeat })
    return 'cut'
  } catch (error) {
    if (signal.aborted) throw error
    return opened ? 'cut' : 'unreachable'
  }
}

export function streamAddress(origin: string): string {
  return new URL(livePath, origin).href
}

/** A proxy or a captive portal may answer in the server's place. */
function isEventStream(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('text/event-stream') === true
}

async function readEvents(body: ReadableStream<Uint8Array>, { onEvent, onBeat }: Heard): Promise<void> {
  const parser = createParser({
    onEvent: ({ data }) => {
      const event = readEvent(data)
      if (event !== undefined) onEvent(event)
    },
  })
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    onBeat()
    parser.feed(value)
  }
}

/** Undefined for what a newer server says and this page does not know yet. */
function readEvent(data: string): LiveEvent | undefined {
  try {
    return LiveEvent.safeParse(JSON.parse(data)).data
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
