import { z } from 'zod'
import { Id } from './common.ts'
import { endpoint } from './endpoint.ts'

/**
 * What changed, never what it is now: the page fetches that under the usual checks. Events about conversations and
 * notifications go to their people alone.
 */
export const LiveEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('media'), ids: z.array(Id).describe('Empty: many, or which ones is not known') }),
  z.object({ kind: z.literal('folders') }),
  z.object({ kind: z.literal('tags'), media_id: Id.nullable().describe('Null: of many files') }),
  z.object({ kind: z.literal('notes'), media_id: Id }),
  z.object({ kind: z.literal('notifications') }),
  z.object({ kind: z.literal('conversations'), id: Id.describe('Its name, its people or what they have read') }),
  z.object({ kind: z.literal('messages'), conversation_id: Id }),
  z.object({ kind: z.literal('typing'), conversation_id: Id, person_id: Id }),
  z.object({ kind: z.literal('people') }),
  z.object({ kind: z.literal('beat') }).describe('Nothing: the line is alive, and all until here has been told'),
  z.object({ kind: z.literal('resync') }).describe('Something may have been missed: fetch everything anew'),
])
export type LiveEvent = z.infer<typeof LiveEvent>

export const livePath = '/api/events'

/** An answer of `GET /auth/me` names in this header how far the stream has got: what is read after it needs no more. */
export const livePositionHeader = 'live-position'

/**
 * Server-sent events: each `data` is a `LiveEvent`, each `id` a position. Who names one, in `Last-Event-ID`, hears what came
 * after it and then a `beat`. Where that is not known any more, or no position is named, the stream begins with `resync`.
 * A `beat` every `live.heartbeat` keeps the line open: a page that hears nothing for twice as long opens a new one. The
 * stream ends with its session.
 */
export const liveEvents = endpoint({
  method: 'GET',
  path: livePath,
  summary: 'What changes, as it happens: a stream of server-sent events, each of them one of these',
  act: 'session.use',
  answer: LiveEvent,
})
