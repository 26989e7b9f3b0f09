import type { Answer, ParsedInput } from '#contract/endpoint.ts'
import type { acceptGuestUploads, GuestUpload, listGuestUploads, waitingGuestUploads } from '#contract/guest-uploads.ts'
import { DAY } from '#contract/limits.ts'
import { insertFiles, lockAlbum, sortedByDate } from '../albums/public.ts'
import { recordAudit } from '../audit/public.ts'
import type { Database } from '../db/database.ts'
import type { AlbumRow, GuestUploadRow, MediaRow, Tx } from '../db/schema.ts'
import { defineJob, type Queue } from '../jobs/queue.ts'
import { type Clock, toIso } from '../kit/clock.ts'
import { AppError } from '../kit/errors.ts'
import { announce } from '../live/announce.ts'
import {
  announceGuestFiles,
  contentHashOf,
  discardGuestFiles,
  findPartKeys,
  findPeople,
  lockDuplicates,
  lockGuestFiles,
  presentIncomplete,
  restoreDuplicates,
  showGuestFiles,
  shownEdtf,
} from '../media/public.ts'
import type { Storage } from '../storage/storage.ts'
import {
  countWaiting,
  deleteRemains,
  guestNames,
  type LockedUpload,
  lockUploads,
  selectForReview,
  setDuplicates,
  updateUploads,
} from './guest-uploads.sql.ts'
import { guestUploadsDecided, lockGuestNotifications } from './notifications.ts'

export interface GuestReviewDeps {
  db: Database
  clock: Clock
  storage: Pick<Storage, 'signedUrl'>
  trashDays: number
}

export async function listForReview(
  { db, storage, trashDays }: GuestReviewDeps,
  { album, state, limit, after }: ParsedInput<typeof listGuestUploads>['query'],
): Promise<GuestUpload[]> {
  const rows = await selectForReview(db.query, { state, album, after, limit })
  const [keys, people] = await Promise.all([
    findPartKeys(
      db.query,
      rows.map(row => row.media_id),
    ),
    findPeople(db.query, [...new Set(rows.flatMap(row => row.decided_by ?? []))]),
  ])
  return rows.map(row => {
    const parts = keys.get(row.media_id)
    const url = (key: string | undefined) => (key === undefined ? null : storage.signedUrl(key))
    const { album_id, album_title, shown_part } = row
    const isVideo = row.file_type === 'video'
    return {
      id: row.id,
      name: row.original_name,
      file_type: row.file_type,
      file_size: row.file_size,
      guest: row.guest,
      album: album_id === null || album_title === null ? null : { id: album_id, title: album_title },
      sent_at: toIso(row.sent_at ?? 0),
      edtf: shownEdtf(row.date_edtf),
      width: row.width,
      height: row.height,
      duration: row.duration,
      thumbhash: row.thumbhash,
      status: row.status,
      thumbnail_url: url(parts?.thumbnail),
      preview_url: url(parts?.website ?? parts?.poster ?? parts?.thumbnail),
      live: row.motion_part !== null,
      incomplete: presentIncomplete(row),
      video_url: isVideo && shown_part !== null ? url(parts?.[shown_part]) : null,
      decided_by: people.find(person => person.id === row.decided_by) ?? null,
      purged_at: state === 'rejected' ? toIso((row.decided_at ?? 0) + trashDays * DAY) : null,
    }
  })
}

export async function countForReview({ db }: GuestReviewDeps): Promise<Answer<typeof waitingGuestUploads>> {
  const rows = await countWaiting(db.query)
  return rows.map(({ id, title, waiting }) => ({
    album: id === null || title === null ? null : { id, title },
    waiting,
  }))
}

/**
 * The files become files of the library and of their album. Where the library has the same bytes already, its own file is
 * added to the album, and the guest's copy is purged as deleted files are. One whose file in the library is damaged stays
 * as it is, because the guest's bytes may be the last good ones.
 */
