import type { Answer, ParsedInput } from '#contract/endpoint.ts'
import type { finishSentFile as finishEndpoint } from '#contract/guest-uploads.ts'
import { guestUploads as limits } from '#contract/limits.ts'
import type { GuestUploadRow, MediaRow, Tx } from '../db/schema.ts'
import { AppError } from '../kit/errors.ts'
import { tooManyRequests } from '../kit/rate-limiter.ts'
import type { RootFolder } from '../kit/safe-path.ts'
import { requireOpenLink, type UploadLink } from '../links/public.ts'
import {
  announceGuestFiles,
  checkClip,
  checkOriginal,
  type IncomingFile,
  isLivePhotoPair,
  noPictures,
  noSuchUpload,
  ownerIdOfGuest,
  ownUpload,
  storeHidden,
  type UploadId,
} from '../media/public.ts'
import { ProcessingError } from '../processing/errors.ts'
import { deleteSending, findByUploadId, markSent } from './guest-uploads.sql.ts'
import { lockGuestNotifications, notifyOfGuestUpload } from './notifications.ts'
import { admitted, type GuestRequest, present, type ReceiveDeps, requireCapacity } from './receive.ts'

/**
 * Stores a file that has arrived. It never looks for the same file in the library, so that a guest cannot learn from the
 * answer, its time or later states whether it is there. Idempotent.
 */
export async function finishSentFile(
  deps: ReceiveDeps,
  linkId: number,
  { clip: clipFile, ...file }: ParsedInput<typeof finishEndpoint>['body'],
  browser: GuestRequest,
): Promise<Answer<typeof finishEndpoint>> {
  const { db, resumable } = deps
  const { link, guest } = await admitted(deps, linkId, browser)
  const own = (arrived: ArrivedFile) => ({
    ...arrived,
    uploadId: ownUpload(arrived.uploadId, ownerIdOfGuest(guest.id)),
  })
  const [photo, clip] = [own(file), clipFile && own(clipFile)]
  const [uploadId, clipId] = [photo.uploadId, clip?.uploadId]
  if (uploadId === clipId) throw new AppError('malformed', 'upload.namedTwice')
  const answer = async (row: GuestUploadRow) => ({ ...present(row, false), with_clip: await isStored(deps, clipId) })
  const known = await findByUploadId(db.query, uploadId)
  if (!known) throw noSuchUpload()
  if (known.state !== 'sending') {
    // The server may have been killed before it removed the uploads.
    await removeStored(deps, uploadId, clipId)
    return answer(known)
  }
  const clipRow = clip && (await findByUploadId(db.query, clip.uploadId))
  if (clip && !clipRow) throw noSuchUpload()
  try {
    const named = clip && clipRow && { ...clip, row: clipRow }
    await withSlot(link.id, browser.address, () => store(deps, link, { ...photo, row: known }, named))
  } catch (error) {
    // A concurrent request may have finished it, and removed the upload.
    const row = await findByUploadId(db.query, uploadId)
    if (row && row.state !== 'sending') return answer(row)
    if (error instanceof AppError && error.code === 'not_a_photo_or_video') {
      await deleteSending(db.query, uploadId)
      await resumable.remove(uploadId)
    }
    throw error
  }
  await removeStored(deps, uploadId, clipId)
  const sent = await findByUploadId(db.query, uploadId)
  if (!sent) throw new Error(`Upload ${uploadId} was stored and is gone`)
  return answer(sent)
}

type ArrivedFile = Omit<ParsedInput<typeof finishEndpoint>['body'], 'clip'>

/** A clip has no row of its own any more once it is stored with its photo. */
async function isStored({ db }: ReceiveDeps, clipId: UploadId | undefined): Promise<boolean> {
  return clipId !== undefined && (await findByUploadId(db.query, clipId)) === undefined
}

async function removeStored(deps: ReceiveDeps, uploadId: UploadId, clipId: UploadId | undefined): Promise<void> {
  await deps.resumable.remove(uploadId)
  if (clipId !== undefined && (await isStored(deps, clipId))) await deps.resumable.remove(clipId)
}

type Arrived = ArrivedFile & { uploadId: UploadId; row: GuestUploadRow }

