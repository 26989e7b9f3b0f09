import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { features } from './features.ts'

/** Each feature declares its own; these two are of the stream itself. */
export const LiveEvent = z.discriminatedUnion('kind', [
  z
    .object({ kind: z.literal('heartbeat') })
    .describe('Nothing changed: keeps the connection alive, and confirms that all events up to here were sent'),
  z.object({ kind: z.literal('resync') }).describe('Something may have been missed: fetch everything again'),
  ...Object.values(features).flatMap(({ events }) => [...events]),
])
export type LiveEvent = z.infer<typeof LiveEvent>

export const livePath = '/api/events'

/**
 * Header of `GET /auth/me` with the current stream position: whatever is fetched after it already includes the events
 * up to there.
 */
export const livePositionHeader = 'live-position'

/**
 * Server-sent events: each `data` is a `LiveEvent`, each `id` a position. With `Last-Event-ID` the stream replays the
 * events after that position and then sends a `heartbeat`. If the position is missing or too old, the stream starts with
 * `resync`. A `heartbeat` every `live.heartbeat` keeps the connection open: a page that receives nothing for twice as long
 * reconnects. The stream ends with its session.
 */
export const liveEvents = endpoint({
  method: 'GET',
  path: livePath,
  summary: 'What changes, as it happens: a stream of server-sent events, each of them one of these',
  act: 'session.use',
  answer: LiveEvent,
})
