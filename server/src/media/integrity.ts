import { recordAudit } from '../audit/public.ts'
import type { Database } from '../db/database.ts'
import type { MediaRow, Tx } from '../db/schema.ts'
import { defineJob, type Queue } from '../jobs/queue.ts'
import type { Clock } from '../kit/clock.ts'
import { AppError } from '../kit/errors.ts'
import type { Format } from '../processing/formats.ts'
import { createHasher } from '../processing/hash.ts'
import { findMissingEndIn } from '../processing/structure/completeness/find-missing-end.ts'
import { windowOver } from '../processing/structure/file-window.ts'
import { WATCHED } from '../storage/keys.ts'
import type { Storage } from '../storage/storage.ts'
import { announceFiles } from './announce.ts'
import { noSuchFile } from './edit.ts'
import { contentHashOf } from './hidden-files.sql.ts'
import { damageColumns } from './incomplete.ts'
import { markDamaged, markVerified, nextToVerify, postponeVerification } from './integrity.sql.ts'
import { findActiveMedia, findPart, resetFailed, updateMedia } from './media.sql.ts'
import { enqueuePrepare } from './prepare/jobs.ts'

export interface IntegrityDeps {
  db: Database
  storage: Storage
  clock: Clock
}

type VerifiedMedia = Pick<MediaRow, 'id' | 'hash' | 'format' | 'incomplete'>

/** Reads the stored original and compares its hash with the one computed at upload. */
export async function verifyOriginal(
  deps: IntegrityDeps,
  media: VerifiedMedia,
  signal?: AbortSignal,
): Promise<boolean> {
  const { db, clock } = deps
  const hash = await storedHash(deps, media.id, signal)
  if (hash === undefined && (await findPart(db.query, media.id, 'original'))?.key.startsWith(WATCHED)) {
    await postponeVerification(db.query, media.id, clock())
    return false
  }
  const whole = hash === contentHashOf(media)
  if (whole) {
    await markVerified(db.query, media.id, clock())
    if (media.incomplete === 0) await recordMissingEnd(deps, media)
  } else {
    await db.transaction(async tx => {
      await markDamaged(tx, media.id, clock())
      await announceFiles(db, tx, [media.id])
    })
  }
  return whole
}

/** For files that were uploaded before this was checked, or with a version that knew less about their format. */
async function recordMissingEnd(
  { db, storage }: IntegrityDeps,
  { id, format }: Pick<MediaRow, 'id' | 'format'>,
): Promise<void> {
  const original = await findPart(db.query, id, 'original')
  if (!original) return
  const { key, size } = original
  const window = windowOver(async (buffer, start) => {
    if (start >= size) return 0
    const { stream } = await storage.read(key, { start, end: Math.min(start + buffer.length, size) - 1 })
    let filled = 0
    for await (const chunk of stream as AsyncIterable<Buffer>) filled += chunk.copy(buffer, filled)
    return filled
  })
  const missing = await findMissingEndIn(window, size, format as Format)
  // Whether a JPEG lacks only its end marker is known from decoding it.
  if (!missing || missing.onlyMarker) return
  await db.transaction(async tx => {
    await updateMedia(tx, id, damageColumns(missing))
    await announceFiles(db, tx, [id])
  })
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

/** How long a good result is cached for requests of members. A file that was found damaged may be as it was again. */
const RESULT_VALID_MS = 10 * 60_000

/** By media id, so that concurrent requests share one verification. */
const runningVerifications = new WeakMap<Storage, Map<number, Promise<boolean>>>()

/** Whether the stored original is intact. A good result is reused, since reading an original of many gigabytes is expensive. */
async function isIntact(deps: IntegrityDeps, media: MediaRow): Promise<boolean> {
  const { id, verified_at, damaged_at } = media
  const age = deps.clock() - (verified_at ?? 0)
  if (damaged_at === null && verified_at !== null && age >= 0 && age < RESULT_VALID_MS) return true
  const readings = runningVerifications.get(deps.storage) ?? new Map<number, Promise<boolean>>()
  runningVerifications.set(deps.storage, readings)
  const reading = readings.get(id) ?? verifyOriginal(deps, media).finally(() => readings.delete(id))
  readings.set(id, reading)
  return reading
}

/**
 * Compares a hash computed by a browser with the stored original, which is read again. A wrong hash does not mark the
 * file as damaged, and a right one does not remove that mark; only the server's own verification does.
 */
export async function confirmHash(
  deps: IntegrityDeps & { queue: Queue },
  actorId: number,
  id: number,
  hash: string,
): Promise<MediaRow> {
  const { db, clock, queue } = deps
  const media = await findActiveMedia(db.query, id)
  if (!media) throw noSuchFile()
  const whole = await isIntact(deps, media)
  if (whole && media.damaged_at !== null) await healed({ db, queue }, media)
  if (whole && hash !== media.hash) {
    throw new AppError('conflict', 'files.otherHash')
  }
  await db.transaction(async tx => {
    const { verified_at, damaged_at } = media
    const line = { at: clock(), actorId, act: 'media.rehash' as const, subject: { type: 'media', id } }
    await recordAudit(tx, [{ ...line, before: { verified_at, damaged_at } }])
    await announceFiles(db, tx, [id])
  })
  if (!whole) {
    throw new AppError('conflict', 'files.notAsUploaded')
  }
  return (await findActiveMedia(db.query, id)) ?? media
}

/** A file that was damaged is as it was again: it may have failed only because of the damage. */
async function healed({ db, queue }: Pick<IntegrityDeps, 'db'> & { queue: Queue }, media: MediaRow): Promise<void> {
  await db.transaction(async tx => {
    if ((await resetFailed(tx, [media.id])).length > 0 || media.partly_damaged === 1)
      await enqueuePrepare(queue, tx, media)
    await announceFiles(db, tx, [media.id])
  })
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
      const media = await findActiveMedia(deps.db.query, mediaId)
      if (media && (await verifyOriginal(deps, media, signal))) await healed({ ...deps, queue }, media)
    },
  })
}
