import type { ParsedInput } from '#contract/endpoint.ts'
import {
  type AcceptedInvitation,
  type createInvitation as createInvitationEndpoint,
  type Invitation,
  invitationFragment,
} from '#contract/invitations.ts'
import { invitations as limits, rateLimits } from '#contract/limits.ts'
import { recordAudit } from '../audit/public.ts'
import type { Database } from '../db/database.ts'
import type { Handle, Tx } from '../db/schema.ts'
import { type Clock, toIso } from '../kit/clock.ts'
import { AppError } from '../kit/errors.ts'
import type { RateLimiter } from '../kit/rate-limiter.ts'
import { decryptOrThrow, type TokenEncryption } from '../kit/token-encryption.ts'
import { hashToken, isToken, newToken } from '../kit/tokens.ts'
import { lockAdmins } from './admins.ts'
import { comparableEmail } from './email.ts'
import {
  consumeInvitation,
  countOpenInvitations,
  endInvitationRow,
  endInvitationRowsOf,
  findInvitation,
  findOpenInvitation,
  insertInvitation,
  invitationsAt,
  type ListedInvitation,
  setEncryptedToken,
} from './invitations.sql.ts'
import { acceptByInvitation, lockPerson } from './people.sql.ts'
import { announcePerson } from './present.ts'

export interface InvitationDeps {
  db: Database
  clock: Clock
  publicUrl: URL
  tokenEncryption: TokenEncryption
  limiter: RateLimiter
}

export async function listInvitations({ db, clock, tokenEncryption }: InvitationDeps): Promise<Invitation[]> {
  const now = clock()
  return (await invitationsAt(db.query, now)).map(row => present(tokenEncryption, row, now))
}

/** The database has a hash of the token, and an encrypted copy to show the link again. */
export async function createInvitation(
  { db, clock, publicUrl, tokenEncryption }: InvitationDeps,
  adminId: number,
  { email, role, auto_approve }: ParsedInput<typeof createInvitationEndpoint>['body'],
): Promise<{ invitation: Invitation; url: string }> {
  const token = newToken()
  const now = clock()
  const invitation = await db.transaction(async tx => {
    // An admin whose role is taken at the same moment must not leave an invitation behind.
    const admin = await lockAdmins(db, tx, adminId)
    if ((await countOpenInvitations(tx, now)) >= limits.open) {
      throw new AppError('conflict', 'people.manyInvitations')
    }
    const row = await insertInvitation(tx, {
      token_hash: hashToken(token),
      email: email === null ? null : comparableEmail(email),
      role,
      auto_approve: auto_approve ? 1 : 0,
      created_by: adminId,
      created_at: now,
      expires_at: now + (email === null ? limits.linkTtl : limits.emailTtl),
      ended_at: null,
    })
    const encrypted_token = tokenEncryption.encrypt(token, tokenSubject(row.id))
    await setEncryptedToken(tx, row.id, encrypted_token)
    await recordAudit(tx, [line('invitation.create', adminId, row, now)])
    await announcePerson(db, tx, ['pending'])
    return present(tokenEncryption, { ...row, encrypted_token, inviter: admin.name }, now)
  })
  return { invitation, url: addressOf(publicUrl, token) }
}

/** What a secret is encrypted with, so that the text of one invitation is of no use in another. */
function tokenSubject(id: number): string {
  return `invitation ${id}`
}

function addressOf(publicUrl: URL, token: string): string {
  return new URL(`/login#${invitationFragment}${token}`, publicUrl).href
}

export async function showInvitation(deps: InvitationDeps, adminId: number, id: number): Promise<{ url: string }> {
  const { db, clock, limiter } = deps
  await limiter.hit(`link-shown:account:${adminId}`, rateLimits.linksShown)
  return db.transaction(async tx => {
    const { invitation, url } = await invitationLink(deps, tx, id)
    await recordAudit(tx, [line('invitation.show', adminId, invitation, clock())])
    return { url }
  })
}

export type InvitationLinkDeps = Pick<InvitationDeps, 'clock' | 'publicUrl' | 'tokenEncryption'>

