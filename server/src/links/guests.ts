import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Answer, ParsedInput } from '#contract/endpoint.ts'
import { links as limits, rateLimits } from '#contract/limits.ts'
import type {
  GuestFile,
  openShared as openSharedEndpoint,
  SharedLink,
  SharedSize,
  sharedFiles as sharedFilesEndpoint,
} from '#contract/links.ts'
import type { PartKind, Tx } from '../db/schema.ts'
import { toIso } from '../kit/clock.ts'
import { AppError } from '../kit/errors.ts'
import type { KeyedMutex } from '../kit/keyed-mutex.ts'
import type { OpenRequests } from '../kit/open-requests.ts'
import type { RateLimiter } from '../kit/rate-limiter.ts'
import type { Scratch } from '../kit/safe-path.ts'
import { hashToken } from '../kit/tokens.ts'
import {
  type Archive,
  type ArchivedFile,
  createUniqueNames,
  openArchive,
  shownEdtf,
  type ZipSlot,
  type ZipSlots,
  zipsOfEverybody,
} from '../media/public.ts'
import type { GuestMutex, WaitingGuest } from './guest-mutex.ts'
import {
  addView,
  countLinkFiles,
  findGuest,
  findOpenLink,
  findPasswordHash,
  idsOfOpenLinks,
  type LinkWithAlbum,
} from './links.sql.ts'
import { type LinkDeps, requestCopies } from './links.ts'
import { isPassword } from './password.ts'
import { checkPassword } from './password-attempts.ts'
import {
  findPartsToZip,
  findSharedPart,
  type SharedPart,
  selectSharedFiles,
  selectSharedIds,
} from './shared-files.sql.ts'

/** What it takes to know whether a browser has opened a link. */
export type GuestSessionDeps = Pick<GuestDeps, 'db' | 'clock' | 'secret'>

export interface GuestDeps extends Omit<LinkDeps, 'publicUrl'> {
  limiter: RateLimiter
  /** Signs the cookies of browsers that have opened a link. */
  secret: Buffer
  withMutex: GuestMutex
  passwordMutex: KeyedMutex<string>
}

/** What a request says about its sender. */
export interface GuestBrowser extends WaitingGuest {
  /** The /48 network of an IPv6 address. */
  network: string | undefined
  guestSession: string | undefined
  guestId: string | undefined
}

/** The same for every reason, so that nobody learns which links exist. */
function linkNotFound(): AppError {
  return new AppError('not_found', 'links.ended')
}

/** Registers a long request of a guest, which ends with its link. */
export function endsWithLink(
  guestRequests: OpenRequests,
  linkId: number,
  request: FastifyRequest,
  reply: FastifyReply,
): AbortSignal {
  return guestRequests.register({ id: 0, sessionId: String(linkId) }, request, reply, linkNotFound)
}

/** The open ones among these links, as `endsWithLink` registers them. */
export async function openLinkSessions(
  { db, clock }: Pick<GuestDeps, 'db' | 'clock'>,
  sessionIds: readonly string[],
): Promise<ReadonlySet<string>> {
  return new Set((await idsOfOpenLinks(db.query, sessionIds.map(Number), clock())).map(String))
}

/** Until when a browser may read a link, and the value of its cookie. */
export interface GuestSession {
  value: string
  ttlMs: number
}

/**
 * Checks the secret of the address and the password. The session replaces both in the requests that follow, each of
 * which also checks that the link is still open.
 */
