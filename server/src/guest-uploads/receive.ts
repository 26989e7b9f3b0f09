import type { Answer, ParsedInput } from '#contract/endpoint.ts'
import type { listSentFiles as listEndpoint, nameGuest as nameEndpoint, SentFile } from '#contract/guest-uploads.ts'
import { guestUploads as limits, rateLimits } from '#contract/limits.ts'
import { newestFirst } from '../db/newest-first.ts'
import type { GuestRow, GuestUploadRow, Tx } from '../db/schema.ts'
import { toIso } from '../kit/clock.ts'
import { AppError } from '../kit/errors.ts'
import { KeyedMutex } from '../kit/keyed-mutex.ts'
import type { RateLimiter } from '../kit/rate-limiter.ts'
import type { Scratch } from '../kit/safe-path.ts'
import {
  findGuest,
  type GuestSessionDeps,
  issueGuestId,
  openUploadLink,
  readGuestId,
  type UploadLink,
} from '../links/public.ts'
import {
  type GuestSender,
  type MediaTools,
  noSuchUpload,
  presentIncomplete,
  type ResumableUploads,
  type StoreUploadDeps,
  type UploadId,
} from '../media/public.ts'
import {
  countGuests,
  deleteSending,
  findByUploadId,
  insertGuest,
  insertSending,
  renameGuest,
  renewSending,
  selectSent,
  usedOf,
} from './guest-uploads.sql.ts'

export interface ReceiveDeps extends StoreUploadDeps, GuestSessionDeps {
  scratch: Scratch
  resumable: ResumableUploads
  limiter: RateLimiter
  tools: Pick<MediaTools, 'homeTimeZone' | 'readMetadata'>
}

/** What a request of a guest says about its sender. */
export interface GuestRequest {
  address: string
  guestSession: string | undefined
  guestId: string | undefined
}

export async function nameGuest(
  deps: ReceiveDeps,
  linkId: number,
  { name }: ParsedInput<typeof nameEndpoint>['body'],
  browser: GuestRequest,
): Promise<{ answer: Answer<typeof nameEndpoint>; guestId: string }> {
  const { db, clock, limiter } = deps
  await limiter.hit(`guest-name:address:${browser.address}`, rateLimits.guestsNamed)
  const link = await openUploadLink(deps, linkId, browser.guestSession)
  const known = readGuestId(deps, linkId, browser.guestId)
  const record = async (tx: Tx): Promise<GuestRow> => {
    const existing = known === undefined ? undefined : await findGuest(tx, linkId, known)
    if (existing) {
      await renameGuest(tx, existing.id, name)
      return existing
    }
    await lockLimits(deps, tx, link)
    if ((await countGuests(tx, linkId)) >= limits.guestsPerLink) throw linkFull()
    return insertGuest(tx, { link_id: linkId, name, created_at: clock() })
  }
  const guest = await inTurn(browser, () => db.transaction(record))
  return { answer: { name }, guestId: issueGuestId(deps, linkId, guest.id) }
}

/** The open link and the guest who sends the request; throws if the guest has not said a name. */
export async function admitted(
  deps: ReceiveDeps,
  linkId: number,
  browser: GuestRequest,
): Promise<{ link: UploadLink; guest: GuestRow }> {
  const link = await openUploadLink(deps, linkId, browser.guestSession)
  const guestId = readGuestId(deps, linkId, browser.guestId)
  const guest = guestId === undefined ? undefined : await findGuest(deps.db.query, linkId, guestId)
  if (!guest) throw new AppError('forbidden', 'guests.sayWho')
  return { link, guest }
}

const reservations = new KeyedMutex<string>()

/** Addresses take turns. Hundreds at once that wait for the same lock would take all connections to the database. */
function inTurn<T>({ address }: GuestRequest, reserve: () => Promise<T>): Promise<T> {
  return reservations.run(address, () => reservations.run('all', reserve))
}