async function store(deps: ReceiveDeps, link: UploadLink, file: Arrived, named: Arrived | undefined): Promise<void> {
  await deps.scratch.withFolder(async folder => {
    const { originalName: name, lastModified } = file
    const uploaderId = link.createdBy
    const original = await deps.resumable.copyTo(file.uploadId, folder)
    const format = await checkOriginal(deps, { name, original, folderId: null })
    const still = { name, original, format, uploaderId }
    // One that was handed over alone before stays so.
    const clip = named?.row.state === 'sending' ? await checkClipOf(deps, still, named, folder) : undefined
    const incoming: IncomingFile = {
      ...still,
      metadata: null,
      folderId: null,
      fileDate: lastModified ?? null,
      converted: undefined,
      pictures: noPictures,
      clip,
    }
    const sent = {
      row: file.row,
      clipRow: clip && named?.row,
      name,
      size: original.size + (clip?.file.size ?? 0),
    }
    await storeHidden(deps, incoming, (tx, media) => recordSent(deps, tx, link, { ...sent, media }))
  })
}

/** Undefined: it does not belong to the photo, so that it is a file of its own, which is checked when it is handed over. */
async function checkClipOf(
  { resumable, tools }: ReceiveDeps,
  { name, original, format, uploaderId }: Pick<IncomingFile, 'name' | 'original' | 'format' | 'uploaderId'>,
  { uploadId, originalName, lastModified }: Arrived,
  folder: RootFolder,
): Promise<IncomingFile['clip']> {
  const file = await resumable.copyTo(uploadId, folder)
  try {
    const clipFormat = await checkClip(name, format, file)
    const run = { ownerId: uploaderId, forRequest: true, ownProcess: true }
    if (!(await isLivePhotoPair(tools, original.path, { path: file.path, format: clipFormat }, run))) return undefined
    return { file, format: clipFormat, name: originalName, fileDate: lastModified ?? null, belongs: true }
  } catch (error) {
    if (error instanceof AppError || error instanceof ProcessingError) return undefined
    throw error
  }
}

interface Sent {
  row: GuestUploadRow
  /** Of its clip, which is part of the file from now on. */
  clipRow: GuestUploadRow | undefined
  media: MediaRow
  name: string
  size: number
}

async function recordSent(
  deps: ReceiveDeps,
  tx: Tx,
  link: UploadLink,
  { row, clipRow, media, name, size }: Sent,
): Promise<void> {
  const { db, clock } = deps
  await lockGuestNotifications(db, tx, link.albumId)
  const now = clock()
  const { incomplete, expected_size } = media
  await requireOpenLink(tx, link.id, now)
  if (clipRow && !(await deleteSending(tx, clipRow.upload_id))) throw arrivedAlready()
  // Its reservation has expired, and others may have used the space.
  const isExpired = Math.min(row.started_at, clipRow?.started_at ?? row.started_at) <= now - limits.reserved
  if (isExpired) await requireCapacity(deps, tx, link, { size, except: row.id })
  if (!(await markSent(tx, row.id, { name, size, sent_at: now, media_id: media.id, incomplete, expected_size })))
    throw arrivedAlready()
  await notifyOfGuestUpload(db, tx, { albumId: link.albumId, at: now })
  await announceGuestFiles(db, tx)
}

function arrivedAlready(): AppError {
  return new AppError('conflict', 'guests.arrivedAlready')
}

/** How many files of each link, and of each address in it, are being checked and stored. */
const running = new Map<string, number>()

/** Each takes disk space and a decoder. One address cannot take all places of a link. */
async function withSlot<T>(linkId: number, address: string, work: () => Promise<T>): Promise<T> {
  const { ofLink, ofAddress } = limits.storedAtOnce
  const places = new Map([
    [`${linkId}`, ofLink],
    [`${linkId} ${address}`, ofAddress],
  ])
  for (const [key, most] of places) if ((running.get(key) ?? 0) >= most) throw tooManyRequests(2)
  for (const key of places.keys()) running.set(key, (running.get(key) ?? 0) + 1)
  try {
    return await work()
  } finally {
    for (const key of places.keys()) {
      const left = (running.get(key) ?? 1) - 1
      if (left > 0) running.set(key, left)
      else running.delete(key)
    }
  }
}
