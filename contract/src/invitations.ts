import { z } from 'zod'
import { Id, IdInPath, Moment, StoredAddress } from './common.ts'
import { endpoint } from './endpoint.ts'
import { lengths } from './limits.ts'
import { refusal } from './refusal.ts'

/** Only admins make admins: somebody who finds a link must not become one. */
const InvitedRole = z.enum(['viewer', 'member'])

export const Invitation = z.object({
  id: Id,
  email: z.string().nullable().describe('Null: for anybody who has the link'),
  role: InvitedRole,
  auto_approve: z.boolean().describe('True: people are approved at once; false: they wait at the top of Pending'),
  uses: z.number().int(),
  created_by: z.string().describe("The inviter's name"),
  created_at: Moment,
  expires_at: Moment,
  status: z.enum(['open', 'used', 'expired', 'ended']),
  address: StoredAddress.describe('Whether its link can be shown again, as that of a `Link`'),
})
export type Invitation = z.infer<typeof Invitation>

export const listInvitations = endpoint({
  method: 'GET',
  path: '/api/admin/invitations',
  summary: 'The invitations, open ones first, then the newest',
  act: 'people.review',
  answer: z.array(Invitation),
})

/** Only ASCII addresses: others have look-alikes and several encodings of the same text. */
const InvitedEmail = z
  .string()
  .trim()
  .max(lengths.email, refusal('people.emailTooLong'))
  .regex(/^[\x21-\x3f\x41-\x7e]+@[\x21-\x3f\x41-\x7e]+$/, refusal('people.emailMissing'))

export const createInvitation = endpoint({
  method: 'POST',
  path: '/api/admin/invitations',
  summary: 'Make an invitation for one e-mail address, or for anybody who has its link',
  act: 'people.review',
  body: z.object({ email: InvitedEmail.nullable(), role: InvitedRole, auto_approve: z.boolean() }),
  status: 201,
  answer: z.object({ invitation: Invitation, url: z.string() }),
})

export const showInvitation = endpoint({
  method: 'POST',
  path: '/api/admin/invitations/:id/show',
  summary: 'Show the link of an open invitation again. Leaves an audit entry',
  act: 'people.review',
  params: IdInPath,
  answer: z.object({ url: z.string() }),
})

export const endInvitation = endpoint({
  method: 'POST',
  path: '/api/admin/invitations/:id/end',
  summary: 'End an invitation: its link no longer works',
  act: 'people.review',
  params: IdInPath,
})

/** In the fragment of the login page's URL, which browsers send to no server, so that no log contains the secret. */
export const invitationFragment = 'invitation='

/** Sets a cookie, so that the next sign-in in this browser uses the invitation. */
export const acceptInvitation = endpoint({
  method: 'POST',
  path: '/auth/invitation',
  summary: 'What the invitation with this bearer token offers; the next sign-in in this browser uses it',
  act: 'anyone',
  uncounted: true,
  answer: Invitation.pick({ email: true, auto_approve: true }).extend({ inviter: z.string() }),
})
export type AcceptedInvitation = z.infer<typeof acceptInvitation.answer>
