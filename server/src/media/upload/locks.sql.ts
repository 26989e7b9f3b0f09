import { randomUUID } from 'node:crypto'
import { ERRORS, type Lock, type Locker } from '@tus/server'
import type { Handle } from '../../db/schema.ts'
import type { Clock } from '../../kit/clock.ts'

/** A server that died holds on for this long; one that lives says so again well before. */
const LEASE_MS = 10_000
const RENEW_EVERY_MS = 1_000
const POLL_EVERY_MS = 200
const GIVE_UP_AFTER_MS = 30_000

/**
 * One request at a time writes to an upload, whichever server it reaches. A newcomer says that it waits, and whoever
 * holds the lock lets go: after a broken connection that is the same person's own old request.
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

  /** Answers whether somebody waits; having lost the lock is as good a reason to end. */
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
        // A database that is away for a moment says nothing about the lock; past its time it is anybody's.
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
