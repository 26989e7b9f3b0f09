import { z } from 'zod'
import { Id } from './common.ts'

/**
 * What changed, never what it is now: the page fetches that under the usual checks. Events about conversations and
 * notifications go to their people alone.
 */
export const LiveEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('media'), ids: z.array(Id).describe('Empty: many, or which ones is not known') }),
  z.object({ kind: z.literal('folders') }),
  z.object({ kind: z.literal('tags'), media_id: Id }),
  z.object({ kind: z.literal('notes'), media_id: Id }),
  z.object({ kind: z.literal('notifications') }),
  z.object({ kind: z.literal('conversations'), id: Id.describe('Its name, its people or what they have read') }),
  z.object({ kind: z.literal('messages'), conversation_id: Id }),
  z.object({ kind: z.literal('typing'), conversation_id: Id, person_id: Id }),
  z.object({ kind: z.literal('people') }),
  z.object({ kind: z.literal('resync') }).describe('Something may have been missed: fetch everything anew'),
])
export type LiveEvent = z.infer<typeof LiveEvent>

/** Server-sent events: each `data` is a `LiveEvent`. Comments in between keep the line open. */
export const livePath = '/api/events'