export async function openShared(
  deps: GuestDeps,
  id: number,
  { token, password }: ParsedInput<typeof openSharedEndpoint>['body'],
  browser: GuestBrowser,
): Promise<{ answer: Answer<typeof openSharedEndpoint>; guestSession: GuestSession | undefined }> {
  const { db, clock, limiter } = deps
  await limiter.hit(`link-open:address:${browser.address}`, rateLimits.linksOpened)
  const now = clock()
  const link = await findOpenLink(db.query, id, now)
  if (!link || !isEqual(hashToken(token), link.token_hash)) throw linkNotFound()
  // Opening it again, as a reload does, needs no password and is no new visit.
  const isOpened = isGuestSession(deps, link, browser.guestSession)
  if (link.password_hash !== null && !isOpened) {
    if (password === undefined) return { answer: { link: null }, guestSession: undefined }
    const { password_hash } = link
    if (!(await checkPassword(deps, id, browser, () => isPassword(password, password_hash))))
      throw new AppError('forbidden', 'links.wrongPassword')
  }
  if (!isOpened) await addView(db.query, id, now)
  // Never renewed, so that every visitor counts once a day.
  return {
    answer: {
      link: await deps.withMutex(browser, () => presentLink(deps, link, readGuestId(deps, id, browser.guestId))),
    },
    guestSession: isOpened ? undefined : issueGuestSession(deps, link),
  }
}

function issueGuestSession({ clock, secret }: Pick<GuestDeps, 'clock' | 'secret'>, link: LinkWithAlbum): GuestSession {
  const expiry = clock() + limits.guestSessionTtl
  return { value: `${expiry}.${signSession(secret, link, expiry)}`, ttlMs: limits.guestSessionTtl }
}

function isGuestSession(
  { clock, secret }: Pick<GuestDeps, 'clock' | 'secret'>,
  link: SignedLink,
  guestSession: string | undefined,
) {
  const [, expiry, signature] = /^(\d{1,15})\.([\w-]{43})$/.exec(guestSession ?? '') ?? []
  if (expiry === undefined || signature === undefined) return false
  return isEqual(signature, signSession(secret, link, expiry)) && Number(expiry) > clock()
}

type SignedLink = Pick<LinkWithAlbum, 'id' | 'password_hash'>

/** With its password: another one ends the sessions of all guests. */
function signSession(secret: Buffer, { id, password_hash }: SignedLink, expiry: number | string): string {
  return sign(secret, `${id}.${expiry}.${password_hash ?? ''}`)
}

function sign(secret: Buffer, subject: string): string {
  return createHmac('sha256', secret).update(subject).digest('base64url')
}

function isEqual(given: string, expected: string): boolean {
  return given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected))
}

/** The same refusal with and without such a link, so that nobody without the secret learns which links exist. */
async function openLink(deps: GuestSessionDeps, id: number, guestSession: string | undefined): Promise<LinkWithAlbum> {
  const password_hash = await findPasswordHash(deps.db.query, id)
  if (!isGuestSession(deps, { id, password_hash }, guestSession)) {
    throw new AppError('forbidden', 'links.openAgain')
  }
  const link = await findOpenLink(deps.db.query, id, deps.clock())
  if (!link) throw linkNotFound()
  return link
}

/** Not for upload links, whose guests see no files but their own. */
async function openShowingLink(deps: GuestDeps, id: number, guestSession: string | undefined): Promise<LinkWithAlbum> {
  const link = await openLink(deps, id, guestSession)
  if (link.uploadAlbum) throw linkNotFound()
  return link
}

export interface UploadLink {
  id: number
  albumId: number
  createdBy: number
  maxFiles: number
  maxBytes: number
}

/** Only upload links. */
export async function openUploadLink(
  deps: GuestSessionDeps,
  id: number,
  guestSession: string | undefined,
): Promise<UploadLink> {
  return asUploadLink(await openLink(deps, id, guestSession))
}

/** The same in a transaction, for a link that this browser has opened: it may have ended since. */
export async function requireOpenLink(tx: Tx, id: number, now: number): Promise<UploadLink> {
  return asUploadLink(await findOpenLink(tx, id, now))
}

