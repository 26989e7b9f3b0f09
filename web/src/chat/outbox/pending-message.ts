import { z } from 'zod'
import { SharedFile } from '#contract/chat.ts'
import { Id, Moment } from '#contract/common.ts'

/** A message that the server has not confirmed yet. */
export const PendingMessage = z.object({
  client_id: z.string(),
  conversation_id: Id,
  content: z.string(),
  media: SharedFile.nullable(),
  written_at: Moment,
  /** `notSent`: the line was down. `refused`: the server said no, and would again. */
  state: z.enum(['sending', 'notSent', 'refused']),
})
export type PendingMessage = z.infer<typeof PendingMessage>

/** The two ways of a browser to make an id that nobody else makes; the first only exists where there is https. */
export function createClientId(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), byte => byte.toString(16).padStart(2, '0')).join('')
}
