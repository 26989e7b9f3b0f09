import { setTimeout } from 'node:timers/promises'
import { session, signInAttempt } from '#contract/limits.ts'
import type { PersonStatus } from '#contract/people.ts'
import type { OwnSession } from '#contract/sessions.ts'
import { recordAudit } from '../audit/public.ts'
import type { Database } from '../db/database.ts'
import type { Tx } from '../db/schema.ts'
import { defineJob, type Queue } from '../jobs/queue.ts'
import { type Clock, toIso } from '../kit/clock.ts'
import { AppError } from '../kit/errors.ts'
import type { Caller } from '../kit/serve.ts'
import { hashToken, newToken } from '../kit/tokens.ts'
import { announce, publishSessionEnd } from '../live/announce.ts'
import { endVisit } from '../media/public.ts'
import { deleteAppPasswordsOf, findAppPasswords } from './app-passwords.sql.ts'
import {
  confirmSession,
  type DemoAccess,
  deleteExpired,
  deleteSession,
  deleteSessionOf,
  deleteSessionsOf,
  findSession,
  findSessions,
  hasSessions,
  insertSession,
  personStatusOfSession,
  type SessionRow,
  sessionsOf,
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

/** Without `browser`, as in a command, the session needs no confirmation by the page. */
export async function startSession(
  { clock }: SessionDeps,
  tx: Tx,
  personId: number,
  browser?: { hash: string; device: string | null },
): Promise<string> {
  const token = newToken()
  const now = clock()
  const issued = browser && {
    browserHash: browser.hash,
    device: browser.device,
    confirmUntil: now + signInAttempt.ttl,
  }
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
  if (!isOurs) throw new AppError('forbidden', 'auth.otherBrowser')
}

/** The person of this session token; undefined if the session expired (idle or absolute limit). */
export async function authenticate(deps: OpenSessionDeps, token: string): Promise<Caller | undefined> {
  const { db, clock } = deps
  const tokenHash = hashToken(token)
  const found = await findSession(db.query, tokenHash, demoAccess(deps))
  if (!found) return undefined
  const now = clock()
  if (isExpired(found, now)) return undefined
  if (now - found.last_used_at > session.touchEvery) await storeUse(deps, tokenHash, now)
  return { id: found.person_id, role: found.role, sessionId: tokenHash }
}

/** The sessions whose last use is being stored. */
const storing = new Set<string>()
const LONGEST_WAIT = 1_000

/** On SQLite it waits for every other change, such as new dates of 100,000 files; requests that only read need not. */
async function storeUse({ db }: SessionDeps, tokenHash: string, now: number): Promise<void> {
  if (storing.has(tokenHash)) return
  storing.add(tokenHash)
  const stored = touchSession(db.query, tokenHash, now)
    // The next request tries again, and one that needs the database reports that it cannot be reached.
    .catch(() => undefined)
    .finally(() => storing.delete(tokenHash))
  await Promise.race([stored, setTimeout(LONGEST_WAIT, undefined, { ref: false })])
}

function isExpired(found: Pick<SessionRow, 'created_at' | 'last_used_at'>, now: number): boolean {
  return now - found.created_at > session.absolute || now - found.last_used_at > session.idle
}

/** Whether the session of a long-running request is still valid. */
export async function isSessionValid(
  deps: OpenSessionDeps,
  { sessionId }: Pick<Caller, 'sessionId'>,
): Promise<boolean> {
  const { query } = deps.db
  if (await findSession(query, sessionId, demoAccess(deps))) return true
  return (await findAppPasswords(query, [sessionId], demoAccess(deps))).length > 0
}

const sweepSessions = defineJob<null>('auth.sweep-sessions', { everyMs: 6 * 3_600_000 })

export function handleSessionJobs(queue: Queue, { db, clock }: SessionDeps): void {
  queue.handle(sweepSessions, {
    run: () => {
      const now = clock()
      return db.transaction(tx =>
        deleteExpired(tx, {
          createdAt: now - session.absolute - session.rememberExpired,
          lastUsedAt: now - session.idle - session.rememberExpired,
          attemptedAt: now - signInAttempt.ttl,
        }),
      )
    },
  })
}

/** The valid ones among these sessions and app passwords. */
export async function validSessions(
  deps: OpenSessionDeps,
  sessionIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const { db, clock } = deps
  const now = clock()
  const found = await findSessions(db.query, sessionIds, demoAccess(deps))
  const valid = new Set(found.filter(one => !isExpired(one, now)).map(one => one.token_hash))
  const others = sessionIds.filter(id => !valid.has(id))
  if (others.length === 0) return valid
  for (const one of await findAppPasswords(db.query, others, demoAccess(deps))) valid.add(one.token_hash)
  return valid
}

const PUBLIC_ID_LENGTH = 32

/** The beginning of the token's hash names a session; the token cannot be derived from it. */
function publicId(tokenHash: string): string {
  return tokenHash.slice(0, PUBLIC_ID_LENGTH)
}

export async function ownSessions({ db, clock }: SessionDeps, caller: Caller): Promise<OwnSession[]> {
  const now = clock()
  const since = { createdAt: now - session.absolute, lastUsedAt: now - session.idle }
  return (await sessionsOf(db.query, caller.id, since)).map(row => ({
    id: publicId(row.token_hash),
    device: row.device,
    created_at: toIso(row.created_at),
    last_used_at: toIso(row.last_used_at),
    current: row.token_hash === caller.sessionId,
  }))
}

export async function endOneOwnSession({ db, clock }: SessionDeps, caller: Caller, id: string): Promise<void> {
  await db.transaction(async tx => {
    const sessionId = await deleteSessionOf(tx, caller.id, id)
    if (sessionId === undefined) throw new AppError('not_found', 'auth.deviceSignedOut')
    await publishSessionEnd(db, tx, { sessionId })
    await recordAudit(tx, [endLine('session.end', caller, clock())])
    await announce(db, tx, { kind: 'people' }, [caller.id])
  })
}

/** On every device, on this one too. */
export async function endAllOwnSessions({ db, clock }: SessionDeps, caller: Caller): Promise<void> {
  await db.transaction(async tx => {
    await deleteSessionsOf(tx, caller.id)
    await publishSessionEnd(db, tx, { personId: caller.id })
    await recordAudit(tx, [endLine('session.end-all', caller, clock())])
  })
}

function endLine(act: 'session.end' | 'session.end-all', { id }: Caller, at: number) {
  return { at, actorId: id, act, subject: { type: 'person', id } }
}

export async function endSession({ db, clock }: SessionDeps, { id, sessionId }: Caller): Promise<void> {
  await db.transaction(async tx => {
    await deleteSession(tx, sessionId)
    await endVisit(tx, id, clock())
    await publishSessionEnd(db, tx, { sessionId })
  })
}

/**
 * Ends every session of a person who lost access, and their open streams. Publishes nothing if there was none: on Postgres
 * the message arrives later and would end streams of somebody who was approved in the meantime. The sessions of a revoked
 * person are invalid by their status. They are kept until they expire or the person is approved again, so that `endOfSession`
 * recognises them. App passwords are removed.
 */
export async function endSessions(
  { db }: SessionDeps,
  tx: Tx,
  personId: number,
  status: PersonStatus | 'closed',
): Promise<void> {
  const hadSessions = await (status === 'revoked' ? hasSessions(tx, personId) : deleteSessionsOf(tx, personId))
  const hadPasswords = await deleteAppPasswordsOf(tx, personId)
  if ((hadSessions || hadPasswords) && status !== 'approved') await publishSessionEnd(db, tx, { personId })
}

/** Why this token opens nothing, as far as it is known: a session that somebody signed out leaves no trace. */
export async function endOfSession(deps: OpenSessionDeps, token: string): Promise<'revoked' | 'expired' | undefined> {
  const status = await personStatusOfSession(deps.db.query, hashToken(token), demoAccess(deps))
  if (status === 'revoked') return 'revoked'
  return status === 'approved' ? 'expired' : undefined
}