function asUploadLink(link: LinkWithAlbum | undefined): UploadLink {
  if (!link?.uploadAlbum || link.max_files === null || link.max_bytes === null) throw linkNotFound()
  const { id, uploadAlbum, created_by: createdBy, max_files: maxFiles, max_bytes: maxBytes } = link
  return { id, albumId: uploadAlbum.id, createdBy, maxFiles, maxBytes }
}

/** The value of the cookie by which a browser proves which guest of an upload link it is. */
export function issueGuestId({ secret }: Pick<GuestDeps, 'secret'>, linkId: number, guestId: number): string {
  return `${guestId}.${sign(secret, `guest ${linkId}.${guestId}`)}`
}

export function readGuestId(
  { secret }: Pick<GuestDeps, 'secret'>,
  linkId: number,
  cookie: string | undefined,
): number | undefined {
  const [, guestId, signature] = /^([1-9]\d{0,14})\.([\w-]{43})$/.exec(cookie ?? '') ?? []
  if (guestId === undefined || signature === undefined) return undefined
  return isEqual(signature, sign(secret, `guest ${linkId}.${guestId}`)) ? Number(guestId) : undefined
}

async function presentLink({ db }: GuestDeps, link: LinkWithAlbum, guestId?: number): Promise<SharedLink> {
  const { id, album, expires_at, originals } = link
  const title = link.title ?? album?.title ?? link.uploadAlbum?.title ?? null
  const guest = guestId === undefined ? undefined : await findGuest(db.query, id, guestId)
  const file_count = (await countLinkFiles(db, [link])).get(id)?.files ?? 0
  return {
    id,
    title,
    file_count,
    by_day: album?.file_order !== 'manual',
    expires_at: expires_at === null ? null : toIso(expires_at),
    originals: originals === 1,
    uploads: link.uploadAlbum && { guest: guest?.name ?? null },
  }
}

export async function listSharedFiles(
  deps: GuestDeps,
  id: number,
  page: ParsedInput<typeof sharedFilesEndpoint>['query'],
  browser: GuestBrowser,
): Promise<Answer<typeof sharedFilesEndpoint>> {
  await openShowingLink(deps, id, browser.guestSession)
  return deps.withMutex(browser, async () =>
    presentFiles(deps, await openShowingLink(deps, id, browser.guestSession), page),
  )
}

async function presentFiles(
  deps: GuestDeps,
  link: LinkWithAlbum,
  page: ParsedInput<typeof sharedFilesEndpoint>['query'],
): Promise<Answer<typeof sharedFilesEndpoint>> {
  const ids = page.ids?.split(',').map(Number)
  const rows = await selectSharedFiles(deps.db, link, { ...page, ids })
  const presented = await presentLink(deps, link)
  const files = rows.map(
    ({ date_edtf, has_pictures, has_video, ...row }): GuestFile => ({
      ...row,
      date: shownEdtf(date_edtf),
      pictures: Boolean(has_pictures),
      video: Boolean(has_video),
    }),
  )
  if (files.some(file => file.file_type === 'video' && !file.video)) await requestCopies(deps, link)
  return { link: presented, files }
}

const partOf: Record<SharedSize, PartKind> = {
  thumbnail: 'thumbnail',
  mobile: 'mobile',
  website: 'website',
  desktop: 'desktop',
  video: 'shared',
  original: 'original',
}

/** A part of a file in this link, which must be open at this moment. */
export async function sharedPart(
  deps: GuestDeps,
  { id, file, size }: { id: number; file: number; size: SharedSize },
  browser: GuestBrowser,
): Promise<SharedPart> {
  const find = async (link: LinkWithAlbum) => {
    if (size === 'original' && link.originals !== 1) throw noOriginals()
    return findSharedPart(deps.db, link, { mediaId: file, kind: partOf[size] })
  }
  const open = () => openShowingLink(deps, id, browser.guestSession)
  const link = await open()
  const isSmart = link.album !== null && link.album.search !== null
  const part = await (isSmart ? deps.withMutex(browser, async () => find(await open())) : find(link))
  if (!part) throw new AppError('not_found', 'links.fileNotShown')
  return part
}

