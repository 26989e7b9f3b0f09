import type { Role } from '#contract/role.ts'
import type { Handle, PersonRow, Schema, Tx } from '../db/schema.ts'
import { demoIssuer } from '../people/public.ts'

export interface SessionRow {
  person_id: number
  role: Role
  created_at: number
  last_used_at: number
}

/** Whether sessions of demo accounts are valid. */
export interface DemoAccess {
  admitsDemo: boolean
}

/** Only sessions of approved people are valid. */
export async function findSession(
  handle: Handle,
  tokenHash: string,
  { admitsDemo }: DemoAccess,
): Promise<SessionRow | undefined> {
  return handle
    .selectFrom('sessions')
    .innerJoin('people', 'people.id', 'sessions.person_id')
    .select(['sessions.person_id', 'people.role', 'sessions.created_at', 'sessions.last_used_at'])
    .where('sessions.token_hash', '=', tokenHash)
    .where('people.status', '=', 'approved')
    .$if(!admitsDemo, query => query.where('people.issuer', '!=', demoIssuer))
    .executeTakeFirst()
}

/** The valid ones among these sessions, in one query. */
export async function findSessions(
  handle: Handle,
  tokenHashes: readonly string[],
  { admitsDemo }: DemoAccess,
): Promise<(SessionRow & { token_hash: string })[]> {
  return handle
    .selectFrom('sessions')
    .innerJoin('people', 'people.id', 'sessions.person_id')
    .select(['token_hash', 'sessions.person_id', 'people.role', 'sessions.created_at', 'sessions.last_used_at'])
    .where('sessions.token_hash', 'in', tokenHashes)
    .where('people.status', '=', 'approved')
    .$if(!admitsDemo, query => query.where('people.issuer', '!=', demoIssuer))
    .execute()
}

export async function insertSession(
  tx: Tx,
  tokenHash: string,
  personId: number,
  now: number,
  issued?: { browserHash: string; confirmUntil: number; device: string | null },
): Promise<void> {
  await tx
    .insertInto('sessions')
    .values({
      token_hash: tokenHash,
      person_id: personId,
      created_at: now,
      last_used_at: now,
      browser_hash: issued?.browserHash ?? null,
      confirm_until: issued?.confirmUntil ?? null,
      device: issued?.device ?? null,
    })
    .execute()
}

/** False unless the session was issued to this browser and may still be confirmed. Shortens the time for that. */
export async function confirmSession(
  handle: Handle,
  { tokenHash, browserHash }: { tokenHash: string; browserHash: string },
  { now, until }: { now: number; until: number },
): Promise<boolean> {
  const result = await handle
    .updateTable('sessions')
    .set(eb => ({
      confirm_until: eb.case().when('confirm_until', '<', until).then(eb.ref('confirm_until')).else(until).end(),
    }))
    .where('token_hash', '=', tokenHash)
    .where('browser_hash', '=', browserHash)
    .where('confirm_until', '>=', now)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function touchSession(handle: Handle, tokenHash: string, now: number): Promise<void> {
  await handle.updateTable('sessions').set({ last_used_at: now }).where('token_hash', '=', tokenHash).execute()
}

export async function deleteSession(handle: Handle, tokenHash: string): Promise<void> {
  await handle.deleteFrom('sessions').where('token_hash', '=', tokenHash).execute()
}

/** Valid sessions of a person, the latest use first. */
export async function sessionsOf(handle: Handle, personId: number, since: { createdAt: number; lastUsedAt: number }) {
  return handle
    .selectFrom('sessions')
    .select(['token_hash', 'device', 'created_at', 'last_used_at'])
    .where('person_id', '=', personId)
    .where('created_at', '>=', since.createdAt)
    .where('last_used_at', '>=', since.lastUsedAt)
    .orderBy('last_used_at', 'desc')
    .orderBy('created_at', 'desc')
    .execute()
}

/** The hash of the deleted session of this person that begins like this. */
export async function deleteSessionOf(tx: Tx, personId: number, beginning: string): Promise<string | undefined> {
  const row = await tx
    .deleteFrom('sessions')
    .where('person_id', '=', personId)
    .where('token_hash', '>=', beginning)
    .where('token_hash', '<', `${beginning}g`)
    .returning('token_hash')
    .executeTakeFirst()
  return row?.token_hash
}

/** Resolves to whether any was deleted. */
export async function deleteSessionsOf(tx: Tx, personId: number): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('sessions').where('person_id', '=', personId).executeTakeFirst()
  return numDeletedRows > 0n
}

export async function hasSessions(tx: Tx, personId: number): Promise<boolean> {
  const query = tx.selectFrom('sessions').select('token_hash').where('person_id', '=', personId)
  return (await query.limit(1).executeTakeFirst()) !== undefined
}

/** Of the person of this session, also of one that has expired. */
export async function personStatusOfSession(
  handle: Handle,
  tokenHash: string,
  { admitsDemo }: DemoAccess,
): Promise<PersonRow['status'] | undefined> {
  const found = await handle
    .selectFrom('sessions')
    .innerJoin('people', 'people.id', 'sessions.person_id')
    .select('people.status')
    .where('sessions.token_hash', '=', tokenHash)
    .$if(!admitsDemo, query => query.where('people.issuer', '!=', demoIssuer))
    .executeTakeFirst()
  return found?.status
}

export async function deleteExpired(
  tx: Tx,
  before: { createdAt: number; lastUsedAt: number; attemptedAt: number },
): Promise<void> {
  await tx
    .deleteFrom('sessions')
    .where(eb => eb.or([eb('created_at', '<', before.createdAt), eb('last_used_at', '<', before.lastUsedAt)]))
    .execute()
  await tx.deleteFrom('sign_in_attempts').where('created_at', '<', before.attemptedAt).execute()
}

export type SignInAttempt = Schema['sign_in_attempts']

export async function insertAttempt(handle: Handle, attempt: SignInAttempt): Promise<void> {
  await handle.insertInto('sign_in_attempts').values(attempt).execute()
}

/** Reads and deletes the attempt in one statement, so that a state can be used only once. */
export async function takeAttempt(handle: Handle, stateHash: string): Promise<SignInAttempt | undefined> {
  return handle.deleteFrom('sign_in_attempts').where('state_hash', '=', stateHash).returningAll().executeTakeFirst()
}
