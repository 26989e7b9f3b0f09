import type { AccessRequest, User } from '#contract/people.ts'
import type { Database } from '../db/database.ts'
import type { Handle, PersonRow, Tx } from '../db/schema.ts'
import { toIso } from '../kit/clock.ts'
import { AppError } from '../kit/errors.ts'
import { announce } from '../live/announce.ts'
import { approvedAdminIds, personById, type ReviewedPerson } from './people.sql.ts'

/** The signed URL of a storage key. */
export type AvatarUrl = (key: string) => string

function asUser(person: PersonRow, avatarUrl: AvatarUrl): User {
  const { id, username, name, role, start_view, start_sort, language } = person
  return {
    id,
    username,
    name,
    role,
    start_view,
    start_sort,
    language,
    avatar_url: person.avatar_key && avatarUrl(person.avatar_key),
  }
}

/** The person of a session. */
export async function signedInUser(handle: Handle, id: number, avatarUrl: AvatarUrl): Promise<User> {
  const person = await personById(handle, id)
  if (!person) throw new AppError('not_signed_in', 'auth.signIn')
  return asUser(person, avatarUrl)
}

export function asAccessRequest(person: ReviewedPerson, avatarUrl: AvatarUrl): AccessRequest {
  return {
    id: person.id,
    name: person.name,
    email: person.email,
    role: person.role,
    invited_by: person.invited_by,
    avatar_url: person.avatar_key && avatarUrl(person.avatar_key),
    requested_at: toIso(person.requested_at),
    reviewed_at: person.reviewed_at === null ? null : toIso(person.reviewed_at),
  }
}

/** Changes of approved people are announced to everyone, requests and denials to admins only. */
export async function announcePerson(db: Database, tx: Tx, statuses: readonly PersonRow['status'][]): Promise<void> {
  const to = statuses.includes('approved') ? 'everyone' : await approvedAdminIds(tx)
  await announce(db, tx, { kind: 'people' }, to)
}
