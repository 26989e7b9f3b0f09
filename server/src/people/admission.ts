import type { Database } from '../db/database.ts'
import type { PersonRow, Tx } from '../db/schema.ts'
import type { Clock } from '../kit/clock.ts'
import { accessRequestDecided, type Notified, notifyOfAccessRequest, notifyOfWelcome } from '../notifications/public.ts'
import { isAsciiEmail } from './email.ts'
import { redeemInvitation } from './invitations.ts'
import {
  approvedAdminIds,
  claimEmail,
  grantByList,
  insertPerson,
  lockPersonOfAccount,
  makeAdminByList,
  personById,
  updateIdentity,
  usernamesLike,
} from './people.sql.ts'
import { announcePerson } from './present.ts'

/** The identity from the provider. Issuer and subject identify the account, the e-mail does not. */
export interface Identity {
  issuer: string
  subject: string
  /** Verified, normalised by `comparableEmail`. */
  email: string
  name: string
}

/** Pre-approved e-mails from the configuration. */
export interface ListedEmails {
  admins: readonly string[]
  members: readonly string[]
}

/** Finds the person of this account or creates an access request, then applies the lists of e-mails and the invitation. */
export async function admit(
  db: Database,
  clock: Clock,
  lists: ListedEmails,
  tx: Tx,
  identity: Identity,
  invitationId: number | null = null,
  notify: { notified?: Notified } = {},
): Promise<PersonRow> {
  const known = await lockPersonOfAccount(db, tx, identity.issuer, identity.subject)
  const { person, isNew } = known ? { person: known, isNew: false } : await request(db, clock, tx, identity)
  if (person.email !== identity.email || (person.provider_name ?? person.name) !== identity.name) {
    await updateIdentity(tx, person.id, { email: identity.email, name: identity.name })
  }
  const listed = await applyLists(clock, lists, tx, person, identity.email)
  const { email } = identity
  const invited = async () =>
    invitationId !== null && redeemInvitation(db, tx, person.id, { invitationId, email, at: clock() })
  const isApproved = listed || (await invited())
  const admitted = await reread(tx, person.id)
  if (!known || isSeenToDiffer(known, admitted)) await announcePerson(db, tx, [person.status, admitted.status])
  if (isApproved) {
    await notifyOfWelcome({ db, clock, ...notify }, tx, person.id)
    await accessRequestDecided({ db, clock }, tx, person.id)
  } else if (isNew) {
    await notifyOfAccessRequest({ db, clock, ...notify }, tx, {
      personId: person.id,
      adminIds: await approvedAdminIds(tx),
    })
  }
  return admitted
}

/** Whether anything changed that other people see. */
function isSeenToDiffer(before: PersonRow, after: PersonRow): boolean {
  return (['email', 'name', 'role', 'status', 'invitation_id'] as const).some(
    column => before[column] !== after[column],
  )
}

async function request(
  db: Database,
  clock: Clock,
  tx: Tx,
  identity: Identity,
): Promise<{ person: PersonRow; isNew: boolean }> {
  await db.advisoryLock(tx, 'usernames')
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
  if (added) return { person: added, isNew: true }
  const other = await lockPersonOfAccount(db, tx, identity.issuer, identity.subject)
  if (!other) throw new Error('The account was deleted while it was being added')
  return { person: other, isNew: false }
}

/** An admin's decision takes precedence over the lists. True if the person was approved by a list. */
async function applyLists(
  clock: Clock,
  lists: ListedEmails,
  tx: Tx,
  person: PersonRow,
  email: string,
): Promise<boolean> {
  if (!isAsciiEmail(email)) return false
  const listedAsAdmin = lists.admins.includes(email)
  if (!listedAsAdmin && !lists.members.includes(email)) return false
  if ((await claimEmail(tx, email, person.id)) !== person.id) return false
  if (person.status === 'pending') {
    return grantByList(tx, person.id, { role: listedAsAdmin ? 'admin' : 'member', at: clock() })
  }
  if (person.status === 'approved' && listedAsAdmin && person.role !== 'admin') await makeAdminByList(tx, person.id)
  return false
}

async function reread(tx: Tx, id: number): Promise<PersonRow> {
  const person = await personById(tx, id)
  if (!person) throw new Error('The person was deleted within this transaction')
  return person
}

const LONGEST = 40

/** The e-mail's local part, reduced to the characters of a mention: letters, digits, dots and underscores. */
export function usernameFrom(email: string): string {
  const local = email.split('@')[0] ?? ''
  const kept = local
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9._]/g, '')
    .replace(/\.{2,}/g, '.')
    .slice(0, LONGEST)
    // A trailing dot ends the sentence and not the mention, so no username may end in one.
    .replace(/^\.+|\.+$/g, '')
  return kept || 'member'
}

export function firstFree(wanted: string, taken: ReadonlySet<string>): string {
  if (!taken.has(wanted)) return wanted
  for (let number = 2; ; number++) {
    const name = `${wanted}${number}`
    if (!taken.has(name)) return name
  }
}
