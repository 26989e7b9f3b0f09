import type { ParsedInput } from '#contract/endpoint.ts'
import type { handOver as handOverEndpoint } from '#contract/people.ts'
import type { closeMyAccount } from '#contract/settings.ts'
import type { Locale } from '#messages/locales.ts'
import { recordAudit } from '../audit/public.ts'
import { AppError } from '../kit/errors.ts'
import { textsIn } from '../kit/messages.ts'
import { lockAdmins } from './admins.ts'
import { firstFree } from './admission.ts'
import { endInvitationsOf } from './invitations.ts'
import { closePerson, deletePrivateRows, forgetFormerNames } from './leaving.sql.ts'
import { changeRole, lockPerson, personById, usernamesLike } from './people.sql.ts'
import { announcePerson } from './present.ts'
import { type AccessReviewDeps, conflictOf, requireAnAdmin } from './review.ts'

/**
 * Closes the own account. What the person added and wrote stays; everything that lets them in, and what concerns them
 * alone, ends in the same transaction.
 */
export async function closeAccount(
  deps: Pick<AccessReviewDeps, 'db' | 'clock' | 'accessEnded'>,
  personId: number,
  { username, keep_name }: ParsedInput<typeof closeMyAccount>['body'],
  locale: Locale,
): Promise<void> {
  const { db, clock } = deps
  await db.transaction(async tx => {
    // As every decision about access, so that the last two admins cannot leave at the same moment.
    await db.advisoryLock(tx, 'admins')
    const person = await lockPerson(db, tx, personId)
    if (person.status !== 'approved') throw new AppError('not_signed_in', 'auth.signIn')
    if (username.trim().replace(/^@/, '').toLowerCase() !== person.username) {
      throw new AppError('invalid', 'people.closeUsername')
    }
    const at = clock()
    await deps.accessEnded(tx, { personId, status: 'closed', adminId: personId })
    await endInvitationsOf(tx, { personId, adminId: personId, at })
    await deletePrivateRows(tx, personId)
    if (keep_name) await closePerson(tx, person, at)
    else {
      await db.advisoryLock(tx, 'usernames')
      const nameless = firstFree('former', await usernamesLike(tx, 'former'))
      const name = textsIn('server-pages', person.language ?? locale).formerMember
      await closePerson(tx, { id: personId, name, username: nameless }, at)
      await forgetFormerNames(tx, personId)
    }
    await requireAnAdmin(tx, 'people.lastAdminCloses')
    await recordAudit(tx, [{ at, actorId: personId, act: 'person.close', subject: { type: 'person', id: personId } }])
    await announcePerson(db, tx, ['approved'])
  })
}

/** Makes another person an admin and steps down in one transaction, so that the library always has an admin. */
export async function handOver(
  { db, clock }: Pick<AccessReviewDeps, 'db' | 'clock'>,
  adminId: number,
  personId: number,
  { email }: ParsedInput<typeof handOverEndpoint>['body'],
): Promise<void> {
  await db.transaction(async tx => {
    await lockAdmins(db, tx, adminId)
    const person = await personById(tx, personId)
    if (!person || person.status === 'inactive' || person.status === 'closed') {
      throw new AppError('not_found', 'people.missing')
    }
    if (personId === adminId) throw new AppError('conflict', 'people.handOverToSelf')
    if (person.status !== 'approved') throw new AppError('conflict', conflictOf[person.status])
    if (person.email !== email) throw new AppError('conflict', 'people.handOverEmail')
    const at = clock()
    await changeRole(tx, personId, { to: 'admin', by: adminId, expected: undefined })
    await changeRole(tx, adminId, { to: 'member', by: adminId, expected: undefined })
    await endInvitationsOf(tx, { personId: adminId, adminId, at })
    await requireAnAdmin(tx, 'people.lastAdminRole')
    await recordAudit(tx, [
      {
        at,
        actorId: adminId,
        act: 'person.hand-over',
        subject: { type: 'person', id: personId },
        before: { role: person.role },
      },
    ])
    await announcePerson(db, tx, ['approved'])
  })
}