/** For resumable uploads. */
export async function admitSender(
  deps: ReceiveDeps,
  linkId: number,
  browser: GuestRequest,
  { isNew, ended }: { isNew: boolean; ended: AbortSignal },
): Promise<GuestSender> {
  const { db, clock, limiter } = deps
  const { link, guest } = await admitted(deps, linkId, browser)
  if (isNew) {
    await limiter.hit(`guest-upload:address:${browser.address}`, rateLimits.guestUploadsOfAddress)
    await limiter.hit(`guest-upload:link:${linkId}`, rateLimits.guestUploadsOfLink)
  }
  return {
    guestId: guest.id,
    ended,
    reserve: (upload_id, size) =>
      inTurn(browser, () =>
        db.transaction(async tx => {
          await requireCapacity(deps, tx, link, { size })
          const ids = { upload_id, link_id: link.id, guest_id: guest.id, album_id: link.albumId }
          await insertSending(tx, { ...ids, size, started_at: clock() })
        }),
      ),
    resume: uploadId => inTurn(browser, () => resume(deps, link, uploadId)),
    async release(uploadId) {
      await deleteSending(db.query, uploadId)
    },
  }
}

/** Reserves the space of a long upload again, so that what unfinished ones take on the disk stays within the limit. */
async function resume(deps: ReceiveDeps, link: UploadLink, uploadId: UploadId): Promise<void> {
  const { db, clock } = deps
  const upload = await findByUploadId(db.query, uploadId)
  if (upload?.state !== 'sending') throw noSuchUpload()
  if (upload.started_at > clock() - limits.reserved) return
  await db.transaction(async tx => {
    await requireCapacity(deps, tx, link, { size: upload.size, except: upload.id })
    await renewSending(tx, upload.id, clock())
  })
}

/** Serialises the checks of a link's limits. */
async function lockLimits({ db }: ReceiveDeps, tx: Tx, link: UploadLink): Promise<void> {
  await db.advisoryLock(tx, `guest-uploads of link ${link.id}`)
}

/** Throws if the link takes no more. What others are sending counts in full. */
export async function requireCapacity(
  deps: ReceiveDeps,
  tx: Tx,
  link: UploadLink,
  { size, except }: { size: number; except?: number },
): Promise<void> {
  await lockLimits(deps, tx, link)
  const reservedSince = deps.clock() - limits.reserved
  const used = await usedOf(tx, link.id, { reservedSince, ...(except === undefined ? {} : { except }) })
  if (used.files >= link.maxFiles || used.bytes + size > link.maxBytes) throw linkFull()
}

function linkFull(): AppError {
  return new AppError('too_large', 'guests.linkFull')
}

export async function listSentFiles(
  deps: ReceiveDeps,
  linkId: number,
  page: ParsedInput<typeof listEndpoint>['query'],
  browser: GuestRequest,
): Promise<SentFile[]> {
  const { guest } = await admitted(deps, linkId, browser)
  const rows = await newestFirst(selectSent(deps.db.query, guest.id), 'guest_uploads.id', page).execute()
  return rows.map(({ key, ...row }) => present(row, key !== null))
}

/** The picture of a file that this guest sent. */
export async function sentPicture(
  deps: ReceiveDeps,
  { id, upload }: { id: number; upload: number },
  browser: GuestRequest,
): Promise<{ key: string; size: number }> {
  const { guest } = await admitted(deps, id, browser)
  const row = await selectSent(deps.db.query, guest.id).where('guest_uploads.id', '=', upload).executeTakeFirst()
  if (!row || row.key === null) throw new AppError('not_found', 'guests.noPicture')
  return { key: row.key, size: row.picture_size ?? 0 }
}

export function present(
  row: Pick<GuestUploadRow, 'id' | 'name' | 'size' | 'sent_at' | 'incomplete' | 'expected_size'>,
  picture: boolean,
): SentFile {
  const { id, name, size, sent_at } = row
  return { id, name: name ?? '', size, sent_at: toIso(sent_at ?? 0), incomplete: presentIncomplete(row), picture }
}
