import type { Answer, ParsedInput } from '#contract/endpoint.ts'
import type {
  acceptGuestUploads,
  GuestUpload,
  listGuestUploads,
  reconsiderGuestUploads,
  waitingGuestUploads,
} from '#contract/guest-uploads.ts'
import { DAY } from '#contract/limits.ts'
import { can } from '#contract/rights.ts'
import { insertFiles, lockAlbum, markFilesRemoved, sortedByDate } from '../albums/public.ts'
import { recordAudit } from '../audit/public.ts'
import type { Database } from '../db/database.ts'
import type { MediaRow, Tx } from '../db/schema.ts'
import { defineJob, type Queue } from '../jobs/queue.ts'
import { type Clock, toIso } from '../kit/clock.ts'
import { AppError } from '../kit/errors.ts'
import type { Caller } from '../kit/serve.ts'
import { announce } from '../live/announce.ts'
import {
  contentHashOf,
  discardGuestFiles,
  findPartKeys,
  findPeople,
  hideGuestFiles,
  keepGuestFiles,
  lockGuestFiles,
  lockHeldFiles,
  restoreHeld,
  showGuestFiles,
  shownEdtf,
} from '../media/public.ts'
import type { Storage } from '../storage/storage.ts'
import {
  countWaiting,
  deleteRemains,
  type LockedUpload,
  lockUploads,
  selectForReview,
  setHeld,
  updateUploads,
} from './guest-uploads.sql.ts'

export interface ReviewDeps {
  db: Database
  clock: Clock
  storage: Pick<Storage, 'signedUrl'>
  trashDays: number
}

export async function listForReview(
  { db, storage, trashDays }: ReviewDeps,
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
      video_url: isVideo && shown_part !== null ? url(parts?.[shown_part]) : null,
      decided_by: people.find(person => person.id === row.decided_by) ?? null,
      purged_at: state === 'refused' ? toIso((row.decided_at ?? 0) + trashDays * DAY) : null,
    }
  })
}

export async function countForReview({ db }: ReviewDeps): Promise<Answer<typeof waitingGuestUploads>> {
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
  deps: ReviewDeps,
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
      if (attempt === MAX_ATTEMPTS) throw new AppError('conflict', ARE_BEING_UPLOADED, { cause: error })
    }
  }
}

const MAX_ATTEMPTS = 10
const ARE_BEING_UPLOADED = 'Somebody is uploading the same photos right now. Please try again in a moment.'
const POSTGRES_UNIQUE_VIOLATION = '23505'

async function acceptOnce(
  deps: ReviewDeps,
  personId: number,
  ids: readonly number[],
): Promise<Answer<typeof acceptGuestUploads>> {
  const { db, clock } = deps
  return db.transaction(async tx => {
    const at = clock()
    const uploads = await lockUploads(db, tx, ids, ['waiting'])
    const files = await lockGuestFiles(
      db,
      tx,
      uploads.map(upload => upload.media_id),
    )
    const libraryFiles = await lockHeldFiles(db, tx, files.values())
    const accepted: AcceptedUpload[] = []
    const added: MediaRow[] = []
    for (const upload of uploads) {
      const file = files.get(upload.media_id)
      const held = file && libraryFiles.get(contentHashOf(file))
      if (!file || (held && held.damaged_at !== null)) continue
      accepted.push({ ...upload, heldId: held?.id ?? null, fileId: held?.id ?? file.id })
      if (held) continue
      added.push(file)
      // Another guest may have sent the same bytes.
      libraryFiles.set(contentHashOf(file), { ...file, deleted_at: null })
    }
    await showGuestFiles(db, tx, added, { at, personId })
    const heldIds = new Set(accepted.map(upload => upload.heldId))
    const deleted = [...libraryFiles.values()].filter(file => heldIds.has(file.id) && file.deleted_at !== null)
    await restoreHeld(db, tx, deleted)
    const copies = accepted.flatMap(({ id, media_id, heldId }) => (heldId === null ? [] : { id, media_id, heldId }))
    await discardGuestFiles(
      tx,
      copies.map(upload => upload.media_id),
      { at, personId },
    )
    await updateUploads(tx, idsOf(accepted), { state: 'accepted', decided_at: at, decided_by: personId })
    await setHeld(tx, copies)
    await addToAlbums(deps, tx, accepted, { personId, at })
    await recordDecision(deps, tx, accepted, { act: 'guests.accept', personId, at })
    return { ids: idsOf(accepted), held: copies.length }
  })
}

type AcceptedUpload = LockedUpload & { heldId: number | null; fileId: number }