/** The link of an open invitation. The caller leaves an audit entry, if a person asks for it. */
export async function invitationLink(
  { clock, publicUrl, tokenEncryption }: InvitationLinkDeps,
  handle: Handle,
  id: number,
): Promise<{ invitation: ListedInvitation; url: string }> {
  const invitation = await findInvitation(handle, id, clock())
  if (!invitation) throw new AppError('not_found', 'people.invitationMissing')
  const token = decryptOrThrow(tokenEncryption, invitation.encrypted_token, tokenSubject(id))
  return { invitation, url: addressOf(publicUrl, token) }
}

export async function endInvitation({ db, clock }: InvitationDeps, adminId: number, id: number): Promise<void> {
  await db.transaction(async tx => {
    const ended = await endInvitationRow(tx, id, clock())
    if (!ended) throw new AppError('not_found', 'people.invitationMissing')
    await recordAudit(tx, [line('invitation.end', adminId, ended, clock())])
    await announcePerson(db, tx, ['pending'])
  })
}

/** Ends the invitations of somebody who is no admin any more. The caller announces it. */
export async function endInvitationsOf(
  tx: Tx,
  { personId, adminId, at }: { personId: number; adminId: number; at: number },
): Promise<void> {
  const ended = await endInvitationRowsOf(tx, personId, at)
  await recordAudit(
    tx,
    ended.map(row => line('invitation.end', adminId, row, at)),
  )
}

/** The open invitation of a token; undefined if it is unknown or can no longer be used. */
export async function openInvitation(
  { db, clock }: Pick<InvitationDeps, 'db' | 'clock'>,
  token: string | undefined,
): Promise<(AcceptedInvitation & { id: number }) | undefined> {
  if (!token || !isToken(token)) return undefined
  const found = await findOpenInvitation(db.query, hashToken(token), clock())
  return found && { id: found.id, email: found.email, auto_approve: found.auto_approve === 1, inviter: found.inviter }
}

/**
 * Uses an invitation for somebody who waits and about whom no admin has decided. True if that approved them. Who was
 * denied or revoked stays so, and the invitation is not used.
 */
export async function redeemInvitation(
  db: Database,
  tx: Tx,
  personId: number,
  { invitationId, email, at }: { invitationId: number; email: string; at: number },
): Promise<boolean> {
  // Locked before the use is counted, because an admin may decide at the same moment.
  const person = await lockPerson(db, tx, personId)
  if (person.status !== 'pending' || person.reviewed_by !== null || person.invitation_id === invitationId) return false
  const invitation = await consumeInvitation(tx, invitationId, { email, at })
  if (!invitation) return false
  const { role, created_by } = invitation
  const autoApprove = invitation.auto_approve === 1
  const accepted = { invitationId, role, by: autoApprove ? created_by : null, at }
  await acceptByInvitation(tx, person.id, accepted)
  await recordAudit(tx, [
    {
      at,
      actorId: created_by,
      act: autoApprove ? 'person.invite' : 'person.invite-for-approval',
      subject: { type: 'person', id: person.id },
    },
  ])
  return autoApprove
}

function line(
  act: 'invitation.create' | 'invitation.end' | 'invitation.show',
  actorId: number,
  { id, email }: { id: number; email: string | null },
  at: number,
) {
  const before = email === null ? {} : { before: { name: email } }
  return { at, actorId, act, subject: { type: 'invitation', id }, ...before }
}

function present(encryption: TokenEncryption, row: ListedInvitation, now: number): Invitation {
  return {
    id: row.id,
    email: row.email,
    role: row.role === 'viewer' ? 'viewer' : 'member',
    auto_approve: row.auto_approve === 1,
    uses: row.uses,
    created_by: row.inviter,
    created_at: toIso(row.created_at),
    expires_at: toIso(row.expires_at),
    status: statusOf(row, now),
    address: encryption.stateOf(row.encrypted_token),
  }
}

function statusOf({ ended_at, expires_at, email, uses }: ListedInvitation, now: number): Invitation['status'] {
  if (ended_at !== null) return 'ended'
  if (uses >= (email === null ? limits.usesOfLink : 1)) return 'used'
  return expires_at > now ? 'open' : 'expired'
}
