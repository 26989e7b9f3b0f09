import type { PersonStatus } from '#contract/people.ts'
import type { Role } from '#contract/rights.ts'
import type { Handle, NewPerson, PersonRow, Tx } from '../db/schema.ts'

export async function personByAccount(handle: Handle, issuer: string, subject: string): Promise<PersonRow | undefined> {
  return handle
    .selectFrom('people')
    .selectAll()
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
}

export async function personById(handle: Handle, id: number): Promise<PersonRow | undefined> {
  return handle.selectFrom('people').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Undefined when the account came in by another way at the same moment. */
export async function insertPerson(tx: Tx, person: NewPerson): Promise<PersonRow | undefined> {
  return tx
    .insertInto('people')
    .values(person)
    .onConflict(conflict => conflict.columns(['issuer', 'subject']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function usernamesLike(handle: Handle, beginning: string): Promise<Set<string>> {
  const rows = await handle
    .selectFrom('people')
    .select('username')
    .where('username', '>=', beginning)
    .where('username', '<', `${beginning}\u{10ffff}`)
    .execute()
  return new Set(rows.map(row => row.username))
}

export async function updateIdentity(tx: Tx, id: number, identity: { email: string; name: string }): Promise<void> {
  await tx.updateTable('people').set(identity).where('id', '=', id).execute()
}

export async function setAvatar(tx: Tx, id: number, avatar: { key: string; source: string }): Promise<void> {
  await tx
    .updateTable('people')
    .set({ avatar_key: avatar.key, avatar_source: avatar.source })
    .where('id', '=', id)
    .execute()
}

/** The account that owns this listed e-mail: the first that brought it. */
export async function claimEmail(tx: Tx, email: string, personId: number): Promise<number> {
  await tx
    .insertInto('email_claims')
    .values({ email, person_id: personId })
    .onConflict(conflict => conflict.column('email').doNothing())
    .execute()
  const claim = await tx
    .selectFrom('email_claims')
    .select('person_id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow()
  return claim.person_id
}

/** Changes nothing, and says so, once an admin has decided, be it a moment ago. */
export async function grantByList(tx: Tx, id: number, grant: { role: Role; at: number }): Promise<boolean> {
  const result = await tx
    .updateTable('people')
    .set({ role: grant.role, status: 'approved', reviewed_at: grant.at })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .where('reviewed_by', 'is', null)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export async function setRole(tx: Tx, id: number, role: Role): Promise<void> {
  await tx.updateTable('people').set({ role }).where('id', '=', id).execute()
}

/** Undefined when the person is in none of the states that the change starts from: somebody else was first. */
export async function changeStatus(
  tx: Tx,
  id: number,
  change: { from: PersonStatus[]; to: PersonStatus; by: number; at: number },
): Promise<PersonRow | undefined> {
  return tx
    .updateTable('people')
    .set({ status: change.to, reviewed_at: change.at, reviewed_by: change.by })
    .where('id', '=', id)
    .where('status', 'in', change.from)
    .returningAll()
    .executeTakeFirst()
}

export async function countApprovedAdmins(tx: Tx): Promise<number> {
  const row = await tx
    .selectFrom('people')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('role', '=', 'admin')
    .where('status', '=', 'approved')
    .executeTakeFirstOrThrow()
  return row.count
}

export async function approvedAdminIds(handle: Handle): Promise<number[]> {
  const admins = await handle
    .selectFrom('people')
    .select('id')
    .where('role', '=', 'admin')
    .where('status', '=', 'approved')
    .execute()
  return admins.map(admin => admin.id)
}

export async function approvedPeople(handle: Handle) {
  return handle
    .selectFrom('people')
    .select(['id', 'username', 'name'])
    .where('status', '=', 'approved')
    .orderBy('username')
    .execute()
}

/** Newest first: by when they asked while they wait, by when it was decided afterwards. */
export async function peopleByStatus(handle: Handle, statuses: PersonStatus[]): Promise<PersonRow[]> {
  return handle
    .selectFrom('people')
    .selectAll()
    .where('status', 'in', statuses)
    .orderBy(eb => eb.fn.coalesce('reviewed_at', 'requested_at'), 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** Under which issuer the demo's accounts are kept. The address of the demo holds its port, which may change. */
export const demoIssuer = 'demo'

/**
 * Anyone could choose to be one of them, so beside a real provider they are nobody: every query that asks who is
 * approved, an admin or waiting leaves them out, and their sessions and claims to e-mails end. What they added stays.
 */
export async function deactivateDemoAccounts(tx: Tx): Promise<number> {
  const demoPeople = tx.selectFrom('people').select('id').where('issuer', '=', demoIssuer)
  await tx.deleteFrom('sessions').where('person_id', 'in', demoPeople).execute()
  await tx.deleteFrom('email_claims').where('person_id', 'in', demoPeople).execute()
  const result = await tx
    .updateTable('people')
    .set(({ ref }) => ({ active_status: ref('status').$castTo<PersonStatus>(), status: 'inactive' }))
    .where('issuer', '=', demoIssuer)
    .where('status', '!=', 'inactive')
    .executeTakeFirst()
  return Number(result.numUpdatedRows)
}

export async function activateDemoAccounts(tx: Tx): Promise<void> {
  await tx
    .updateTable('people')
    .set(({ ref }) => ({ status: ref('active_status').$notNull(), active_status: null }))
    .where('issuer', '=', demoIssuer)
    .where('status', '=', 'inactive')
    .where('active_status', 'is not', null)
    .execute()
}
