import { z } from 'zod'
import { locales } from '#messages/locales.ts'
import { Id, IdInPath, Moment } from './common.ts'
import { endpoint } from './endpoint.ts'
import { Role } from './role.ts'

export const PersonStatus = z.enum(['pending', 'approved', 'denied', 'revoked'])
export type PersonStatus = z.infer<typeof PersonStatus>

/** How the gallery lays out its files. */
export const StartView = z.enum(['squares', 'proportions', 'list'])
export type StartView = z.infer<typeof StartView>

/** A language that there are messages in. */
export const Language = z.enum(locales)

/** The signed-in person. */
export const User = z.object({
  id: Id,
  username: z.string(),
  name: z.string(),
  avatar_url: z.string().nullable(),
  role: Role,
  start_view: StartView.nullish().describe('The layout that they chose for new devices'),
  start_sort: z
    .enum(['name', 'date', 'added', 'size', 'type', 'location'])
    .nullish()
    .describe('The order that the gallery opens with'),
  language: Language.nullish().describe('The language that they chose, for new devices'),
})
export type User = z.infer<typeof User>

/** A person as others see them in chats and mentions. */
export const Person = z.object({
  id: Id,
  username: z.string(),
  name: z.string(),
  email: z
    .string()
    .optional()
    .describe('For admins, in lists of people and in their activity, if somebody else has the same name'),
})
export type Person = z.infer<typeof Person>

export const AccessRequest = z.object({
  id: Id,
  name: z.string(),
  email: z.string(),
  avatar_url: z.string().nullable(),
  role: Role.describe('The last approved admin can be neither revoked nor given another role'),
  invited_by: z.string().nullable().describe('The name of the admin whose invitation they used'),
  requested_at: Moment,
  reviewed_at: Moment.nullable(),
})
export type AccessRequest = z.infer<typeof AccessRequest>

export const AdminStats = z.object({
  pendingUserCount: z.number().int(),
  approvedUserCount: z.number().int(),
  deniedUserCount: z.number().int(),
  pendingUsers: z.array(AccessRequest).describe('People with an invitation first'),
  approvedUsers: z.array(AccessRequest),
  deniedUsers: z.array(AccessRequest).describe('Denied people, and people whose access was revoked'),
})
export type AdminStats = z.infer<typeof AdminStats>

export const listPeople = endpoint({
  method: 'GET',
  path: '/api/users',
  summary: 'The approved members of the family, the caller included',
  act: 'people.see',
  offline: true,
  answer: z.array(Person),
})

export const getPerson = endpoint({
  method: 'GET',
  path: '/api/users/:id',
  summary: 'A person who is or was a member of the family',
  act: 'people.see',
  offline: true,
  params: IdInPath,
  answer: Person.extend({
    avatar_url: z.string().nullable(),
    former: z.boolean().describe('True: they can no longer sign in; what they added and wrote is still there'),
  }),
})

export const adminStats = endpoint({
  method: 'GET',
  path: '/api/admin/stats',
  summary: 'Who asked for access, who has it and who was turned away',
  act: 'people.review',
  serializedPerPerson: true,
  answer: AdminStats,
})

function review(decision: 'approve' | 'deny' | 'revoke' | 'reapprove', summary: string) {
  return endpoint({
    method: 'POST',
    path: `/api/admin/pending-users/:id/${decision}`,
    summary,
    act: 'people.review',
    params: IdInPath,
  })
}

export const approvePerson = review('approve', 'Let a waiting person in')
export const denyPerson = review('deny', 'Turn a waiting person away')
export const revokePerson = review('revoke', 'Take access from a member and sign them out everywhere')
export const reapprovePerson = review('reapprove', 'Let in a person who was denied or revoked')

export const giveRole = endpoint({
  method: 'PUT',
  path: '/api/admin/users/:id/role',
  summary: 'Make an approved person a viewer, a member or an admin, at once on all their devices',
  act: 'people.review',
  params: IdInPath,
  body: z.object({
    role: Role,
    expected: Role.optional().describe('For an undo: the role that is taken back; 409 if it is another by now'),
  }),
})

export const handOver = endpoint({
  method: 'POST',
  path: '/api/admin/users/:id/hand-over',
  summary: 'Make this approved person an admin and the caller a member, in one step',
  act: 'people.review',
  params: IdInPath,
  body: z.object({ email: z.string().max(320).describe("The person's, as a confirmation: 409 if it is another") }),
})
