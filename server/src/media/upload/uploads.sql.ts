import { randomUUID } from 'node:crypto'
import { ERRORS, type Lock, type Locker } from '@tus/server'
import type { Handle, MediaRow, Tx } from '../../db/schema.ts'
import type { Clock } from '../../kit/clock.ts'
import type { UploadId } from './resumable-store.ts'

export async function findFinishedUpload(handle: Handle, uploadId: UploadId): Promise<MediaRow | undefined> {
  return handle
    .selectFrom('finished_uploads')
    .innerJoin('media', 'media.id', 'finished_uploads.media_id')
    .selectAll('media')
    .where('finished_uploads.upload_id', '=', uploadId)
    .where('media.deleted_at', 'is', null)
    .executeTakeFirst()
}

export async function insertFinishedUpload(
  handle: Handle,
  uploadId: UploadId,
  mediaId: number,
  now: number,
): Promise<void> {
  await handle
    .insertInto('finished_uploads')
    .values({ upload_id: uploadId, media_id: mediaId, finished_at: now })
    .onConflict(conflict => conflict.column('upload_id').doNothing())
    .execute()
}

export async function deleteFinishedUploads(tx: Tx, before: number): Promise<void> {
  await tx.deleteFrom('finished_uploads').where('finished_at', '<', before).execute()
}

/** A lease expires after this time unless its server renews it. */
const LEASE_MS = 10_000
const RENEW_EVERY_MS = 1_000
const POLL_EVERY_MS = 200
const GIVE_UP_AFTER_MS = 30_000

/**
 * A mutex per upload for all servers, as a lease in the database. A request that waits asks the holder to release the
 * lock: after a broken connection the holder is the same person's own old request.
 */
export function databaseLocker({ query }: { query: Handle }, clock: Clock): Locker {
  return { newLock: uploadId => newLock(query, clock, uploadId) }
}

function newLock(db: Handle, clock: Clock, uploadId: string): Lock {
  const holder = randomUUID()
  let renewal: NodeJS.Timeout | undefined

  async function tryAcquire(): Promise<boolean> {
    const now = clock()
    const mine = { holder, expires_at: now + LEASE_MS, requested_at: null }
    const taken = await db
      .insertInto('upload_locks')
      .values({ upload_id: uploadId, ...mine })
      .onConflict(conflict => conflict.column('upload_id').doUpdateSet(mine).where('upload_locks.expires_at', '<', now))
      .returning('holder')
      .executeTakeFirst()
    return taken?.holder === holder
  }

  async function requestRelease(): Promise<void> {
    await db.updateTable('upload_locks').set({ requested_at: clock() }).where('upload_id', '=', uploadId).execute()
  }

  /** Whether another request waits for the lock, or the lease was lost: both end this request. */
  async function renew(): Promise<boolean> {
    const held = await ours()
      .set({ expires_at: clock() + LEASE_MS })
      .returning('requested_at')
      .executeTakeFirst()
    return held?.requested_at !== null
  }

  const ours = () => db.updateTable('upload_locks').where('upload_id', '=', uploadId).where('holder', '=', holder)

  return {
    async lock(signal, cancelReq) {
      const deadline = performance.now() + GIVE_UP_AFTER_MS
      while (!(await tryAcquire())) {
        if (signal.aborted || performance.now() > deadline) throw ERRORS.ERR_LOCK_TIMEOUT
        await requestRelease()
        await new Promise(resolve => setTimeout(resolve, POLL_EVERY_MS))
      }
      renewal = setInterval(() => {
        // Ignore a failed renewal: if the database stays unreachable, the lease expires.
        renew().then(
          wanted => wanted && cancelReq(),
          () => undefined,
        )
      }, RENEW_EVERY_MS)
    },
    async unlock() {
      clearInterval(renewal)
      await db.deleteFrom('upload_locks').where('upload_id', '=', uploadId).where('holder', '=', holder).execute()
    },
  }
}
