import type { FastifyInstance } from 'fastify'
import { live } from '#contract/limits.ts'
import { liveEvents } from '#contract/live.ts'
import type { Database } from '../db/database.ts'
import { AppError } from '../kit/errors.ts'
import { tooManyRequests } from '../kit/rate-limiter.ts'
import type { Caller } from '../kit/serve.ts'
import { publishPosition, readBusMessage } from './announce.ts'
import { Streams } from './streams.ts'

export interface LiveDeps {
  db: Database
  /** The valid ones among these sessions. */
  validSessions(sessionIds: readonly string[]): Promise<ReadonlySet<string>>
}

/** Serves live events to the open pages by server-sent events (SSE). */
export async function liveRoutes(app: FastifyInstance, { db, validSessions }: LiveDeps): Promise<Streams> {
  const streams = new Streams()

  async function endExpiredStreams(): Promise<void> {
    const sessionIds = [...new Set(streams.all().map(({ caller }) => caller.sessionId))]
    if (sessionIds.length === 0) return
    const open = await validSessions(sessionIds)
    for (const sessionId of sessionIds) if (!open.has(sessionId)) streams.end({ sessionId })
  }

  /** After a gap: closes streams whose session has ended, and tells the others to resync. */
  async function catchUp(): Promise<void> {
    try {
      await endExpiredStreams()
      if (streams.needsResync) streams.resync()
      if (streams.position === undefined) await publishPosition(db)
    } catch (error) {
      app.log.error({ err: error }, 'live streams could not catch up; the next heartbeat tries again')
    }
  }

  const stopHearing = await db.subscribe({
    onMessage(text) {
      const message = readBusMessage(text)
      if (!message) return
      if ('ended' in message) streams.end(message.ended)
      else if ('subscribedAt' in message) streams.addPosition(message.subscribedAt)
      else streams.deliver(message)
    },
    onGap() {
      streams.markGap()
      void catchUp()
    },
  })
  await publishPosition(db)
  // Sessions also expire, which publishes no message.
  const beats = setInterval(() => {
    streams.heartbeat()
    void catchUp()
  }, live.heartbeat)

  // Before the server closes, because it waits for open responses.
  app.addHook('preClose', async () => {
    clearInterval(beats)
    streams.endAll()
    await stopHearing()
  })

  async function open(caller: Caller, lastEventId: string | undefined) {
    const stream = streams.open(caller, lastEventId)
    if (!stream) throw tooManyRequests(live.retryWhenTooMany)
    try {
      // The session may have ended after it was checked and before this stream was registered.
      const isOpen = (await validSessions([caller.sessionId])).has(caller.sessionId)
      if (!isOpen) throw new AppError('not_signed_in', 'auth.signIn')
      return stream.text
    } catch (error) {
      stream.text.destroy()
      throw error
    }
  }

  app.route({
    method: 'GET',
    url: liveEvents.path,
    config: { endpoint: liveEvents },
    exposeHeadRoute: false,
    handler: async ({ caller, headers }, reply) => {
      if (!caller) throw new Error(`${liveEvents.path} is served without its session`)
      const lastEventId = headers['last-event-id']
      const text = await open(caller, typeof lastEventId === 'string' ? lastEventId : undefined)
      // Tells proxies not to buffer or compress the stream.
      return reply
        .headers({
          'content-type': 'text/event-stream; charset=utf-8',
          'cache-control': 'no-store, no-transform',
          'x-accel-buffering': 'no',
        })
        .send(text)
    },
  })
  return streams
}
