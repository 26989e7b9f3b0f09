import type { FastifyInstance } from 'fastify'
import {
  createInvitation as createInvitationEndpoint,
  endInvitation as endInvitationEndpoint,
  listInvitations as listInvitationsEndpoint,
  showInvitation as showInvitationEndpoint,
} from '#contract/invitations.ts'
import {
  adminStats,
  approvePerson,
  denyPerson,
  getPerson,
  giveRole as giveRoleEndpoint,
  handOver as handOverEndpoint,
  listPeople,
  reapprovePerson,
  revokePerson,
} from '#contract/people.ts'
import { closeMyAccount } from '#contract/settings.ts'
import { AppError } from '../kit/errors.ts'
import { localeOf } from '../kit/messages.ts'
import { serve } from '../kit/serve.ts'
import { createInvitation, endInvitation, type InvitationDeps, listInvitations, showInvitation } from './invitations.ts'
import { closeAccount, handOver } from './leaving.ts'
import { emailsOfNamesakes } from './namesakes.ts'
import { approvedPeople, findFamilyMember, peopleByStatus } from './people.sql.ts'
import { type AvatarUrl, asAccessRequest } from './present.ts'
import { type AccessReviewDeps, type Decision, giveRole, review } from './review.ts'

export interface PeopleDeps extends AccessReviewDeps, InvitationDeps {
  avatarUrl: AvatarUrl
}

export function peopleRoutes(app: FastifyInstance, deps: PeopleDeps): void {
  const { db } = deps

  serve(app, listPeople, async ({ caller }) => {
    const emails = await emailsOfNamesakes(db.query, caller)
    return (await approvedPeople(db.query)).map(person => ({ ...person, email: emails.get(person.id) }))
  })

  serve(app, getPerson, async ({ params, caller }) => {
    const person = await findFamilyMember(db.query, params.id)
    if (!person) throw new AppError('not_found', 'people.missing')
    const { avatar_key, status, ...shown } = person
    const email = (await emailsOfNamesakes(db.query, caller)).get(person.id)
    return { ...shown, email, avatar_url: avatar_key && deps.avatarUrl(avatar_key), former: status !== 'approved' }
  })

  serve(app, adminStats, async () => {
    const [pending, approved, denied] = await Promise.all([
      peopleByStatus(db.query, ['pending']),
      peopleByStatus(db.query, ['approved']),
      peopleByStatus(db.query, ['denied', 'revoked']),
    ])
    const present = (people: typeof pending) => people.map(person => asAccessRequest(person, deps.avatarUrl))
    return {
      pendingUserCount: pending.length,
      approvedUserCount: approved.length,
      deniedUserCount: denied.length,
      pendingUsers: present(pending),
      approvedUsers: present(approved),
      deniedUsers: present(denied),
    }
  })

  const decisions = [
    [approvePerson, 'approve'],
    [denyPerson, 'deny'],
    [revokePerson, 'revoke'],
    [reapprovePerson, 'reapprove'],
  ] as const satisfies [unknown, Decision][]
  for (const [endpoint, decision] of decisions) {
    serve(app, endpoint, ({ caller, params }) => review(deps, caller.id, params.id, decision))
  }
  serve(app, listInvitationsEndpoint, () => listInvitations(deps))
  serve(app, createInvitationEndpoint, ({ caller, body }) => createInvitation(deps, caller.id, body))
  serve(app, showInvitationEndpoint, ({ caller, params }) => showInvitation(deps, caller.id, params.id))
  serve(app, endInvitationEndpoint, ({ caller, params }) => endInvitation(deps, caller.id, params.id))
  serve(app, giveRoleEndpoint, ({ caller, params, body }) => giveRole(deps, caller.id, params.id, body))
  serve(app, handOverEndpoint, ({ caller, params, body }) => handOver(deps, caller.id, params.id, body))
  serve(app, closeMyAccount, ({ caller, body, request }) => closeAccount(deps, caller.id, body, localeOf(request)))
}