export async function accept(
  deps: GuestReviewDeps,
  personId: number,
  ids: readonly number[],
): Promise<Answer<typeof acceptGuestUploads>> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await acceptOnce(deps, personId, ids)
    } catch (error) {
      // A member has uploaded the same bytes at the same moment. The next attempt finds their file, and may meet another one
      // of many that are being uploaded.
      if ((error as { code?: unknown }).code !== POSTGRES_UNIQUE_VIOLATION) throw error
      if (attempt === MAX_ATTEMPTS) throw new AppError('conflict', 'guests.beingUploaded', { cause: error })
    }
  }
}

const MAX_ATTEMPTS = 10
const POSTGRES_UNIQUE_VIOLATION = '23505'

async function acceptOnce(
  deps: GuestReviewDeps,
  personId: number,
  ids: readonly number[],
): Promise<Answer<typeof acceptGuestUploads>> {
  const { db, clock } = deps
  return db.bulkTransaction(ids.length, async tx => {
    const at = clock()
    const uploads = await lockUploads(db, tx, ids, ['waiting'])
    await lockNotifications(deps, tx, uploads)
    const albums = await lockAlbums(deps, tx, uploads)
    const files = await lockGuestFiles(
      db,
      tx,
      uploads.map(upload => upload.media_id),
    )
    const libraryFiles = await lockDuplicates(db, tx, files.values())
    const accepted: AcceptedUpload[] = []
    const added: MediaRow[] = []
    for (const upload of uploads) {
      const file = files.get(upload.media_id)
      const duplicate = file && libraryFiles.get(contentHashOf(file))
      if (!file || (duplicate && duplicate.damaged_at !== null)) continue
      accepted.push({ ...upload, duplicateId: duplicate?.id ?? null, fileId: duplicate?.id ?? file.id })
      if (duplicate) continue
      added.push(file)
      // Another guest may have sent the same bytes.
      libraryFiles.set(contentHashOf(file), { ...file, deleted_at: null })
    }
    const names = await guestNames(tx, accepted)
    const guests = new Map(accepted.map(({ media_id, guest_id }) => [media_id, names.get(guest_id) ?? null]))
    await showGuestFiles(db, tx, added, { at, personId, guests })
    const duplicateIds = new Set(accepted.map(upload => upload.duplicateId))
    const deleted = [...libraryFiles.values()].filter(file => duplicateIds.has(file.id) && file.deleted_at !== null)
    await restoreDuplicates(db, tx, deleted)
    const copies = accepted.flatMap(({ id, media_id, duplicateId }) =>
      duplicateId === null ? [] : { id, media_id, duplicateId },
    )
    await discardGuestFiles(
      tx,
      copies.map(upload => upload.media_id),
      { at, personId },
    )
    await updateUploads(tx, idsOf(accepted), { state: 'accepted', decided_at: at, decided_by: personId })
    await setDuplicates(tx, copies)
    await addToAlbums(deps, tx, accepted, { albums, names, personId, at })
    await recordDecision(deps, tx, accepted, { act: 'guests.accept', personId, at, names })
    return { ids: idsOf(accepted), duplicates: copies.length }
  })
}

async function lockNotifications({ db }: GuestReviewDeps, tx: Tx, uploads: readonly GuestUploadRow[]): Promise<void> {
  for (const [albumId] of byAlbum(uploads)) await lockGuestNotifications(db, tx, albumId)
}

type AcceptedUpload = LockedUpload & { duplicateId: number | null; fileId: number }

/**
 * The open albums of these uploads. Locked before the files, as by everything that changes the files of an album; in
 * ascending order, as somebody else may decide on files of the same albums.
 */
export async function lockAlbums(
  { db }: GuestReviewDeps,
  tx: Tx,
  uploads: readonly GuestUploadRow[],
): Promise<Map<number, AlbumRow>> {
  const albums = new Map<number, AlbumRow>()
  for (const [albumId] of byAlbum(uploads)) {
    const album = await lockAlbum(db, tx, albumId)
    if (album) albums.set(albumId, album)
  }
  return albums
}

interface AddTo {
  albums: ReadonlyMap<number, AlbumRow>
  /** Of the guests, by their id. */
  names: ReadonlyMap<number, string>
  personId: number
  at: number
}

