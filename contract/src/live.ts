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
  z.object({ kind: z.literal('resync') }).describe('Something may have been missed: fetch everything anew'),
])
export type LiveEvent = z.infer<typeof LiveEvent>

export const livePath = '/api/events'

/**
 * Server-sent events: each `data` is a `LiveEvent`, the first of every stream a `resync`, for nobody knows what its page
 * missed before. A comment every `live.heartbeat` keeps the line open: a page that hears nothing for twice as long opens
 * a new one. The stream ends with its session.
 */
export const liveEvents = endpoint({
  method: 'GET',
  path: livePath,
  summary: 'What changes, as it happens: a stream of server-sent events, each of them one of these',
  act: 'session.use',
  answer: LiveEvent,
})
