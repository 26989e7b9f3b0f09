import { z } from 'zod'
import { Moment } from './common.ts'
import { endpoint } from './endpoint.ts'
import { refusal } from './refusal.ts'

/** Names a session of the caller. It cannot be used to sign in. */
const SessionId = z.string().regex(/^[0-9a-f]{32}$/, refusal('auth.sessionId'))

export const OwnSession = z.object({
  id: SessionId,
  device: z.string().nullable().describe('As in "Chrome on Android"; null if unknown'),
  created_at: Moment,
  last_used_at: Moment.describe('To a few minutes'),
  current: z.boolean().describe('The session of this call'),
})
export type OwnSession = z.infer<typeof OwnSession>

export const listSessions = endpoint({
  method: 'GET',
  path: '/api/me/sessions',
  summary: 'Where the caller is signed in, the latest use first',
  act: 'session.use',
  answer: z.array(OwnSession),
})

export const endOwnSession = endpoint({
  method: 'DELETE',
  path: '/api/me/sessions/:session',
  summary: 'Sign out one device',
  act: 'session.use',
  params: z.object({ session: SessionId }),
})

export const endAllSessions = endpoint({
  method: 'POST',
  path: '/api/me/sessions/end-all',
  summary: 'Sign out everywhere, on this device too',
  act: 'session.use',
})