/** To the end of each album, in the order of their dates. Albums that are deleted get none. */
async function addToAlbums(
  { db }: ReviewDeps,
  tx: Tx,
  accepted: readonly AcceptedUpload[],
  { personId, at }: { personId: number; at: number },
): Promise<void> {
  for (const [albumId, uploads] of byAlbum(accepted)) {
    const album = await lockAlbum(db, tx, albumId)
    if (!album || album.search !== null) continue
    const guests = new Map(uploads.map(({ fileId, guest }) => [fileId, guest]))
    const ordered = await sortedByDate(tx, [...guests.keys()])
    const added = new Set(await insertFiles(tx, albumId, ordered, { by: personId, at, guests }))
    await updateUploads(tx, idsOf(uploads.filter(({ fileId }) => added.has(fileId))), { added_to_album: 1 })
    if (added.size > 0) await announce(db, tx, { kind: 'albums', id: albumId }, 'everyone')
  }
}

export async function refuse(deps: ReviewDeps, personId: number, ids: readonly number[]): Promise<{ ids: number[] }> {
  const { db, clock } = deps
  return db.transaction(async tx => {
    const at = clock()
    const uploads = await lockUploads(db, tx, ids, ['waiting'])
    await discardGuestFiles(
      tx,
      uploads.map(upload => upload.media_id),
      { at, personId },
    )
    await updateUploads(tx, idsOf(uploads), { state: 'refused', decided_at: at, decided_by: personId })
    await recordDecision(deps, tx, uploads, { act: 'guests.refuse', personId, at })
    return { ids: idsOf(uploads) }
  })
}

/** The files wait again. Those that somebody has deleted from the library since stay deleted. */
export async function reconsider(
  deps: ReviewDeps,
  caller: Pick<Caller, 'id' | 'role'>,
  ids: readonly number[],
): Promise<Answer<typeof reconsiderGuestUploads>> {
  const { db, clock } = deps
  return db.transaction(async tx => {
    const at = clock()
    const decided = await lockUploads(db, tx, ids, ['accepted', 'refused'])
    const files = await lockGuestFiles(
      db,
      tx,
      decided.map(upload => upload.media_id),
    )
    const isInLibrary = (upload: LockedUpload) => upload.state === 'accepted' && upload.held_id === null
    const uploads = decided.filter(upload => {
      const isAllowed = upload.decided_by === caller.id || can(caller.role, 'library.care')
      return isAllowed && !(isInLibrary(upload) && files.get(upload.media_id)?.deleted_at !== null)
    })
    const shown = uploads.filter(isInLibrary)
    for (const [albumId, some] of byAlbum(uploads)) {
      await lockAlbum(db, tx, albumId)
      const added = some.filter(upload => upload.added_to_album === 1).map(upload => upload.held_id ?? upload.media_id)
      const { removed } = await markFilesRemoved(tx, albumId, added, { owner: 'anyone', by: caller.id, at })
      if (removed.length > 0) await announce(db, tx, { kind: 'albums', id: albumId }, 'everyone')
    }
    await hideGuestFiles(
      db,
      tx,
      shown.flatMap(upload => files.get(upload.media_id) ?? []),
    )
    const hidden = uploads.filter(upload => !isInLibrary(upload))
    await keepGuestFiles(
      tx,
      hidden.map(upload => upload.media_id),
    )
    const undecided = {
      state: 'waiting',
      decided_at: null,
      decided_by: null,
      held_id: null,
      added_to_album: 0,
    } as const
    await updateUploads(tx, idsOf(uploads), undecided)
    await recordDecision(deps, tx, uploads, { act: 'guests.reconsider', personId: caller.id, at })
    return { ids: idsOf(uploads) }
  })
}

const MAX_RECORDED_IDS = 100

async function recordDecision(
  { db }: ReviewDeps,
  tx: Tx,
  uploads: readonly LockedUpload[],
  { act, personId, at }: { act: 'guests.accept' | 'guests.refuse' | 'guests.reconsider'; personId: number; at: number },
): Promise<void> {
  if (uploads.length === 0) return
  await recordAudit(
    tx,
    byAlbum(uploads).map(([albumId, some]) => ({
      at,
      actorId: personId,
      act,
      subject: { type: 'album', id: albumId },
      before: { files: some.length, ids: some.slice(0, MAX_RECORDED_IDS).map(upload => upload.media_id) },
    })),
  )
  await announce(db, tx, { kind: 'guest-uploads' }, 'everyone')
}

/** In ascending order, so that two people who decide at the same time lock albums in the same one. 0: removed for good. */
function byAlbum<Upload extends LockedUpload>(uploads: readonly Upload[]): [number, Upload[]][] {
  return [...Map.groupBy(uploads, upload => upload.album_id ?? 0)].sort(([a], [b]) => a - b)
}

function idsOf(uploads: readonly { id: number }[]): number[] {
  return uploads.map(upload => upload.id)
}

const cleanUp = defineJob<null>('guest-uploads.clean-up', { everyMs: DAY / 24 })

/** An upload that was begun so long ago and not finished is gone. */
const UNFINISHED_AFTER = 2 * DAY

export function handleGuestUploadJobs(queue: Queue, { db, clock }: Pick<ReviewDeps, 'db' | 'clock'>): void {
  queue.handle(cleanUp, { run: () => db.transaction(tx => deleteRemains(tx, clock() - UNFINISHED_AFTER)) })
}