/** A ZIP of all files of a link, and its title. */
export async function sharedArchive(
  deps: GuestDeps & { scratch: Scratch; zipSlots: ZipSlots },
  id: number,
  originals: boolean,
  browser: GuestBrowser,
  response: ServerResponse,
): Promise<Archive & { title: string | null }> {
  const { db, storage, scratch } = deps
  const open = async () => {
    const link = await openShowingLink(deps, id, browser.guestSession)
    if (originals && link.originals !== 1) throw noOriginals()
    return link
  }
  const link = await open()
  await deps.limiter.hit(`link-zip:address:${browser.address}`, rateLimits.linkZips)
  const slot = deps.zipSlots.take(response, 'guests', [
    { key: `address ${browser.address}`, ...limits.zipsOfAddress },
    { key: `link ${id}`, ...limits.zipsOfLink },
    { key: 'guests', ...limits.zipsOfGuests },
    zipsOfEverybody,
  ])
  // Opened again after each wait, because the link may have ended during it.
  const ids = await deps.withMutex(browser, async () => selectSharedIds(db, await open()))
  slot.weigh(ids.length)
  const openSource = contentsIn(storage)
  const archive = await slot.prepare(async () => {
    await open()
    const parts = findPartsToZip(db.query, ids, originals)
    return openArchive(scratch, filesToZip(parts, slot), openSource)
  })
  return { ...archive, title: link.title ?? link.album?.title ?? null }
}

/** Not a closure in `sharedArchive`, which would keep the list of ids in memory for as long as the archive is read. */
function contentsIn(storage: GuestDeps['storage']): (key: string) => Promise<Readable> {
  return async key => (await storage.read(key)).stream
}

async function* filesToZip(
  found: AsyncIterable<readonly SharedPart[]>,
  slot: Pick<ZipSlot, 'throwIfGone'>,
): AsyncGenerator<ArchivedFile<string>[]> {
  const nameFor = createUniqueNames()
  let isEmpty = true
  for await (const parts of found) {
    slot.throwIfGone()
    isEmpty &&= parts.length === 0
    yield parts.map(part => {
      const { key, size, date_sort: wallClock } = part
      return { name: nameFor(nameForGuests(part)), size, wallClock, source: key }
    })
  }
  if (isEmpty) throw new AppError('not_found', 'links.nothingReady')
}

/** By its date: the file's own name is not for guests. */
export function nameForGuests({ date_edtf, key }: Pick<SharedPart, 'date_edtf' | 'key'>): string {
  const [day = '', time] = (shownEdtf(date_edtf) ?? 'Undated').split('T')
  const name = time === undefined ? periodOf(day) : `${day} ${time.slice(0, 8).replaceAll(':', '.')}`
  return `${name}${key.slice(key.lastIndexOf('.'))}`
}

/** The dots of an open interval would make a hidden file. */
function periodOf(edtf: string): string {
  const [from = '', to] = edtf.split('/')
  if (to === undefined) return from
  return from === '..' ? `until ${to}` : to === '..' ? `from ${from}` : `${from} to ${to}`
}

function noOriginals(): AppError {
  return new AppError('forbidden', 'links.noOriginals')
}

export const notIndexed = { 'x-robots-tag': 'noindex, nofollow' }

/** Each link has its own cookies, which browsers send to the addresses of that link alone. */
export function linkCookie({ protocol }: URL, kind: 'link' | 'guest') {
  const secure = protocol === 'https:'
  return {
    name: `${secure ? '__Secure-' : ''}heirloom_${kind}`,
    optionsFor: (id: number, ttlMs: number) =>
      ({ httpOnly: true, sameSite: 'strict', secure, path: `/shared/${id}`, maxAge: ttlMs / 1000 }) as const,
  }
}
