import type { ParsedInput } from '#contract/endpoint.ts'
import { DAY, links as limits } from '#contract/limits.ts'
import {
  type CreatedLink,
  type Link,
  type LinkOptions,
  sharedPagePath,
  type UploadLinkOptions,
  type updateLink as updateLinkEndpoint,
} from '#contract/links.ts'
import { can } from '#contract/rights.ts'
import { recordAudit } from '../audit/public.ts'
import type { Database } from '../db/database.ts'
import type { PageBefore } from '../db/newest-first.ts'
import type { NewLink, Tx } from '../db/schema.ts'
import { defineJob, type Queue } from '../jobs/queue.ts'
import type { Clock } from '../kit/clock.ts'
import { AppError } from '../kit/errors.ts'
import { setLru } from '../kit/lru.ts'
import type { Caller } from '../kit/serve.ts'
import type { TokenEncryption } from '../kit/token-encryption.ts'
import { hashToken, newToken } from '../kit/tokens.ts'
import { announce } from '../live/announce.ts'
import { enqueueCopyForGuests, lockActiveMedia, noSuchAlbum, noSuchFile } from '../media/public.ts'
import { personById } from '../people/public.ts'
import type { Storage } from '../storage/storage.ts'
import {
  countLinksOf,
  deleteOldLinks,
  findAlbumOfLink,
  insertLink,
  type LinkScope,
  type LinkWithAlbum,
  lockLink,
  selectLinks,
  setAllEnded,
  setEnded,
  updateLinkRow,
} from './links.sql.ts'
import { hashPassword } from './password.ts'
import { type PresentDeps, presentLink, presentLinks } from './present.ts'
import { findVideosToCopy } from './shared-files.sql.ts'

export interface LinkDeps {
  db: Database
  clock: Clock
  queue: Queue
  storage: Storage
  tokenEncryption: TokenEncryption
  publicUrl: URL
  /** When the copy of each video was requested last: one that cannot be made must not be tried by every guest. */
  requested: Map<number, number>
}

export type Creator = Pick<Caller, 'id' | 'role'>

/** Admins manage every link, others those that they made, and who may change an album also those that show it. */
function manageableBy({ id, role }: Creator): LinkScope {
  return can(role, 'links.manage-others') ? 'anyone' : { personId: id, ofTheirAlbums: can(role, 'albums.edit') }
}

type Shown = { fileIds: readonly number[] } | { albumId: number } | { uploadAlbumId: number }

/** A link with the secret of its address. */
export interface LinkWithToken {
  link: LinkWithAlbum
  token: string
}

export async function createLink(
  deps: LinkDeps,
  caller: Creator,
  shown: Shown,
  wanted: LinkOptions & Partial<UploadLinkOptions>,
): Promise<CreatedLink> {
  const { db, clock } = deps
  // Before the transaction, in which only the database is awaited.
  const password_hash = wanted.password === undefined ? null : await hashPassword(wanted.password)
  const { title = null, days, originals, max_files = null, max_bytes = null } = wanted
  const created_at = clock()
  const expires_at = days === null ? null : created_at + days * DAY
  const chosen = { originals: originals ? 1 : 0, captions: wanted.captions ? 1 : 0 }
  const values = { created_at, title, password_hash, expires_at, ...chosen, max_files, max_bytes }
  return presentMade(deps, await db.transaction(tx => makeLink(deps, tx, caller, shown, values)))
}

type LinkValues = Pick<
  NewLink,
  | 'created_at'
  | 'title'
  | 'password_hash'
  | 'expires_at'
  | 'originals'
  | 'captions'
  | 'max_files'
  | 'max_bytes'
  | 'quick'
>

