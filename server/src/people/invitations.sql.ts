import { type Insertable, type Selectable, type SqlBool, sql } from 'kysely'
import { invitations as limits } from '#contract/limits.ts'
import type { Handle, Schema, Tx } from '../db/schema.ts'

export type InvitationRow = Selectable<Schema['invitations']>
export type ListedInvitation = InvitationRow & { inviter: string }

/** Whether an invitation can still be used: one for an e-mail address once, and only while its inviter is an admin. */
function isOpen(now: number) {
  return sql<SqlBool>`(invitations.ended_at is null and invitations.expires_at > ${now}
    and invitations.uses < case when invitations.email is null then ${sql.lit(limits.usesOfLink)} else 1 end
    and exists (select 1 from people as admins
      where admins.id = invitations.created_by and admins.status = 'approved' and admins.role = 'admin'))`
}

function withInviter(handle: Handle) {
  return handle
    .selectFrom('invitations')
    .innerJoin('people', 'people.id', 'invitations.created_by')
    .selectAll('invitations')
    .select('people.name as inviter')
}

/** Open ones first, then the newest. */
export async function invitationsAt(handle: Handle, now: number): Promise<ListedInvitation[]> {
  return withInviter(handle)
    .orderBy(eb => eb.case().when(isOpen(now)).then(0).else(1).end())
    .orderBy('invitations.id', 'desc')
    .limit(limits.listed)
    .execute()
}

export async function countOpenInvitations(tx: Tx, now: number): Promise<number> {
  const row = await tx
    .selectFrom('invitations')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where(isOpen(now))
    .executeTakeFirstOrThrow()
  return row.count
}

export async function insertInvitation(tx: Tx, invitation: Insertable<Schema['invitations']>): Promise<InvitationRow> {
  return tx.insertInto('invitations').values(invitation).returningAll().executeTakeFirstOrThrow()
}

/** Undefined if there is no such invitation, or if it cannot be used any more. */
export async function findOpenInvitation(
  handle: Handle,
  tokenHash: string,
  now: number,
): Promise<ListedInvitation | undefined> {
  return withInviter(handle).where('invitations.token_hash', '=', tokenHash).where(isOpen(now)).executeTakeFirst()
}

/** Undefined if it cannot be used any more. */
export async function findInvitation(handle: Handle, id: number, now: number): Promise<ListedInvitation | undefined> {
  return withInviter(handle).where('invitations.id', '=', id).where(isOpen(now)).executeTakeFirst()
}

export async function setEncryptedToken(tx: Tx, id: number, encrypted_token: string | null): Promise<void> {
  await tx.updateTable('invitations').set({ encrypted_token }).where('id', '=', id).execute()
}

/** Counts a use by somebody with this e-mail address. Undefined if they cannot use it. */
export async function consumeInvitation(
  tx: Tx,
  id: number,
  use: { email: string; at: number },
): Promise<InvitationRow | undefined> {
  return tx
    .updateTable('invitations')
    .set({
      uses: sql`uses + 1`,
      // One for an e-mail address is used up.
      encrypted_token: sql`case when email is null then encrypted_token end`,
    })
    .where('id', '=', id)
    .where(isOpen(use.at))
    .where(eb => eb.or([eb('email', 'is', null), eb('email', '=', use.email)]))
    .returningAll()
    .executeTakeFirst()
}

/** Undefined if there is none, or if it has ended already. */
export async function endInvitationRow(tx: Tx, id: number, at: number): Promise<InvitationRow | undefined> {
  return tx
    .updateTable('invitations')
    .set({ ended_at: at, encrypted_token: null })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

export async function endInvitationRowsOf(tx: Tx, personId: number, at: number): Promise<InvitationRow[]> {
  return tx
    .updateTable('invitations')
    .set({ ended_at: at, encrypted_token: null })
    .where('created_by', '=', personId)
    .where('ended_at', 'is', null)
    .returningAll()
    .execute()
}
