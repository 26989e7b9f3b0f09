import { createHash, randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { vi } from 'vitest'
import { addAlbumComment, createAlbum } from '#contract/albums.ts'
import { whoAmI } from '#contract/auth.ts'
import { addToGroup, createGroup, sendMessage, startDirect } from '#contract/chat.ts'
import { createFolder } from '#contract/folders.ts'
import { createInvitation } from '#contract/invitations.ts'
import { session } from '#contract/limits.ts'
import { deleteMedia, requestZip } from '#contract/media.ts'
import { listMedia } from '#contract/media-list.ts'
import { addNote } from '#contract/notes.ts'
import { listNotifications } from '#contract/notifications.ts'
import { revokePerson } from '#contract/people.ts'
import { addTag } from '#contract/tags.ts'
import { type CreatedLink, makeLink, makeUploadLink, openedBy, senderOf } from '../fixtures/guests.ts'
import { makePicture } from '../fixtures/pictures.ts'
import { beginResumable, sendResumable, untilPrepared, uploadFile } from '../fixtures/uploads.ts'
import { type Engine, type Library, type SignedIn, startLibrary } from '../library.ts'
import { registeredRoutes } from '../registered-routes.ts'
import { ChangeDetector, type Protected } from './change-detector.ts'
import { canary } from './hostile-values.ts'
import { type RawAnswer, RawClient, type RawRequest } from './raw-client.ts'
import type { IdsFor } from './schema-inputs.ts'

/** Callers without a valid session, most with some kind of token. */
export const outsiders = [
  'nobody',
  'garbage token',
  'malformed header',
  'expired session',
  'signed out',
  'pending',
  'denied',
  'revoked',
  'demo account',
] as const
export const insiders = ['viewer', 'member', 'admin'] as const
export type Caller = (typeof outsiders)[number] | (typeof insiders)[number]

/** Written into data of another person. No response to anybody else may contain it. */
const marker = `secret${randomBytes(6).toString('hex')}`
const address = `address-${randomBytes(6).toString('hex')}`

export interface Secret {
  text: string
  mayBeSeenBy: readonly Caller[]
}

/** A library with data of several people, and all attackers. */
export interface Target {
  readonly library: Library
  readonly client: RawClient
  readonly changeDetector: ChangeDetector
  readonly routes: readonly string[]
  readonly member: SignedIn
  readonly admin: SignedIn
  readonly victim: SignedIn
  readonly secrets: readonly Secret[]
  readonly guarded: Protected
  readonly guardedBefore: string
  /** Existing ids that members may use. */
  readonly idsFor: IdsFor
  /** Ids of conversations, notifications and messages that the attackers may not see. */
  readonly anothersIds: readonly number[]
  readonly uploads: { victimsUnfinished: string; victimsFinished: string }
  /** The URL of a ZIP that the victim ordered. */
  readonly zipUrl: string
  /** A link of the victim, and the cookie of a guest who has opened it. */
  readonly link: { id: number; fileId: number; otherFileId: number; session: string; anothersSession: string }
  /** An upload link of the victim, and the cookies of a guest who has sent a file. */
  readonly uploadLink: { id: number; uploadId: number; session: string; guest: string }
  readonly fileUrl: string
  readonly avatarUrl: string
  /** A pagination cursor of the list of all files. */
  readonly cursor: string
  send(caller: Caller, request: RawRequest): Promise<RawAnswer>
  /** Creates the initial data again, next to what is left. */
  plantAgain(): Promise<void>
  /** Restores people and sessions that an attack ended. */
  repair(): Promise<void>
  close(): Promise<void>
}

export const metricsToken = 'm'.repeat(32)

/** `add` registers additional routes. */
export async function openTarget(engine: Engine, add?: (app: FastifyInstance) => void): Promise<Target> {
  const { library, routes } = await registeredRoutes(async () => {
    const started = await startLibrary({ engine, environment: { METRICS_TOKEN: metricsToken, LOG_LEVEL: 'error' } })
    await leaveDemoAccount(started)
    return started
  }, add)
  const client = new RawClient(library.url)
  const changeDetector = await ChangeDetector.open(library)
  const [admin, member] = [await library.signInAs('ada'), await library.signInAs('ben')]
  library.provider.files.set('/vera', await makePicture())
  const picture = new URL('/vera', library.provider.issuer).href
  const victim = await library.newMember({ name: 'Vera', email: `${address}@elsewhere.example`, picture })
  const friend = await library.newMember({ name: 'Frida' })
  const viewer = await library.newViewer()
  const headers = await authorizations(library, { admin, member, viewer })
  const canaryFile = join(dirname(library.config.dataFolder), canary.name)
  await writeFile(canaryFile, canary.text)

  async function plant() {
    const things = await plantThings(library, { admin, member, victim, friend })
    await changeDetector.state()
    // Admins can have variants made again; everything else must stay unchanged.
    const files = (await changeDetector.files()).filter(path => !path.includes('variants/'))
    const guarded = { queries: things.queries, files }
    return { ...things, guarded, guardedBefore: await changeDetector.fingerprint(guarded) }
  }

  async function repair() {
    for (const { token, person } of [viewer, admin, member, victim, friend]) {
      const id = await library.idOf(person)
      const role = person === viewer.person ? 'viewer' : person === admin.person ? 'admin' : 'member'
      await library.rows(`update people set status = 'approved', role = '${role}' where id = ${id}`)
      await insertSession(library, { token, personId: id })
    }
  }

  let writes = 0
  const target: Target = {
    library,
    client,
    changeDetector,
    routes,
    member,
    admin,
    victim,
    secrets: [
      { text: marker, mayBeSeenBy: [] },
      { text: canary.text, mayBeSeenBy: [] },
      { text: victim.token, mayBeSeenBy: [] },
      { text: address, mayBeSeenBy: ['admin'] },
    ],
    ...(await plant()),
    async send(caller, request) {
      // The write rate limit per account is tested elsewhere.
      if (request.method !== 'GET' && ++writes % 400 === 0) library.pass(60_000)
      const authorization = headers[caller]
      return client.send({ ...request, headers: { ...(authorization ? { authorization } : {}), ...request.headers } })
    },
    async plantAgain() {
      await repair()
      Object.assign(target, await plant())
    },
    repair,
    async close() {
      client.close()
      await changeDetector.close()
      await library.close()
      await rm(canaryFile, { force: true })
    },
  }
  return target
}

interface People {
  admin: SignedIn
  member: SignedIn
  victim: SignedIn
  friend: SignedIn
}

async function plantThings(library: Library, { admin, member, victim, friend }: People) {
  const idOf = ({ person }: SignedIn) => library.idOf(person)
  const [adminId, memberId, friendId, victimId] = await Promise.all([admin, member, friend, victim].map(idOf))
  if (!adminId || !memberId || !friendId || !victimId) throw new Error('Somebody is missing')

  const photo = await uploadFile(victim, { name: 'lake.jpg' })
  await untilPrepared(victim, photo.id)
  const second = await uploadFile(victim, { name: 'old.jpg' })
  await untilPrepared(victim, second.id)
  const deleted = await uploadFile(victim, { name: 'deleted.jpg' })
  await untilPrepared(victim, deleted.id)
  await admin.call(deleteMedia, { params: { id: deleted.id } })
  const folder = await member.call(createFolder, { body: { name: `Lake ${photo.id}` } })
  const tag = await member.call(addTag, { params: { id: photo.id }, body: { tagName: 'summer' } })
  const album = await member.call(createAlbum, { body: { title: 'Lakes', fileIds: [photo.id, second.id] } })
  const commented = { params: { id: album.id }, body: { content: 'So blue' } }
  const comment = await member.call(addAlbumComment, commented)
  const invitation = await inviteSomebody(admin)
  const note = await member.call(addNote, { params: { id: photo.id }, body: { content: 'How lovely' } })

  const own = await member.call(createGroup, { body: { title: 'Ours', participantIds: [adminId, friendId] } })
  await friend.call(sendMessage, { params: { id: own.id }, body: { content: 'Hello' } })
  const direct = await victim.call(startDirect, { body: { otherUserId: friendId } })
  const message = await friend.call(sendMessage, { params: { id: direct.id }, body: { content: `Psst ${marker}` } })
  const group = await victim.call(createGroup, { body: { title: marker, participantIds: [friendId, memberId] } })
  // The member has left the group, so nothing of it may be visible to them.
  await member.fetch(`/api/conversations/${group.id}/leave`, { method: 'POST' })
  await victim.call(addToGroup, { params: { id: group.id }, body: { participantIds: [friendId] } })
  await victim.call(sendMessage, { params: { id: group.id }, body: { content: `All of you: ${marker}` } })

  const link = await makeLink(victim, { fileIds: [photo.id], title: address })
  const anothersLink = await makeLink(friend, { fileIds: [second.id] })
  const sessionOf = async (made: CreatedLink) => (await openedBy(library, made)).browser.cookie('heirloom_link') ?? ''
  const sessions = { session: await sessionOf(link), anothersSession: await sessionOf(anothersLink) }

  const collecting = await victim.call(createAlbum, { body: { title: 'Wedding' } })
  const madeForUploads = await makeUploadLink(victim, collecting.id)
  const sender = await senderOf(library, madeForUploads, 'Tom')
  const sent = await sender.send('cake.jpg', await makePicture({ width: 99 }))
  const cookie = (name: string) => sender.guest.browser.cookie(name) ?? ''
  const uploadLink = {
    id: madeForUploads.id,
    uploadId: sent.id,
    session: cookie('heirloom_link'),
    guest: cookie('heirloom_guest'),
  }

  await library.signIn('kofi')
  const notifications = async (person: SignedIn) => (await person.call(listNotifications, { query: {} })).map(n => n.id)
  const anothersNotifications = [...(await notifications(victim)), ...(await notifications(friend))]
  const own2 = [...(await notifications(member)), ...(await notifications(admin))]
  const conversations = `(${direct.id}, ${group.id})`
  const people = [adminId, memberId, friendId, victimId, await library.idOf('kofi')]
  const known: [name: RegExp, ids: number[]][] = [
    [/conversation|messages/, [own.id]],
    [/link|shared/, [link.id]],
    [/notification/, own2],
    [/album/, [album.id]],
    [/comment/, [comment.id]],
    [/invitation/, [invitation.id]],
    [/tag_?id/i, [tag.id]],
    [/folder|parent/i, [folder.id]],
    [/user|participant|person/i, [friendId, victimId, ...people]],
    [/deleted|restore/, [deleted.id]],
    [/media|file|^first$|^last$/i, [photo.id, second.id]],
    [/note/, [note.id]],
    [/tag/, [tag.id]],
  ]
  const all = [...new Set([...known.flatMap(([, ids]) => ids), message.id, 1, 2, 3])]
  const { next_cursor } = await member.call(listMedia, { query: { limit: 1 } })
  const zip = await victim.call(requestZip, { body: { fileIds: [photo.id] } })
  return {
    idsFor: (name: string) => known.find(([pattern]) => pattern.test(name))?.[1] ?? all,
    anothersIds: [direct.id, group.id, ...anothersNotifications, message.id],
    uploads: {
      victimsUnfinished: (await beginResumable(victim, 10)).split('/').at(-1) ?? '',
      victimsFinished: await sendResumable(victim, Buffer.from('not yet taken')),
    },
    zipUrl: zip.url,
    uploadLink,
    link: { id: link.id, fileId: photo.id, otherFileId: second.id, ...sessions },
    fileUrl: photo.download_url,
    avatarUrl: await avatarOf(victim),
    cursor: next_cursor ?? '',
    queries: [
      `select * from conversations where id in ${conversations} order by id`,
      `select * from participants where conversation_id in ${conversations} order by conversation_id, person_id`,
      `select * from messages where conversation_id in ${conversations} order by id`,
      notificationsQuery(anothersNotifications),
      `select * from zip_downloads where person_id = ${victimId} order by token_hash`,
      // Admins may change the rest.
      `select id, token_hash, created_at from links where created_by = ${victimId} order by id`,
      `select * from guests where link_id = ${uploadLink.id} order by id`,
      `select id, guest_id, size, media_id from guest_uploads where link_id = ${uploadLink.id} order by id`,
      // Admins may end it, but nobody changes whom it lets in.
      `select id, token_hash, email, role, auto_approve, uses, expires_at from invitations where id = ${invitation.id}`,
      'select name, value from settings order by name',
      'select id, issuer, subject, email from people order by id',
      // Admins give roles to others; nobody becomes one in another way, and a deactivated account stays as it is.
      `select id, role from people where issuer = 'demo' order by id`,
      `select id from people where role = 'admin' and role_given_by is null and id <> ${adminId} order by id`,
    ],
  }
}

async function inviteSomebody(admin: SignedIn) {
  const body = { email: null, role: 'viewer', auto_approve: true } as const
  const { invitation } = await admin.call(createInvitation, { body })
  return invitation
}

/**
 * The complete notifications. The one that aggregates hearts changes with every heart, and those of guests' files are read
 * for everybody once a member has decided on the last one.
 */
function notificationsQuery(ids: readonly number[]): string {
  return `select * from notifications where id in (${ids.join()}) and subject not in ('hearts', 'guests') order by id`
}

/** A demo admin from before a provider was configured, which the restart deactivates. */
async function leaveDemoAccount(library: Library): Promise<void> {
  const { person } = await library.newMember()
  await library.rows(`update people set issuer = 'demo', role = 'admin' where subject = '${person.subject}'`)
  await library.restart()
}

/** Waits for the job that copies it from the provider. */
async function avatarOf(person: SignedIn): Promise<string> {
  return vi.waitUntil(async () => (await person.call(whoAmI)).avatar_url, { timeout: 60_000, interval: 100 })
}

/** The `Authorization` header of each caller. Sessions that no call creates are set up in the database. */
async function authorizations(
  library: Library,
  { admin, member, viewer }: Pick<People, 'admin' | 'member'> & { viewer: SignedIn },
): Promise<Record<Caller, string | undefined>> {
  const bearer = ({ token }: { token: string }) => `Bearer ${token}`
  const withStatus = async (status: string) => {
    const { token, person } = await library.newMember()
    await library.rows(`update people set status = '${status}' where subject = '${person.subject}'`)
    return `Bearer ${token}`
  }
  const revoked = await library.newMember()
  await admin.call(revokePerson, { params: { id: await library.idOf(revoked.person) } })
  const signedOut = await library.newMember()
  await signedOut.fetch('/auth/logout', { method: 'POST' })
  const demo = randomBytes(32).toString('base64url')
  const [demoAccount] = await library.rows(`select id from people where issuer = 'demo'`)
  await insertSession(library, { token: demo, personId: Number(demoAccount?.id) })
  const expired = randomBytes(32).toString('base64url')
  const createdAt = library.now() - session.absolute - 1_000
  await insertSession(library, { token: expired, personId: await library.idOf(member.person), createdAt })
  return {
    nobody: undefined,
    'garbage token': `Bearer ${'q'.repeat(43)}`,
    'malformed header': `Bearer ${member.token} , Bearer ${admin.token}`,
    'expired session': `Bearer ${expired}`,
    'signed out': bearer(signedOut),
    pending: await withStatus('pending'),
    denied: await withStatus('denied'),
    revoked: bearer(revoked),
    'demo account': `Bearer ${demo}`,
    viewer: bearer(viewer),
    member: bearer(member),
    admin: bearer(admin),
  }
}

async function insertSession(
  library: Library,
  { token, personId, createdAt = library.now() }: { token: string; personId: number; createdAt?: number },
): Promise<void> {
  const hash = createHash('sha256').update(token).digest('hex')
  await library.rows(
    `insert into sessions (token_hash, person_id, created_at, last_used_at) values ('${hash}', ${personId}, ${createdAt}, ${library.now()}) on conflict do nothing`,
  )
}
