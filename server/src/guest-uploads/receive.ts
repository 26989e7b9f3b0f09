import type { Answer, ParsedInput } from '#contract/endpoint.ts'
import type {
  finishSentFile as finishEndpoint,
  listSentFiles as listEndpoint,
  nameGuest as nameEndpoint,
  SentFile,
} from '#contract/guest-uploads.ts'
import { guestUploads as limits, rateLimits } from '#contract/limits.ts'
import type { GuestRow, GuestUploadRow, Tx } from '../db/schema.ts'
import { toIso } from '../kit/clock.ts'
import { AppError } from '../kit/errors.ts'
import { type RateLimiter, TooManyRequests } from '../kit/rate-limiter.ts'
import type { Scratch } from '../kit/safe-path.ts'
import {
  findGuest,
  type GuestSessionDeps,
  issueGuestId,
  openUploadLink,
  readGuestId,
  stillOpen,
  type UploadLink,
} from '../links/public.ts'
import { announce } from '../live/announce.ts'
import {
  checkOriginal,
  type GuestSender,
  noPictures,
  noSuchUpload,
  ownerIdOfGuest,
  ownUpload,
  type ResumableUploads,
  type StoreUploadDeps,
  storeHidden,
  type UploadId,
} from '../media/public.ts'
import { notifyOfGuestUpload } from '../notifications/public.ts'
import {
  countGuests,
  deleteSending,
  findByUploadId,
  insertGuest,
  insertSending,
  markSent,
  renameGuest,
  renewSending,
  selectSent,
  usedOf,
} from './guest-uploads.sql.ts'

export interface ReceiveDeps extends StoreUploadDeps, GuestSessionDeps {
  scratch: Scratch
  resumable: ResumableUploads
  limiter: RateLimiter
}

/** What a request of a guest says about its sender. */
export interface GuestBrowser {
  address: string
  guestSession: string | undefined
  guestId: string | undefined
}

export async function nameGuest(
  deps: ReceiveDeps,
  linkId: number,
  { name }: ParsedInput<typeof nameEndpoint>['body'],
  browser: GuestBrowser,
): Promise<{ answer: Answer<typeof nameEndpoint>; guestId: string }> {
  const { db, clock, limiter } = deps
  await limiter.hit(`guest-name:address:${browser.address}`, rateLimits.guestsNamed)
  const link = await openUploadLink(deps, linkId, browser.guestSession)
  const known = readGuestId(deps, linkId, browser.guestId)
  const guest = await db.transaction(async tx => {
    const existing = known === undefined ? undefined : await findGuest(tx, linkId, known)
    if (existing) {
      await renameGuest(tx, existing.id, name)
      return existing
    }
    await lockLimits(deps, tx, link)
    if ((await countGuests(tx, linkId)) >= limits.guestsPerLink) throw takesNoMore()
    return insertGuest(tx, { link_id: linkId, name, created_at: clock() })
  })
  return { answer: { name }, guestId: issueGuestId(deps, linkId, guest.id) }
}

/** The open link and the guest who sends the request; throws if the guest has not said a name. */
async function admitted(
  deps: ReceiveDeps,
  linkId: number,
  browser: GuestBrowser,
): Promise<{ link: UploadLink; guest: GuestRow }> {
  const link = await openUploadLink(deps, linkId, browser.guestSession)
  const guestId = readGuestId(deps, linkId, browser.guestId)
  const guest = guestId === undefined ? undefined : await findGuest(deps.db.query, linkId, guestId)
  if (!guest) throw new AppError('forbidden', 'Please say who you are first.')
  return { link, guest }
}

/** For resumable uploads. */
export async function admitSender(
  deps: ReceiveDeps,
  linkId: number,
  browser: GuestBrowser,
  isNew: boolean,
): Promise<GuestSender> {
  const { db, clock, limiter } = deps
  const { link, guest } = await admitted(deps, linkId, browser)
  if (isNew) {
    await limiter.hit(`guest-upload:address:${browser.address}`, rateLimits.guestUploadsOfAddress)
    await limiter.hit(`guest-upload:link:${linkId}`, rateLimits.guestUploadsOfLink)
  }
  return {
    guestId: guest.id,
    reserve: (upload_id, size) =>
      db.transaction(async tx => {
        await requireRoom(deps, tx, link, { size })
        const ids = { upload_id, link_id: link.id, guest_id: guest.id, album_id: link.albumId }
        await insertSending(tx, { ...ids, size, begun_at: clock() })
      }),
    resume: uploadId => resume(deps, link, uploadId),
    release: uploadId => deleteSending(db.query, uploadId),
  }
}

/** Reserves the space of a long upload again, so that what unfinished ones take on the disk stays within the limit. */
async function resume(deps: ReceiveDeps, link: UploadLink, uploadId: UploadId): Promise<void> {
  const { db, clock } = deps
  const upload = await findByUploadId(db.query, uploadId)
  if (upload?.state !== 'sending') throw noSuchUpload()
  if (upload.begun_at > clock() - limits.reserved) return
  await db.transaction(async tx => {
    await requireRoom(deps, tx, link, { size: upload.size, except: upload.id })
    await renewSending(tx, upload.id, clock())
  })
}

/** Serialises the checks of a link's limits. */
async function lockLimits({ db }: ReceiveDeps, tx: Tx, link: UploadLink): Promise<void> {
  await db.advisoryLock(tx, `guest-uploads of link ${link.id}`)
}

