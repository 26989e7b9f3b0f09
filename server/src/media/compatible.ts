import { compatibleVersions } from '#contract/limits.ts'
import type { Database } from '../db/database.ts'
import type { MediaRow } from '../db/schema.ts'
import type { Queue } from '../jobs/queue.ts'
import { AppError } from '../kit/errors.ts'
import { announceFiles } from './announce.ts'
import { noSuchFile } from './edit.ts'
import { findPart, lockActiveMediaRow, updateMedia } from './media.sql.ts'
import { convertCompatible, enqueueCompatible } from './prepare/jobs.ts'

/**
 * Queues a version of a video that the caller's device can play. Idempotent: a second request finds the running or
 * finished conversion. A failed one is retried.
 */
export async function requestCompatibleVersion(
  { db, queue }: { db: Database; queue: Queue },
  personId: number,
  id: number,
): Promise<MediaRow> {
  return db.transaction(async tx => {
    const media = await lockActiveMediaRow(db, tx, id)
    if (!media) throw noSuchFile()
    // Until it has been converted, the type is that of the original.
    if (media.shown_part === null) throw new AppError('conflict', 'files.beingPrepared')
    if (media.playback_type === null) throw new AppError('conflict', 'files.needsNoVersion')
    if (media.compatible_progress !== null || (await findPart(tx, id, 'compatible'))) return media
    if ((await queue.countWaitingOf(tx, convertCompatible, personId)) >= compatibleVersions.waitingPerPerson) {
      throw new AppError('too_many_requests', 'files.manyVersions')
    }
    const reset = { compatible_progress: 0, compatible_failure: null }
    await updateMedia(tx, id, reset)
    await enqueueCompatible(queue, tx, id, personId)
    await announceFiles(db, tx, [id])
    return { ...media, ...reset }
  })
}
