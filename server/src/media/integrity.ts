import { recordAudit } from '../audit/public.ts'
import type { Database } from '../db/database.ts'
import type { MediaRow } from '../db/schema.ts'
import { defineJob, type Queue } from '../jobs/queue.ts'
import type { Clock } from '../kit/clock.ts'
import { AppError } from '../kit/errors.ts'
import { createHasher } from '../processing/hash.ts'
import type { Storage } from '../storage/storage.ts'
import { announceFiles } from './announce.ts'
import { noSuchFile } from './edit.ts'
import { markDamaged, markVerified, nextToVerify } from './integrity.sql.ts'
import { findActiveMedia, part } from './media.sql.ts'

export interface IntegrityDeps {
  db: Database
  storage: Storage
  clock: Clock
}

/** Reads the stored original and compares it with the hash it came with. */
export async function verifyOriginal(
  deps: IntegrityDeps,
  media: Pick<MediaRow, 'id' | 'hash'>,
  signal?: AbortSignal,
): Promise<boolean> {
  const { db, clock } = deps
  const whole = (await storedHash(deps, media.id, signal)) === media.hash
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
  const original = await part(db.query, mediaId, 'original')
  if (!original || !(await storage.stat(original.key))) return undefined
  const { stream } = await storage.read(original.key)
  const hasher = createHasher()
  for await (const chunk of stream) {
    signal?.throwIfAborted()
    hasher.update(chunk)
  }
  return hasher.digest()
}

/** What a reading found holds for this long before a person can have the file read again; admins can at once. */
const RESULT_VALID_MS = 10 * 60_000

/** Readings under way, by file: however often one is asked for, its bytes are read once at a time. */
const runningVerifications = new WeakMap<Storage, Map<number, Promise<boolean>>>()

/**
 * Whether the stored original is what was uploaded, by the server's own reading. Originals may be of many gigabytes, so
 * that asking in a loop costs no more than asking once.
 */
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
 * A digest that a browser computed. It is right only when it is that of the stored original, which is read to see. A
 * wrong one says nothing about the file: it is damaged only where our own reading finds it so.
 */
export async function confirmHash(deps: IntegrityDeps, actorId: number, id: number, hash: string): Promise<MediaRow> {
  const { db, clock } = deps
  const media = await findActiveMedia(db.query, id)
  if (!media) throw noSuchFile()
  const whole = await isIntact(deps, media)
  // Nothing has changed, so there is nothing to record either.
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
const verifyNightly = defineJob<null>('media.read-in-turn', { everyMs: 24 * HOUR, lane: 'slow', priority: 9 })

/** How long one night's reading may take, and how rarely one file is read. */
const NIGHTLY_BUDGET_MS = 2 * HOUR
const VERIFY_EVERY_MS = 30 * 24 * HOUR

/** Every night some originals, those not read for longest first, so that rot is found while a backup is still good. */
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
}
