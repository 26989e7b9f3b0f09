import type { MediaPartRow } from '../../db/schema.ts'
import { markDamaged } from '../../media/integrity.sql.ts'
import { deleteParts, findMedia, findParts, updateMedia } from '../../media/media.sql.ts'
import { enqueuePrepare, type PrepareDeps } from '../../media/prepare/jobs.ts'
import { canBeMadeAgain } from '../backup/files-list.sql.ts'
import { clearAvatar, idsAfter, peopleWithAvatars } from './repair-rows.sql.ts'
import type { FileProblem } from './restore-files.ts'

type RepairDeps = Pick<PrepareDeps, 'db' | 'storage' | 'queue' | 'clock'>

const AT_ONCE = 500

/**
 * Makes the rows consistent with the stored files: missing variants are enqueued for regeneration. Idempotent.
 * Returns the number of files to prepare.
 */
export async function repairRows(
  deps: RepairDeps,
  problems: readonly FileProblem[],
  signal: AbortSignal,
): Promise<number> {
  const { db, storage, clock } = deps
  for (const { mediaId } of problems) if (mediaId !== null) await markDamaged(db.query, mediaId, clock())
  for (const { id, avatar_key } of await peopleWithAvatars(db.query)) {
    if (avatar_key !== null && !(await storage.stat(avatar_key))) await clearAvatar(db.query, id)
  }
  let toPrepare = 0
  for (
    let ids = await idsAfter(db.query, 0, AT_ONCE);
    ids.length > 0;
    ids = await idsAfter(db.query, ids.at(-1) ?? 0, AT_ONCE)
  ) {
    signal.throwIfAborted()
    const lost = await lostParts(deps, ids)
    if (lost.size > 0) toPrepare += await enqueueAgain(deps, lost)
  }
  return toPrepare
}

/** Variants that have a row but no object in storage, by file. */
async function lostParts({ db, storage }: RepairDeps, ids: number[]): Promise<Map<number, MediaPartRow[]>> {
  const lost = new Map<number, MediaPartRow[]>()
  for (const [id, parts] of await findParts(db.query, ids)) {
    const made = parts.filter(part => canBeMadeAgain(part.kind))
    const there = await Promise.all(made.map(part => storage.stat(part.key)))
    const missing = made.filter((_, i) => !there[i])
    if (missing.length > 0) lost.set(id, missing)
  }
  return lost
}

/** Enqueues the files with missing variants; returns their number. */
async function enqueueAgain({ db, queue }: RepairDeps, lost: Map<number, MediaPartRow[]>): Promise<number> {
  return db.transaction(async tx => {
    let queued = 0
    for (const [id, parts] of lost) {
      await deleteParts(
        tx,
        id,
        parts.map(part => part.kind),
      )
      const media = await findMedia(tx, id)
      // Converted again on demand.
      if (!media || parts.every(({ kind }) => kind === 'compatible' || kind === 'shared')) continue
      await updateMedia(tx, id, {
        status: 'processing',
        progress: 0,
        failure_reason: null,
        failed_at: null,
        shown_part: media.shown_part === 'original' ? 'original' : null,
        motion_part: media.motion_part === 'motion' ? 'motion' : null,
      })
      await enqueuePrepare(queue, tx, media)
      queued++
    }
    return queued
  })
}
