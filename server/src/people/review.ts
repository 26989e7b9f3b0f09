import type { ParsedInput } from '#contract/endpoint.ts'
import type { giveRole as giveRoleEndpoint, PersonStatus } from '#contract/people.ts'
import { can } from '#contract/rights.ts'
import { recordAudit } from '../audit/public.ts'
import type { Database } from '../db/database.ts'
import type { Tx } from '../db/schema.ts'
import type { Clock } from '../kit/clock.ts'
import { AppError } from '../kit/errors.ts'
import { accessRequestDecided, type Notified, notifyOfWelcome } from '../notifications/public.ts'
import { lockAdmins } from './admins.ts'
import { endInvitationsOf } from './invitations.ts'
import { changeRole, changeStatus, countApprovedAdmins, personById } from './people.sql.ts'
import { announcePerson } from './present.ts'

export type Decision = 'approve' | 'deny' | 'revoke' | 'reapprove'

/** The allowed status transitions. Any other is a conflict. */
const transitions: Record<Decision, { from: PersonStatus[]; to: PersonStatus }> = {
  approve: { from: ['pending'], to: 'approved' },
  deny: { from: ['pending'], to: 'denied' },
  revoke: { from: ['approved'], to: 'revoked' },
  reapprove: { from: ['denied', 'revoked'], to: 'approved' },
}

export interface AccessReviewDeps {
  db: Database
  clock: Clock
  /** Ends sessions, streams, uploads and links of a person who lost access. */
  accessEnded(tx: Tx, ended: { personId: number; status: PersonStatus | 'closed'; adminId: number }): Promise<void>
  notified?: Notified
  outbox: { welcome(tx: Tx, personId: number): Promise<void> }
}

export async function review(
  deps: AccessReviewDeps,
  adminId: number,
  personId: number,
  decision: Decision,
): Promise<void> {
  const { db, clock } = deps
  const { from, to } = transitions[decision]
  await db.transaction(async tx => {
    await lockAdmins(db, tx, adminId)
    const before = await personById(tx, personId)
    if (!before || before.status === 'inactive' || before.status === 'closed')
      throw new AppError('not_found', 'people.missing')
    const changed = await changeStatus(tx, personId, { from, to, by: adminId, at: clock() })
    if (!changed) throw new AppError('conflict', conflictOf[before.status])
    await requireAnAdmin(tx, 'people.lastAdminRevoked')
    // On re-approval too: a sign-in concurrent with the revocation may have left a session.
    await deps.accessEnded(tx, { personId, status: to, adminId })
    if (to !== 'approved') await endInvitationsOf(tx, { personId, adminId, at: clock() })
    await recordAudit(tx, [
      {
        at: clock(),
        actorId: adminId,
        act: `person.${decision}`,
        subject: { type: 'person', id: personId },
        before: { status: before.status },
      },
    ])
    // Somebody who had access before was welcomed then.
    if (to === 'approved' && before.status !== 'revoked') {
      await notifyOfWelcome(deps, tx, personId)
      await deps.outbox.welcome(tx, personId)
    }
    await accessRequestDecided(deps, tx, personId)
    await announcePerson(db, tx, [before.status, to])
  })
}

/** Takes effect with the next request of the person, because each request reads the role. */
export async function giveRole(
  deps: Pick<AccessReviewDeps, 'db' | 'clock'>,
  adminId: number,
  personId: number,
  { role, expected }: ParsedInput<typeof giveRoleEndpoint>['body'],
): Promise<void> {
  const { db, clock } = deps
  await db.transaction(async tx => {
    await lockAdmins(db, tx, adminId)
    const before = await personById(tx, personId)
    if (!before || before.status === 'inactive' || before.status === 'closed')
      throw new AppError('not_found', 'people.missing')
    if (before.status === 'approved' && before.role === role && expected === undefined) return
    if (!(await changeRole(tx, personId, { to: role, by: adminId, expected }))) {
      throw new AppError('conflict', before.status === 'approved' ? 'people.otherRole' : conflictOf[before.status])
    }
    if (!can(role, 'people.review')) await endInvitationsOf(tx, { personId, adminId, at: clock() })
    await requireAnAdmin(tx, 'people.lastAdminRole')
    await recordAudit(tx, [
      {
        at: clock(),
        actorId: adminId,
        act: `person.make-${role}`,
        subject: { type: 'person', id: personId },
        before: { role: before.role },
      },
    ])
    await announcePerson(db, tx, ['approved'])
  })
}

export async function requireAnAdmin(
  tx: Tx,
  refusal: 'people.lastAdminRevoked' | 'people.lastAdminRole' | 'people.lastAdminCloses',
): Promise<void> {
  if ((await countApprovedAdmins(tx)) === 0) throw new AppError('conflict', refusal)
}

export const conflictOf = {
  pending: 'people.pending',
  approved: 'people.approved',
  denied: 'people.denied',
  revoked: 'people.revoked',
} as const satisfies Record<PersonStatus, string>