/** Throws if the link takes no more. What others are sending counts in full. */
async function requireRoom(
  deps: ReceiveDeps,
  tx: Tx,
  link: UploadLink,
  { size, except }: { size: number; except?: number },
): Promise<void> {
  await lockLimits(deps, tx, link)
  const reservedSince = deps.clock() - limits.reserved
  const used = await usedOf(tx, link.id, { reservedSince, ...(except === undefined ? {} : { except }) })
  if (used.files >= link.mostFiles || used.bytes + size > link.mostBytes) throw takesNoMore()
}

function takesNoMore(): AppError {
  return new AppError('too_large', 'This link cannot take any more. Please tell the person who sent it to you.')
}

/**
 * Stores a file that has arrived. It never looks for the same file in the library, so that a guest cannot learn from the
 * answer, its time or later states whether it is there. Idempotent.
 */
export async function finishSentFile(
  deps: ReceiveDeps,
  linkId: number,
  { uploadId: text, originalName, lastModified }: ParsedInput<typeof finishEndpoint>['body'],
  browser: GuestBrowser,
): Promise<SentFile> {
  const { db, resumable } = deps
  const { link, guest } = await admitted(deps, linkId, browser)
  const uploadId = ownUpload(text, ownerIdOfGuest(guest.id))
  const known = await findByUploadId(db.query, uploadId)
  if (known && known.state !== 'sending') return presentRow(known)
  if (!known) throw noSuchUpload()
  try {
    await withSlot(link.id, () =>
      deps.scratch.withFolder(async folder => {
        const original = await resumable.copyTo(uploadId, folder)
        const format = await checkOriginal(deps, { name: originalName, original, folderId: null })
        const incoming = {
          name: originalName,
          original,
          format,
          metadata: null,
          folderId: null,
          fileDate: lastModified ?? null,
          uploaderId: link.createdBy,
          converted: undefined,
          pictures: noPictures,
        }
        await storeHidden(deps, incoming, (tx, mediaId) =>
          recordSent(deps, tx, { link, upload: known, mediaId, name: originalName, size: original.size }),
        )
      }),
    )
  } catch (error) {
    // A concurrent request may have finished it, and removed the upload.
    const row = await findByUploadId(db.query, uploadId)
    if (row && row.state !== 'sending') return presentRow(row)
    if (error instanceof AppError && error.code === 'not_a_photo_or_video') {
      await deleteSending(db.query, uploadId)
      await resumable.remove(uploadId)
    }
    throw error
  }
  await resumable.remove(uploadId)
  const sent = await findByUploadId(db.query, uploadId)
  if (!sent) throw new Error(`Upload ${uploadId} was stored and is gone`)
  return presentRow(sent)
}

async function recordSent(
  deps: ReceiveDeps,
  tx: Tx,
  {
    link,
    upload,
    mediaId,
    name,
    size,
  }: { link: UploadLink; upload: GuestUploadRow; mediaId: number; name: string; size: number },
): Promise<void> {
  const { db, clock } = deps
  // Their times are in the order of the commits: a notification tells of all files up to its own time.
  await db.advisoryLock(tx, `guest-uploads to album ${link.albumId}`)
  const now = clock()
  await stillOpen(tx, link.id, now)
  // Its reservation has expired, and others may have used the space.
  if (upload.begun_at <= now - limits.reserved) await requireRoom(deps, tx, link, { size, except: upload.id })
  if (!(await markSent(tx, upload.id, { name, size, sent_at: now, media_id: mediaId }))) {
    throw new AppError('conflict', 'This file has arrived already.')
  }
  await notifyOfGuestUpload(db, tx, { albumId: link.albumId, at: now })
  await announce(db, tx, { kind: 'guest-uploads' }, 'everyone')
}

/** How many files of each link are being checked and stored. */
const running = new Map<number, number>()

/** Each takes disk space and a decoder. */
async function withSlot<T>(linkId: number, work: () => Promise<T>): Promise<T> {
  const count = running.get(linkId) ?? 0
  if (count >= limits.storedAtOnce) throw new TooManyRequests(2)
  running.set(linkId, count + 1)
  try {
    return await work()
  } finally {
    const left = (running.get(linkId) ?? 1) - 1
    if (left > 0) running.set(linkId, left)
    else running.delete(linkId)
  }
}

export async function listSentFiles(
  deps: ReceiveDeps,
  linkId: number,
  { limit, before }: ParsedInput<typeof listEndpoint>['query'],
  browser: GuestBrowser,
): Promise<SentFile[]> {
  const { guest } = await admitted(deps, linkId, browser)
  let query = selectSent(deps.db.query, guest.id)
  if (before !== undefined) query = query.where('guest_uploads.id', '<', before)
  const rows = await query.limit(limit).execute()
  return rows.map(({ key, ...row }) => present(row, key !== null))
}

/** The picture of a file that this guest sent. */
export async function sentPicture(
  deps: ReceiveDeps,
  { id, upload }: { id: number; upload: number },
  browser: GuestBrowser,
): Promise<{ key: string; size: number }> {
  const { guest } = await admitted(deps, id, browser)
  const row = await selectSent(deps.db.query, guest.id).where('guest_uploads.id', '=', upload).executeTakeFirst()
  if (!row || row.key === null) throw new AppError('not_found', 'There is no such picture.')
  return { key: row.key, size: row.picture_size ?? 0 }
}

/** As right after the upload: the picture is not made yet, or nobody needs it any more. */
function presentRow(row: GuestUploadRow): SentFile {
  return present(row, false)
}

function present(
  { id, name, size, sent_at }: Pick<GuestUploadRow, 'id' | 'name' | 'size' | 'sent_at'>,
  picture: boolean,
): SentFile {
  return { id, name: name ?? '', size, sent_at: toIso(sent_at ?? 0), picture }
}
