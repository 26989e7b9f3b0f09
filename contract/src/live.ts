import { z } from 'zod'
import { Id } from './common.ts'
import { endpoint } from './endpoint.ts'

/**
 * Events say what changed, never the new value: the page fetches that with the usual permission checks. Events about
 * conversations and notifications are sent to their participants only.
 */
export const LiveEvent = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('media'), ids: z.array(Id).describe('Empty: many, or which ones is not known') }),
  z.object({ kind: z.literal('folders') }),
  z.object({ kind: z.literal('albums'), id: Id.describe('Its title, files or order, or whether it exists') }),
  z.object({ kind: z.literal('album-comments'), album_id: Id }),
  z.object({ kind: z.literal('tags'), media_id: Id.nullable().describe('Null: of many files') }),
  z.object({
    kind: z.literal('hearts'),
    person_id: Id.describe('Whose favourites have changed'),
    ids: z.array(Id).describe('Of the files. Empty: many'),
  }),
  z.object({ kind: z.literal('notes'), media_id: Id }),
  z.object({ kind: z.literal('memories') }),
  z.object({ kind: z.literal('links') }),
  z.object({ kind: z.literal('guest-uploads') }).describe('Guests have sent files, or somebody has decided on some'),
  z.object({ kind: z.literal('notifications') }),
  z.object({ kind: z.literal('conversations'), id: Id.describe('Its name, its people or what they have read') }),
  z.object({ kind: z.literal('messages'), conversation_id: Id }),
  z.object({ kind: z.literal('typing'), conversation_id: Id, person_id: Id }),
  z.object({ kind: z.literal('people') }),
  z
    .object({ kind: z.literal('heartbeat') })
    .describe('Nothing changed: keeps the connection alive, and confirms that all events up to here were sent'),
  z.object({ kind: z.literal('resync') }).describe('Something may have been missed: fetch everything again'),
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