/** To the end of each album, in the order of their dates. Albums that are deleted get none. */
async function addToAlbums(
  { db }: GuestReviewDeps,
  tx: Tx,
  accepted: readonly AcceptedUpload[],
  { albums, names, personId, at }: AddTo,
): Promise<void> {
  for (const [albumId, uploads] of byAlbum(accepted)) {
    const album = albums.get(albumId)
    if (!album || album.search !== null) continue
    const guests = new Map(uploads.map(({ fileId, guest_id }) => [fileId, names.get(guest_id) ?? '']))
    const ordered = await sortedByDate(tx, [...guests.keys()])
    const added = new Set(await insertFiles(tx, albumId, ordered, { by: personId, at, guests }))
    await updateUploads(tx, idsOf(uploads.filter(({ fileId }) => added.has(fileId))), { added_to_album: 1 })
    if (added.size > 0) await announce(db, tx, { kind: 'albums', id: albumId }, 'everyone')
  }
}

export async function reject(
  deps: GuestReviewDeps,
  personId: number,
  ids: readonly number[],
): Promise<{ ids: number[] }> {
  const { db, clock } = deps
  return db.bulkTransaction(ids.length, async tx => {
    const at = clock()
    const uploads = await lockUploads(db, tx, ids, ['waiting'])
    await lockNotifications(deps, tx, uploads)
    await discardGuestFiles(
      tx,
      uploads.map(upload => upload.media_id),
      { at, personId },
    )
    await updateUploads(tx, idsOf(uploads), { state: 'rejected', decided_at: at, decided_by: personId })
    await recordDecision(deps, tx, uploads, { act: 'guests.reject', personId, at })
    return { ids: idsOf(uploads) }
  })
}

const MAX_RECORDED_IDS = 100
const MAX_RECORDED_NAMES = 3

interface Decision {
  act: 'guests.accept' | 'guests.reject' | 'guests.reconsider'
  personId: number
  at: number
  /** Of the guests, by their id: whose files were accepted is part of the activity. */
  names?: ReadonlyMap<number, string>
}

export async function recordDecision(
  { db }: GuestReviewDeps,
  tx: Tx,
  uploads: readonly LockedUpload[],
  { act, personId, at, names }: Decision,
): Promise<void> {
  if (uploads.length === 0) return
  await recordAudit(
    tx,
    byAlbum(uploads).map(([albumId, some]) => ({
      at,
      actorId: personId,
      act,
      subject: { type: 'album', id: albumId },
      before: {
        files: some.length,
        ids: some.slice(0, MAX_RECORDED_IDS).map(upload => upload.media_id),
        ...(names && { guests: namesOf(some, names) }),
      },
    })),
  )
  await guestUploadsDecided(db, tx, { albumIds: byAlbum(uploads).map(([albumId]) => albumId), at })
  await announceGuestFiles(db, tx)
}

/** Undefined: too many guests to name them. */
function namesOf(uploads: readonly LockedUpload[], names: ReadonlyMap<number, string>): string[] | undefined {
  const found = [...new Set(uploads.flatMap(({ guest_id }) => names.get(guest_id) ?? []))]
  return found.length <= MAX_RECORDED_NAMES ? found : undefined
}

/** In ascending order. 0: removed for good. */
export function byAlbum<Upload extends GuestUploadRow>(uploads: readonly Upload[]): [number, Upload[]][] {
  return [...Map.groupBy(uploads, upload => upload.album_id ?? 0)].sort(([a], [b]) => a - b)
}

export function idsOf(uploads: readonly { id: number }[]): number[] {
  return uploads.map(upload => upload.id)
}

const cleanUp = defineJob<null>('guest-uploads.clean-up', { everyMs: DAY / 24 })

/** An upload that was started so long ago and not finished is gone. */
const UNFINISHED_AFTER = 2 * DAY

export function handleGuestUploadJobs(queue: Queue, { db, clock }: Pick<GuestReviewDeps, 'db' | 'clock'>): void {
  queue.handle(cleanUp, { run: () => db.transaction(tx => deleteRemains(tx, clock() - UNFINISHED_AFTER)) })
}
