import type { FastifyInstance } from 'fastify'
import type { Database } from '../db/database.ts'
import type { OpenRequests } from '../kit/open-requests.ts'
import { type BusMessage, readBusMessage } from './announce.ts'

/** Polled too, because sessions and links expire without a message, and a message can be lost with its connection. */
const CHECK_EVERY_MS = 1_000

interface SessionEndDeps {
  db: Database
  openRequests: OpenRequests
  /** The valid ones among these sessions. */
  validSessions(sessionIds: readonly string[]): Promise<ReadonlySet<string>>
}

/** Ends the open requests of a session when it ends, whichever server ended it. */
export async function endRequestsWithSessions(app: FastifyInstance, deps: SessionEndDeps): Promise<void> {
  await endRequests(app, {
    ...deps,
    onMessage(message) {
      if ('ended' in message) deps.openRequests.end(message.ended)
    },
  })
}

/** The same for requests of guests, whose sessions are links. */
export async function endRequestsWithLinks(app: FastifyInstance, deps: SessionEndDeps): Promise<void> {
  await endRequests(app, {
    ...deps,
    onMessage(message, check) {
      const mayEndLinks = 'event' in message && ['links', 'albums', 'people'].includes(message.event.kind)
      if (mayEndLinks) check()
    },
  })
}

interface Watched extends SessionEndDeps {
  onMessage(message: BusMessage, check: () => void): void
}

async function endRequests(app: FastifyInstance, deps: Watched): Promise<void> {
  const { db, openRequests, validSessions, onMessage } = deps
  let checking = false

  async function check(): Promise<void> {
    const sessionIds = openRequests.sessionIds()
    if (checking || sessionIds.length === 0) return
    checking = true
    try {
      const open = await validSessions(sessionIds)
      for (const sessionId of sessionIds) if (!open.has(sessionId)) openRequests.end({ sessionId })
    } catch (error) {
      // A short outage of the database must not end uploads.
      app.log.warn({ err: error }, 'open requests could not be checked; the next check tries again')
    } finally {
      checking = false
    }
  }

  const stopHearing = await db.subscribe({
    onMessage(text) {
      const message = readBusMessage(text)
      if (message) onMessage(message, () => void check())
    },
    onGap: () => void check(),
  })
  const checks = setInterval(() => void check(), CHECK_EVERY_MS)
  app.addHook('preClose', async () => {
    clearInterval(checks)
    await stopHearing()
  })
}
