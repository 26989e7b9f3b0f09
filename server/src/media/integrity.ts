import { recordAudit } from '../audit/public.ts'
import type { Database } from '../db/database.ts'
import type { MediaRow, Tx } from '../db/schema.ts'
import { defineJob, type Queue } from '../jobs/queue.ts'
import type { Clock } from '../kit/clock.ts'
import { AppError } from '../kit/errors.ts'
import { createHasher } from '../processing/hash.ts'
import type { Storage } from '../storage/storage.ts'
import { announceFiles } from './announce.ts'
import { noSuchFile } from './edit.ts'
import { contentHashOf } from './guest-files.sql.ts'
import { markDamaged, markVerified, nextToVerify } from './integrity.sql.ts'
import { findActiveMedia, findPart, resetFailed } from './media.sql.ts'
import { enqueuePrepare } from './prepare/jobs.ts'

export interface IntegrityDeps {
  db: Database
  storage: Storage
  clock: Clock
}

/** Reads the stored original and compares its hash with the one computed at upload. */
export async function verifyOriginal(
  deps: IntegrityDeps,
  media: Pick<MediaRow, 'id' | 'hash'>,
  signal?: AbortSignal,
): Promise<boolean> {
  const { db, clock } = deps
  const whole = (await storedHash(deps, media.id, signal)) === contentHashOf(media)
  if (whole) await markVerified(db.query, media.id, clock())
  else {
    await db.transaction(async tx => {
      await markDamaged(tx, media.id, clock())
      await announceFiles(db, tx, [media.id])
    })
  }
  return whole
}

async function storedHash(
  { db, storage }: IntegrityDeps,
  mediaId: number,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const original = await findPart(db.query, mediaId, 'original')
  if (!original || !(await storage.stat(original.key))) return undefined
  const { stream } = await storage.read(original.key)
  const hasher = createHasher()
  for await (const chunk of stream) {
    signal?.throwIfAborted()
    hasher.update(chunk)
  }
  return hasher.digest()
}

/** How long a result is cached for requests of members. An admin's retry always reads the file. */
const RESULT_VALID_MS = 10 * 60_000

/** By media id, so that concurrent requests share one verification. */
const runningVerifications = new WeakMap<Storage, Map<number, Promise<boolean>>>()

/** Whether the stored original is intact. Results are reused, since reading an original of many gigabytes is expensive. */
async function isIntact(deps: IntegrityDeps, media: MediaRow): Promise<boolean> {
  const { id, verified_at, damaged_at } = media
  const age = deps.clock() - (verified_at ?? 0)
  if (verified_at !== null && age >= 0 && age < RESULT_VALID_MS) return damaged_at === null
  const readings = runningVerifications.get(deps.storage) ?? new Map<number, Promise<boolean>>()
  runningVerifications.set(deps.storage, readings)
  const reading = readings.get(id) ?? verifyOriginal(deps, media).finally(() => readings.delete(id))
  readings.set(id, reading)
  return reading
}

/**
 * Compares a hash computed by a browser with the stored original, which is read again. A wrong hash does not mark the
 * file as damaged; only the server's own verification does.
 */
export async function confirmHash(deps: IntegrityDeps, actorId: number, id: number, hash: string): Promise<MediaRow> {
  const { db, clock } = deps
  const media = await findActiveMedia(db.query, id)
  if (!media) throw noSuchFile()
  const whole = await isIntact(deps, media)
  if (whole && hash !== media.hash) {
    throw new AppError('conflict', 'This hash is not that of the file. The file itself was checked and is fine.')
  }
  await db.transaction(async tx => {
    const { verified_at, damaged_at } = media
    const line = { at: clock(), actorId, act: 'media.rehash' as const, subject: { type: 'media', id } }
    await recordAudit(tx, [{ ...line, before: { verified_at, damaged_at } }])
    await announceFiles(db, tx, [id])
  })
  if (!whole) {
    throw new AppError('conflict', 'This file is no longer what was uploaded. An admin can see it under Failed files.')
  }
  return (await findActiveMedia(db.query, id)) ?? media
}

const HOUR = 3_600_000
const verifyNightly = defineJob<null>('media.verify', { everyMs: 24 * HOUR, lane: 'slow', priority: 9 })

/** Reads one original again, because an admin asked for it. */
const verifyAgain = defineJob<{ mediaId: number }>('media.verify-again', { lane: 'slow', priority: 3 })

export async function enqueueVerifyAll(queue: Queue, tx: Tx, files: readonly Pick<MediaRow, 'id'>[]): Promise<void> {
  const jobs = files.map(({ id }) => ({
    payload: { mediaId: id },
    options: { uniqueKey: `${verifyAgain.name}:${id}` },
  }))
  await queue.enqueueAll(tx, verifyAgain, jobs)
}

/** How long one run may take, and how often each file is verified. */
const NIGHTLY_BUDGET_MS = 2 * HOUR
const VERIFY_EVERY_MS = 30 * 24 * HOUR

/** Verifies some originals every night, least recently verified first, so that bit rot is found while backups are good. */
export function handleIntegrityJobs(queue: Queue, deps: IntegrityDeps): void {
  queue.handle(verifyNightly, {
    async run(_payload, { signal }) {
      const { db, clock } = deps
      const until = clock() + NIGHTLY_BUDGET_MS
      while (clock() < until) {
        signal.throwIfAborted()
        const media = await nextToVerify(db.query, clock() - VERIFY_EVERY_MS)
        if (!media) return
        await verifyOriginal(deps, media, signal)
      }
    },
  })
  queue.handle(verifyAgain, {
    async run({ mediaId }, { signal }) {
      const { db } = deps
      const media = await findActiveMedia(db.query, mediaId)
      if (!media || !(await verifyOriginal(deps, media, signal))) return
      await db.transaction(async tx => {
        // It may have failed only because of the damage.
        if ((await resetFailed(tx, [mediaId])).length > 0 || media.partly_damaged === 1)
          await enqueuePrepare(queue, tx, media)
        await announceFiles(db, tx, [mediaId])
      })
    },
  })
}
