import { EventSourceParserStream } from 'eventsource-parser/stream'
import { expect, onTestFinished, vi } from 'vitest'
import { LiveEvent, livePath } from '#contract/live.ts'
import type { Visitor } from './visitor.ts'

/** A page that listens, until the end of the test or its own. */
export interface Listener {
  /** What it heard since it was there, but for the `resync` that every stream begins with. */
  readonly heard: readonly LiveEvent[]
  /** Waits until it has heard this. */
  hears(event: LiveEvent): Promise<void>
  forget(): void
  /** Resolves when the server has ended the stream. */
  ended: Promise<void>
  /** As when the line drops. */
  cut(): void
}

/** The stream is open, and nothing said from now on is missed. `onEvent` hears the first `resync` too. */
export async function listen(visitor: Visitor, onEvent: (event: LiveEvent) => void = () => {}): Promise<Listener> {
  const line = new AbortController()
  const response = await visitor.fetch(livePath, { signal: line.signal })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  if (!response.body) throw new Error('A stream without a body')
  const heard: LiveEvent[] = []
  const begun = Promise.withResolvers<void>()

  async function read(events: AsyncIterable<{ data: string }>): Promise<void> {
    let isFirst = true
    for await (const { data } of events) {
      const event = LiveEvent.parse(JSON.parse(data))
      if (!isFirst) heard.push(event)
      else if (event.kind !== 'resync') begun.reject(new Error(`The stream began with ${data}`))
      isFirst = false
      onEvent(event)
      begun.resolve()
    }
  }
  const ended = read(response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream()))
  ended.catch(() => undefined)
  onTestFinished(() => line.abort())
  await begun.promise
  return {
    heard,
    hears: event => vi.waitFor(() => expect(heard).toContainEqual(event), { timeout: 10_000, interval: 10 }),
    forget: () => void heard.splice(0),
    ended,
    cut: () => line.abort(),
  }
}
