import type { Database } from '../db/database.ts'
import type { PersonRow, Tx } from '../db/schema.ts'
import type { Clock } from '../kit/clock.ts'
import { announcePerson } from './announce.ts'
import {
  claimEmail,
  grantByList,
  insertPerson,
  personByAccount,
  personById,
  setRole,
  updateIdentity,
  usernamesLike,
} from './people.sql.ts'
import { firstFree, usernameFrom } from './username.ts'

/** Who the identity provider says this is. The account is issuer and subject; an e-mail alone is nobody. */
export interface Identity {
  issuer: string
  subject: string
  /** Verified, in lower case. */
  email: string
  name: string
}

/** Pre-approved e-mails from the configuration. */
export interface ListedEmails {
  admins: readonly string[]
  members: readonly string[]
}

/** Finds the account's person, or writes down a request for access, and applies the lists. */
export async function admit(
  db: Database,
  clock: Clock,
  lists: ListedEmails,
  tx: Tx,
  identity: Identity,
): Promise<PersonRow> {
  const known = await personByAccount(tx, identity.issuer, identity.subject)
  const person = known ?? (await request(db, clock, tx, identity))
  if (person.email !== identity.email || person.name !== identity.name) {
    await updateIdentity(tx, person.id, { email: identity.email, name: identity.name })
  }
  await applyLists(clock, lists, tx, person, identity.email)
  const admitted = await reread(tx, person.id)
  if (!known || isSeenToDiffer(known, admitted)) await announcePerson(db, tx, [person.status, admitted.status])
  return admitted
}

/** In what others see of them. */
function isSeenToDiffer(before: PersonRow, after: PersonRow): boolean {
  return (['email', 'name', 'role', 'status'] as const).some(column => before[column] !== after[column])
}

async function request(db: Database, clock: Clock, tx: Tx, identity: Identity): Promise<PersonRow> {
  await db.serialise(tx, 'usernames')
  const wanted = usernameFrom(identity.email)
  const added = await insertPerson(tx, {
    issuer: identity.issuer,
    subject: identity.subject,
    email: identity.email,
    username: firstFree(wanted, await usernamesLike(tx, wanted)),
    name: identity.name,
    role: 'member',
    status: 'pending',
    requested_at: clock(),
  })
  if (added) return added
  const other = await personByAccount(tx, identity.issuer, identity.subject)
  if (!other) throw new Error('An account vanished while it was being added')
  return other
}

/** What an admin decided beats the lists; the lists beat waiting. */
async function applyLists(clock: Clock, lists: ListedEmails, tx: Tx, person: PersonRow, email: string): Promise<void> {
  const listedAsAdmin = lists.admins.includes(email)
  if (!listedAsAdmin && !lists.members.includes(email)) return
  if ((await claimEmail(tx, email, person.id)) !== person.id) return
  if (person.status === 'pending') {
    await grantByList(tx, person.id, { role: listedAsAdmin ? 'admin' : 'member', at: clock() })
  } else if (person.status === 'approved' && listedAsAdmin && person.role !== 'admin') {
    await setRole(tx, person.id, 'admin')
  }
}

async function reread(tx: Tx, id: number): Promise<PersonRow> {
  const person = await personById(tx, id)
  if (!person) throw new Error('A person vanished within their own transaction')
  return person
}
