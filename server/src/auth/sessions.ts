import { session, signInAttempt } from '#contract/limits.ts'
import type { Database } from '../db/database.ts'
import type { Tx } from '../db/schema.ts'
import { defineJob } from '../jobs/job.ts'
import type { Queue } from '../jobs/queue.ts'
import type { Clock } from '../kit/clock.ts'
import type { Caller } from '../kit/serve.ts'
import { deleteExpired, insertSession, openSession, touchSession } from './sessions.sql.ts'
import { hashOf, newToken } from './tokens.ts'

interface SessionDeps {
  db: Database
  clock: Clock
}

export async function startSession({ clock }: SessionDeps, tx: Tx, personId: number): Promise<string> {
  const token = newToken()
  await insertSession(tx, hashOf(token), personId, clock())
  return token
}

/** The person whose session the token opens, unless it has lain unused, or been in use, for too long. */
export async function authenticate({ db, clock }: SessionDeps, token: string): Promise<Caller | undefined> {
  const tokenHash = hashOf(token)
  const found = await openSession(db.read, tokenHash)
  if (!found) return undefined
  const now = clock()
  if (now - found.created_at > session.absolute || now - found.last_used_at > session.idle) return undefined
  if (now - found.last_used_at > session.touchEvery) await touchSession(db.read, tokenHash, now)
  return { id: found.person_id, role: found.role, sessionId: tokenHash }
}

/** Whether the session of a call that began a while ago is still open. */
export async function isStillOpen({ db }: SessionDeps, { sessionId }: Caller): Promise<boolean> {
  return (await openSession(db.read, sessionId)) !== undefined
}

const sweepSessions = defineJob<null>('auth.sweep-sessions', { everyMs: 6 * 3_600_000 })

export function handleSessionJobs(queue: Queue, { db, clock }: SessionDeps): void {
  queue.handle(sweepSessions, {
    run: () => {
      const now = clock()
      return db.write(tx =>
        deleteExpired(tx, {
          createdAt: now - session.absolute,
          lastUsedAt: now - session.idle,
          attemptedAt: now - signInAttempt.lasts,
        }),
      )
    },
  })
}

/** Every session of a person who lost access. */
export { deleteSessionsOf as endSessions } from './sessions.sql.ts'