export async function makeLink(
  { db, tokenEncryption }: Pick<LinkDeps, 'db' | 'tokenEncryption'>,
  tx: Tx,
  caller: Creator,
  shown: Shown,
  values: LinkValues,
): Promise<LinkWithToken> {
  // Somebody who loses access at the same moment must not leave a link behind.
  await db.advisoryLock(tx, 'admins')
  const creator = await personById(tx, caller.id)
  if (creator?.status !== 'approved' || !can(creator.role, 'links.make')) throw mayNotShare()
  if ((await countLinksOf(tx, caller.id)) >= limits.perPerson) {
    throw new AppError('conflict', 'links.manyLinks', { count: limits.perPerson })
  }
  const album = 'albumId' in shown ? await findAlbumOfLink(tx, shown.albumId) : null
  const uploadAlbum = 'uploadAlbumId' in shown ? await findAlbumOfLink(tx, shown.uploadAlbumId) : null
  if (album === undefined || uploadAlbum === undefined) throw noSuchAlbum()
  if (uploadAlbum && uploadAlbum.search !== null) throw new AppError('conflict', 'albums.fillsItself')
  const files = 'fileIds' in shown ? await lockActiveMedia(db, tx, shown.fileIds) : []
  if ('fileIds' in shown && files.length === 0) throw noSuchFile()
  const token = newToken()
  const row = await insertLink(
    tx,
    {
      ...values,
      token_hash: hashToken(token),
      album_id: album?.id ?? null,
      created_by: caller.id,
      upload_album_id: uploadAlbum?.id ?? null,
      max_files: uploadAlbum && (values.max_files ?? null),
      max_bytes: uploadAlbum && (values.max_bytes ?? null),
    },
    files.map(file => file.id),
  )
  const encrypted_token = tokenEncryption.encrypt(token, tokenSubject(row.id))
  await updateLinkRow(tx, row.id, { encrypted_token })
  const link = { ...row, encrypted_token, album, uploadAlbum }
  await recordLinkChange(db, tx, { link, actorId: caller.id, act: 'link.create', at: values.created_at })
  return { link, token }
}

/** What a secret is encrypted with, so that the text of one link is of no use in another. */
export function tokenSubject(linkId: number): string {
  return `link ${linkId}`
}

export async function presentMade(deps: LinkDeps, { link, token }: LinkWithToken): Promise<CreatedLink> {
  await requestCopies(deps, link)
  return { ...(await presentLink(deps, link)), url: addressOf(deps, link.id, token) }
}

export function addressOf({ publicUrl }: Pick<LinkDeps, 'publicUrl'>, id: number, token: string): string {
  return new URL(`${sharedPagePath}#${id}.${token}`, publicUrl).href
}

export function noSuchLink(): AppError {
  return new AppError('not_found', 'links.missing')
}

function mayNotShare(): AppError {
  return new AppError('forbidden', 'links.mayNotShare')
}

const MAX_REQUESTED = 10_000
/** A guest's request must not queue an album of thousands; guests ask again while videos are missing. */
const MAX_PER_REQUEST = 100
const REQUEST_AGAIN_AFTER = DAY / 24

/** Has the videos of a link copied that guests cannot see yet. */
export async function requestCopies(
  { db, queue, clock, requested }: Omit<LinkDeps, 'publicUrl' | 'storage' | 'tokenEncryption'>,
  link: LinkWithAlbum,
): Promise<void> {
  const now = clock()
  const isDue = (id: number) => now - (requested.get(id) ?? Number.NEGATIVE_INFINITY) > REQUEST_AGAIN_AFTER
  const due = (await findVideosToCopy(db, link)).filter(isDue).slice(0, MAX_PER_REQUEST)
  if (due.length === 0) return
  await db.transaction(async tx => {
    for (const id of due) await enqueueCopyForGuests(queue, tx, id, link.created_by)
  })
  for (const id of due) setLru(requested, MAX_REQUESTED, id, now)
}

export async function listLinks(deps: PresentDeps, caller: Creator, page: PageBefore): Promise<Link[]> {
  return presentLinks(deps, await selectLinks(deps.db.query, manageableBy(caller), page))
}

