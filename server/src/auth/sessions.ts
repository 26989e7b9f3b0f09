import { session, signInAttempt } from '#contract/limits.ts'
import type { PersonStatus } from '#contract/people.ts'
import type { Database } from '../db/database.ts'
import type { Tx } from '../db/schema.ts'
import { defineJob, type Queue } from '../jobs/queue.ts'
import type { Clock } from '../kit/clock.ts'
import { AppError } from '../kit/errors.ts'
import type { Caller } from '../kit/serve.ts'
import { hashToken, newToken } from '../kit/tokens.ts'
import { publishSessionEnd } from '../live/announce.ts'
import {
  confirmSession,
  type DemoAccess,
  deleteExpired,
  deleteSession,
  deleteSessionsOf,
  findSession,
  findSessions,
  hasSessions,
  insertSession,
  isSessionOfRevoked,
  type SessionRow,
  touchSession,
} from './sessions.sql.ts'

interface SessionDeps {
  db: Database
  clock: Clock
}

interface OpenSessionDeps extends SessionDeps {
  config: { oidc: unknown }
}

/**
 * Anyone can choose a demo account, so its sessions are invalid when a real provider is configured. Checked at each use,
 * because another server on the same database may run the demo and approve these accounts again.
 */
function demoAccess({ config }: OpenSessionDeps): DemoAccess {
  return { admitsDemo: config.oidc === undefined }
}

/** Without `browserHash`, as in a command, the session needs no confirmation by the page. */
export async function startSession(
  { clock }: SessionDeps,
  tx: Tx,
  personId: number,
  browserHash?: string,
): Promise<string> {
  const token = newToken()
  const now = clock()
  const issued = browserHash === undefined ? undefined : { browserHash, confirmUntil: now + signInAttempt.lasts }
  await insertSession(tx, hashToken(token), personId, now, issued)
  return token
}

/** Throws unless this token belongs to a sign-in that this browser started and that was not confirmed before. */
export async function confirmIssued(
  { db, clock }: SessionDeps,
  token: string | undefined,
  browserToken: string | undefined,
): Promise<void> {
  const now = clock()
  const isOurs =
    token &&
    browserToken &&
    (await confirmSession(
      db.query,
      { tokenHash: hashToken(token), browserHash: hashToken(browserToken) },
      { now, until: now + signInAttempt.confirmAgain },
    ))
  if (!isOurs) throw new AppError('forbidden', 'This sign-in was not begun in this browser. Please try again.')
}

/** The person of this session token; undefined if the session expired (idle or absolute limit). */
export async function authenticate(deps: OpenSessionDeps, token: string): Promise<Caller | undefined> {
  const { db, clock } = deps
  const tokenHash = hashToken(token)
  const found = await findSession(db.query, tokenHash, demoAccess(deps))
  if (!found) return undefined
  const now = clock()
  if (isExpired(found, now)) return undefined
  if (now - found.last_used_at > session.touchEvery) await touchSession(db.query, tokenHash, now)
  return { id: found.person_id, role: found.role, sessionId: tokenHash }
}

function isExpired(found: Pick<SessionRow, 'created_at' | 'last_used_at'>, now: number): boolean {
  return now - found.created_at > session.absolute || now - found.last_used_at > session.idle
}

/** Whether the session of a long-running request is still valid. */
export async function isSessionValid(
  deps: OpenSessionDeps,
  { sessionId }: Pick<Caller, 'sessionId'>,
): Promise<boolean> {
  return (await findSession(deps.db.query, sessionId, demoAccess(deps))) !== undefined
}

const sweepSessions = defineJob<null>('auth.sweep-sessions', { everyMs: 6 * 3_600_000 })

export function handleSessionJobs(queue: Queue, { db, clock }: SessionDeps): void {
  queue.handle(sweepSessions, {
    run: () => {
      const now = clock()
      return db.transaction(tx =>
        deleteExpired(tx, {
          createdAt: now - session.absolute,
          lastUsedAt: now - session.idle,
          attemptedAt: now - signInAttempt.lasts,
        }),
      )
    },
  })
}

/** The valid ones among these sessions. */
export async function validSessions(
  deps: OpenSessionDeps,
  sessionIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const { db, clock } = deps
  const now = clock()
  const found = await findSessions(db.query, sessionIds, demoAccess(deps))
  return new Set(found.filter(one => !isExpired(one, now)).map(one => one.token_hash))
}

export async function endSession({ db }: SessionDeps, { sessionId }: Caller): Promise<void> {
  await db.transaction(async tx => {
    await deleteSession(tx, sessionId)
    await publishSessionEnd(db, tx, { sessionId })
  })
}

/**
 * Ends every session of a person who lost access, and their open streams. Publishes nothing if there was none: on Postgres
 * the message arrives later and would end streams of somebody who was approved in the meantime. The sessions of a revoked
 * person are invalid by their status. They are kept until they expire or the person is approved again, so that `lostAccess`
 * recognises them.
 */
export async function endSessions({ db }: SessionDeps, tx: Tx, personId: number, status: PersonStatus): Promise<void> {
  const hadSessions = await (status === 'revoked' ? hasSessions(tx, personId) : deleteSessionsOf(tx, personId))
  if (hadSessions && status !== 'approved') await publishSessionEnd(db, tx, { personId })
}

/** Whether this is the token of a person whose access was revoked while they were signed in. */
export async function lostAccess({ db }: SessionDeps, token: string): Promise<boolean> {
  return isSessionOfRevoked(db.query, hashToken(token))
}
