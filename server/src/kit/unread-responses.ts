import type { FastifyInstance } from 'fastify'
import { unreadResponses } from '#contract/limits.ts'
import { AppError } from './errors.ts'

/**
 * Limits what one person makes the server keep in memory by requesting responses and not reading them. Streams are not
 * counted, because they go no further than their reader.
 */
export function limitUnreadResponses(app: FastifyInstance): void {
  const unread = new Map<number, number>()
  app.addHook('preHandler', async ({ caller }) => {
    if (caller && (unread.get(caller.id) ?? 0) > unreadResponses.maxBytes) {
      throw new AppError('too_many_requests', 'request.answersUnread')
    }
  })
  app.addHook('onSend', async ({ caller }, reply, payload) => {
    if (!caller || (typeof payload !== 'string' && !Buffer.isBuffer(payload))) return
    // A client that has disconnected already gets nothing, and there will be no second `close`.
    if (reply.raw.destroyed) return
    const bytes = Buffer.byteLength(payload)
    const add = (change: number) => {
      const sum = (unread.get(caller.id) ?? 0) + change
      if (sum > 0) unread.set(caller.id, sum)
      else unread.delete(caller.id)
    }
    add(bytes)
    // Once everything was handed to the operating system, or the connection ended.
    reply.raw.once('close', () => add(-bytes))
  })
}
