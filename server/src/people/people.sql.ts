import type { PersonStatus } from '#contract/people.ts'
import type { Role } from '#contract/role.ts'
import type { Database } from '../db/database.ts'
import type { Handle, NewPerson, PersonRow, Tx } from '../db/schema.ts'

/** Locked until the transaction ends, because the person may close their account at the same moment. */
export async function lockPersonOfAccount(
  db: Database,
  tx: Tx,
  issuer: string,
  subject: string,
): Promise<PersonRow | undefined> {
  const query = tx.selectFrom('people').selectAll().where('issuer', '=', issuer).where('subject', '=', subject)
  return db.forUpdate(query).executeTakeFirst()
}

export async function personById(handle: Handle, id: number): Promise<PersonRow | undefined> {
  return handle.selectFrom('people').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Locked until the transaction ends. */
export async function lockPerson(db: Database, tx: Tx, id: number): Promise<PersonRow> {
  return db.forUpdate(tx.selectFrom('people').selectAll().where('id', '=', id)).executeTakeFirstOrThrow()
}

/** Undefined if a concurrent request added the account. */
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

/** A name that the person chose stays; the provider's is kept beside it. */
export async function updateIdentity(
  tx: Tx,
  id: number,
  { email, name }: { email: string; name: string },
): Promise<void> {
  await tx
    .updateTable('people')
    .set(eb => ({
      email,
      name: eb.case().when('provider_name', 'is', null).then(name).else(eb.ref('name')).end(),
      provider_name: eb.case().when('provider_name', 'is', null).then(null).else(name).end(),
    }))
    .where('id', '=', id)
    .execute()
}

export async function setAvatar(
  tx: Tx,
  id: number,
  avatar: { key: string | null; source: string | null },
): Promise<void> {
  await tx
    .updateTable('people')
    .set({ avatar_key: avatar.key, avatar_source: avatar.source })
    .where('id', '=', id)
    .execute()
}

export async function setProviderPicture(tx: Tx, id: number, source: string | null): Promise<void> {
  await tx.updateTable('people').set({ provider_picture: source }).where('id', '=', id).execute()
}

/** The account that owns this listed e-mail: the first one that signed in with it. */
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

/** False if an admin has already decided. */
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

/** Does nothing if an admin has given this person another role. */
export async function makeAdminByList(tx: Tx, id: number): Promise<void> {
  await tx
    .updateTable('people')
    .set({ role: 'admin' })
    .where('id', '=', id)
    .where('role_given_by', 'is', null)
    .execute()
}

/** False if the person is not approved, or has another role than `expected`. */
export async function changeRole(
  tx: Tx,
  id: number,
  change: { to: Role; by: number; expected: Role | undefined },
): Promise<boolean> {
  const { expected } = change
  const result = await tx
    .updateTable('people')
    .set({ role: change.to, role_given_by: change.by })
    .where('id', '=', id)
    .where('status', '=', 'approved')
    .$if(expected !== undefined, query => query.where('role', '=', expected as Role))
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** `by`: the inviter, if the invitation approves people at once. The caller has locked the person. */
export async function acceptByInvitation(
  tx: Tx,
  id: number,
  accepted: { invitationId: number; role: Role; by: number | null; at: number },
): Promise<void> {
  const { invitationId, role, by, at } = accepted
  const approved = by === null ? {} : ({ status: 'approved', reviewed_by: by, reviewed_at: at } as const)
  await tx
    .updateTable('people')
    .set({ invitation_id: invitationId, role, ...approved })
    .where('id', '=', id)
    .execute()
}

/** Undefined if the person has none of the `from` statuses any more. */
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

export async function approvedAdmins(handle: Handle): Promise<{ name: string; email: string }[]> {
  return handle
    .selectFrom('people')
    .select(['name', 'email'])
    .where('role', '=', 'admin')
    .where('status', '=', 'approved')
    .orderBy('id')
    .execute()
}

export async function approvedPeople(handle: Handle) {
  return handle
    .selectFrom('people')
    .select(['id', 'username', 'name'])
    .where('status', '=', 'approved')
    .orderBy('username')
    .execute()
}

/** Of everybody, whatever their status. */
export async function namesAndEmails(handle: Handle) {
  return handle.selectFrom('people').select(['id', 'name', 'email']).execute()
}

/** Undefined for people who were never let in: their requests are known to admins only. */
export async function findFamilyMember(handle: Handle, id: number) {
  return handle
    .selectFrom('people')
    .select(['id', 'username', 'name', 'avatar_key', 'status'])
    .where('id', '=', id)
    .where(eb => eb(eb.fn.coalesce('active_status', 'status'), 'in', ['approved', 'revoked', 'closed']))
    .executeTakeFirst()
}

export type ReviewedPerson = PersonRow & { invited_by: string | null }

/** Requests with an invitation first, then the newest, by the time of the review or else of the request. */
export async function peopleByStatus(handle: Handle, statuses: PersonStatus[]): Promise<ReviewedPerson[]> {
  return handle
    .selectFrom('people')
    .leftJoin('invitations', 'invitations.id', 'people.invitation_id')
    .leftJoin('people as inviter', 'inviter.id', 'invitations.created_by')
    .selectAll('people')
    .select('inviter.name as invited_by')
    .where('people.status', 'in', statuses)
    .$if(statuses.includes('pending'), query =>
      query.orderBy(eb => eb.case().when('people.invitation_id', 'is', null).then(1).else(0).end()),
    )
    .orderBy(eb => eb.fn.coalesce('people.reviewed_at', 'people.requested_at'), 'desc')
    .orderBy('people.id', 'desc')
    .execute()
}

/** The stored issuer of demo accounts. Not the demo's URL, because its port may change. */
export const demoIssuer = 'demo'

/**
 * Anyone can choose a demo account, so these are deactivated when a real provider is configured: they are no longer
 * approved, admin or pending, and lose their sessions, e-mail claims and invitations. Their files and notes are kept.
 */
export async function deactivateDemoAccounts(tx: Tx, at: number): Promise<number> {
  const demoPeople = tx.selectFrom('people').select('id').where('issuer', '=', demoIssuer)
  await tx.deleteFrom('sessions').where('person_id', 'in', demoPeople).execute()
  await tx.deleteFrom('app_passwords').where('person_id', 'in', demoPeople).execute()
  await tx.deleteFrom('email_claims').where('person_id', 'in', demoPeople).execute()
  await tx
    .updateTable('invitations')
    .set({ ended_at: at })
    .where('created_by', 'in', demoPeople)
    .where('ended_at', 'is', null)
    .execute()
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
