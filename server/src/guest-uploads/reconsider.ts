import type { Answer } from '#contract/endpoint.ts'
import type { reconsiderGuestUploads } from '#contract/guest-uploads.ts'
import { can } from '#contract/rights.ts'
import { markFilesRemoved } from '../albums/public.ts'
import type { GuestUploadRow, Tx } from '../db/schema.ts'
import type { Caller } from '../kit/serve.ts'
import { announce } from '../live/announce.ts'
import { hideGuestFiles, keepGuestFiles, lockGuestFiles } from '../media/public.ts'
import {
  hasBytes,
  idsOfSameFiles,
  type LockedUpload,
  libraryFileOf,
  lockRows,
  swapBytes,
  updateUploads,
} from './guest-uploads.sql.ts'
import { byAlbum, type GuestReviewDeps, idsOf, lockAlbums, recordDecision } from './review.ts'

/**
 * The files wait again. Those that somebody has deleted from the library since stay deleted, and those that another guest
 * has sent too stay in the library and the album as that guest's.
 */
export async function reconsider(
  deps: GuestReviewDeps,
  caller: Pick<Caller, 'id' | 'role'>,
  ids: readonly number[],
): Promise<Answer<typeof reconsiderGuestUploads>> {
  const { db, clock } = deps
  return db.bulkTransaction(ids.length, async tx => {
    const at = clock()
    const rows = await lockRows(db, tx, [...ids, ...(await idsOfSameFiles(tx, ids))], ['accepted', 'rejected'])
    const given = new Set(ids)
    const [decided, others] = [rows.filter(row => given.has(row.id)), rows.filter(row => !given.has(row.id))]
    await lockAlbums(deps, tx, decided)
    const files = await lockGuestFiles(
      db,
      tx,
      rows.flatMap(row => row.media_id ?? []),
    )
    const isChangeable = (upload: LockedUpload) => {
      const isAllowed = upload.decided_by === caller.id || can(caller.role, 'library.administer')
      return isAllowed && !(isInLibrary(upload) && files.get(upload.media_id)?.deleted_at !== null)
    }
    const candidates = decided.filter(hasBytes).filter(isChangeable)
    const changing = new Set(idsOf(candidates))
    const remaining = [...others, ...decided.filter(row => !changing.has(row.id))].filter(isAccepted)
    const { uploads, shown, hidden } = await handOver(tx, candidates, remaining)
    await removeFromAlbums(deps, tx, uploads, { remaining, personId: caller.id, at })
    await hideGuestFiles(
      db,
      tx,
      shown.flatMap(id => files.get(id) ?? []),
    )
    await keepGuestFiles(tx, hidden)
    const undecided = {
      state: 'waiting',
      decided_at: null,
      decided_by: null,
      duplicate_id: null,
      added_to_album: 0,
    } as const
    await updateUploads(tx, idsOf(uploads), undecided)
    await recordDecision(deps, tx, uploads, { act: 'guests.reconsider', personId: caller.id, at })
    return { ids: idsOf(uploads) }
  })
}

const isAccepted = (upload: GuestUploadRow) => upload.state === 'accepted'

/** Whether its own bytes are a file of the library. */
const isInLibrary = (upload: GuestUploadRow) => isAccepted(upload) && upload.duplicate_id === null

/**
 * A file of the library that other accepted uploads need stays there: one of them takes it over, and its own copy of the
 * bytes waits instead. Where their copies are purged, the upload stays accepted. Returns the uploads that wait again, and
 * the files that leave the library or stay hidden.
 */
async function handOver(
  tx: Tx,
  candidates: readonly LockedUpload[],
  remaining: readonly GuestUploadRow[],
): Promise<{ uploads: LockedUpload[]; shown: number[]; hidden: number[] }> {
  const needed = Map.groupBy(remaining, upload => upload.duplicate_id)
  const [uploads, shown, hidden]: [LockedUpload[], number[], number[]] = [[], [], []]
  for (const upload of candidates) {
    const others = isInLibrary(upload) ? needed.get(upload.media_id) : undefined
    const heir = others?.find(hasBytes)
    if (others && !heir) continue
    uploads.push(upload)
    if (heir) await swapBytes(tx, upload, heir)
    if (isInLibrary(upload) && !heir) shown.push(upload.media_id)
    else hidden.push(heir?.media_id ?? upload.media_id)
  }
  return { uploads, shown, hidden }
}

/** Where another guest has sent the same file to the same album, it stays there as that guest's. */
async function removeFromAlbums(
  { db }: GuestReviewDeps,
  tx: Tx,
  uploads: readonly LockedUpload[],
  { remaining, personId, at }: { remaining: readonly GuestUploadRow[]; personId: number; at: number },
): Promise<void> {
  const staying = new Map(byAlbum(remaining).map(([albumId, some]) => [albumId, Map.groupBy(some, libraryFileOf)]))
  for (const [albumId, some] of byAlbum(uploads)) {
    const added = some
      .filter(upload => upload.added_to_album === 1)
      .map(upload => upload.duplicate_id ?? upload.media_id)
    const kept = added.flatMap(id => staying.get(albumId)?.get(id) ?? [])
    await updateUploads(tx, idsOf(kept), { added_to_album: 1 })
    const leaving = added.filter(id => !staying.get(albumId)?.has(id))
    const { removed } = await markFilesRemoved(tx, albumId, leaving, { owner: 'anyone', by: personId, at })
    if (removed.length > 0) await announce(db, tx, { kind: 'albums', id: albumId }, 'everyone')
  }
}