export async function changeLink(
  { db, clock, storage, tokenEncryption }: PresentDeps & Pick<LinkDeps, 'clock'>,
  caller: Creator,
  id: number,
  { ended, expected, ...options }: ParsedInput<typeof updateLinkEndpoint>['body'],
): Promise<Link> {
  // Before the transaction, in which only the database is awaited.
  const password_hash = options.password ? await hashPassword(options.password) : options.password
  const changed = await db.transaction(async tx => {
    const row = await lockLink(db, tx, manageableBy(caller), id)
    if (!row) throw noSuchLink()
    const { captions: wereShown = row.captions === 1 } = expected ?? {}
    const isOther = expected && (expected.title !== row.title || expected.originals !== (row.originals === 1))
    if (isOther || wereShown !== (row.captions === 1)) {
      throw new AppError('conflict', 'links.changedSince')
    }
    const albumOf = async (albumId: number | null) =>
      albumId === null ? null : ((await findAlbumOfLink(tx, albumId)) ?? null)
    const link = { ...row, album: await albumOf(row.album_id), uploadAlbum: await albumOf(row.upload_album_id) }
    const now = clock()
    const { title, days, originals, captions } = options
    const change = {
      ...(title === undefined ? {} : { title }),
      ...(password_hash === undefined ? {} : { password_hash }),
      ...(days === undefined ? {} : { expires_at: days === null ? null : now + days * DAY }),
      ...(originals === undefined ? {} : { originals: originals ? 1 : 0 }),
      ...(captions === undefined ? {} : { captions: captions ? 1 : 0 }),
    }
    if (Object.keys(change).length > 0) {
      if (!can(caller.role, 'links.make')) throw mayNotShare()
      if (link.created_by !== caller.id && !can(caller.role, 'links.manage-others')) {
        throw new AppError('forbidden', 'links.notYours')
      }
      await updateLinkRow(tx, id, change)
      await recordLinkChange(db, tx, { link, actorId: caller.id, at: now, act: 'link.update' })
    }
    const updated = { ...link, ...change }
    return ended === undefined ? updated : setLinkEnded({ db }, tx, caller, updated, { ended, now })
  })
  return presentLink({ db, storage, tokenEncryption }, changed)
}

/** Idempotent. Only who ended a link can take that back, so that nobody reopens what an admin ended. */
async function setLinkEnded(
  { db }: Pick<LinkDeps, 'db'>,
  tx: Tx,
  caller: Creator,
  link: LinkWithAlbum,
  { ended, now }: { ended: boolean; now: number },
): Promise<LinkWithAlbum> {
  if ((link.ended_at !== null) === ended) return link
  if (!ended && !can(caller.role, 'links.make')) throw mayNotShare()
  if (!ended && link.ended_by !== caller.id) {
    throw new AppError('conflict', 'links.endedByAnother')
  }
  await setEnded(tx, link.id, ended ? { at: now, by: caller.id } : null)
  await recordLinkChange(db, tx, { link, actorId: caller.id, at: now, act: ended ? 'link.end' : 'link.reopen' })
  return { ...link, ended_at: ended ? now : null, encrypted_token: null }
}

/** Ends all links of a person who lost access. */
export async function endLinksOf(
  { db, clock }: Pick<LinkDeps, 'db' | 'clock'>,
  tx: Tx,
  personId: number,
  adminId: number,
): Promise<void> {
  const links = await selectLinks(tx, { personId, ofTheirAlbums: false }, { limit: limits.perPerson })
  if (links.length === 0) return
  const at = clock()
  await setAllEnded(tx, personId, { at, by: adminId })
  await recordAudit(
    tx,
    links.map(link => auditEntry({ link, actorId: adminId, act: 'link.end', at })),
  )
  await announce(db, tx, { kind: 'links' }, 'everyone')
}

interface LinkChange {
  link: LinkWithAlbum
  actorId: number
  act: 'link.create' | 'link.update' | 'link.end' | 'link.reopen' | 'link.show'
  at: number
}

export async function recordLinkChange(db: Database, tx: Tx, change: LinkChange): Promise<void> {
  await recordAudit(tx, [auditEntry(change)])
  await announce(db, tx, { kind: 'links' }, 'everyone')
}

/** Names the link by its title: never by its address, which is a secret. */
export function auditEntry({ link, actorId, act, at }: LinkChange) {
  const name = link.title ?? link.album?.title ?? link.uploadAlbum?.title ?? 'some files'
  return { at, actorId, act, subject: { type: 'link', id: link.id }, before: { name } }
}

const cleanUp = defineJob<null>('links.clean-up', { everyMs: DAY / 24 })

/** Deletes what ended or expired a while ago. */
export function handleLinkJobs(queue: Queue, { db, clock }: Pick<LinkDeps, 'db' | 'clock'>): void {
  queue.handle(cleanUp, { run: () => deleteOldLinks(db.query, clock() - limits.keptAfterEnd) })
}
