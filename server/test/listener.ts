import { EventSourceParserStream } from 'eventsource-parser/stream'
import { expect, onTestFinished, vi } from 'vitest'
import { whoAmI } from '#contract/auth.ts'
import { LiveEvent, livePath, livePositionHeader } from '#contract/live.ts'
import { newPosition, writeBusMessage } from '#server/live/announce.ts'
import type { Library } from './library.ts'
import type { Visitor } from './visitor.ts'

/** An open live stream of a page, until `cut` or the end of the test. */
export interface Listener {
  /** All events received so far, without beats and without the initial `resync` of a stream that continues none. */
  readonly received: readonly LiveEvent[]
  /** The id of the last event. */
  position(): string | undefined
  /** Waits until this event has been received. */
  receives(event: LiveEvent): Promise<void>
  forget(): void
  /** Resolves when the server has ended the stream. */
  ended: Promise<void>
  /** Simulates a lost connection. */
  cut(): void
}

interface Listening {
  /** Receives every event, including the first `resync`. */
  onEvent?: (event: LiveEvent) => void
  /** The position at which another stream ended. */
  lastEventId?: string | undefined
}

/** Resolves when the stream is open, so that no later event is missed. */
export async function listen(visitor: Visitor, { onEvent, lastEventId }: Listening = {}): Promise<Listener> {
  const line = new AbortController()
  const headers: Record<string, string> = lastEventId === undefined ? {} : { 'last-event-id': lastEventId }
  const response = await visitor.fetch(livePath, { signal: line.signal, headers })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  if (!response.body) throw new Error('A stream without a body')
  const received: LiveEvent[] = []
  const begun = Promise.withResolvers<void>()
  let position: string | undefined

  async function read(events: AsyncIterable<{ data: string; id?: string | undefined }>): Promise<void> {
    let begins = lastEventId === undefined
    for await (const { data, id } of events) {
      const event = LiveEvent.parse(JSON.parse(data))
      if (begins && event.kind !== 'resync') begun.reject(new Error(`The stream began with ${data}`))
      if (!begins && event.kind !== 'heartbeat') received.push(event)
      if (event.kind === 'resync' || event.kind === 'heartbeat') begun.resolve()
      begins = false
      position = id ?? position
      onEvent?.(event)
    }
  }
  const ended = read(response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream()))
  ended.catch(() => undefined)
  onTestFinished(() => line.abort())
  await begun.promise
  return {
    received,
    position: () => position,
    receives: event => vi.waitFor(() => expect(received).toContainEqual(event), { timeout: 10_000, interval: 10 }),
    forget: () => void received.splice(0),
    ended,
    cut: () => line.abort(),
  }
}

/**
 * Waits until the library has delivered every event that was announced before this call, so that a stream opened
 * afterwards receives none of them. Postgres delivers them some time after the commit, SQLite with it.
 */
export async function untilDelivered(library: Library): Promise<void> {
  if (!library.config.databaseUrl) return
  const ada = await library.admin()
  const position = async () => (await ada.fetch(whoAmI.path)).headers.get(livePositionHeader)
  await vi.waitFor(
    async () => {
      // Events arrive in order. If another one follows this position immediately, a new one is published.
      const subscribedAt = newPosition()
      await library.rows(`select pg_notify('heirloom', '${writeBusMessage({ subscribedAt })}')`)
      await vi.waitFor(async () => expect(await position()).toBe(subscribedAt), { timeout: 2_000, interval: 10 })
    },
    { timeout: 30_000, interval: 10 },
  )
}
