import { recordAudit } from '../audit/public.ts'
import type { Database } from '../db/database.ts'
import type { MediaRow } from '../db/schema.ts'
import { defineJob } from '../jobs/job.ts'
import type { Queue } from '../jobs/queue.ts'
import type { Clock } from '../kit/clock.ts'
import { AppError } from '../kit/errors.ts'
import { createHasher } from '../processing/hash.ts'
import type { Storage } from '../storage/storage.ts'
import { announceFiles } from './announce.ts'
import { noSuchFile } from './edit.ts'
import { markDamaged, markVerified, nextToVerify } from './integrity.sql.ts'
import { liveMedia, part } from './media.sql.ts'

export interface IntegrityDeps {
  db: Database
  storage: Storage
  clock: Clock
}

/** Reads the stored original and compares it with the hash it came with. */
export async function verify(
  deps: IntegrityDeps,
  media: Pick<MediaRow, 'id' | 'hash'>,
  signal?: AbortSignal,
): Promise<boolean> {
  const { db, clock } = deps
  const whole = (await storedHash(deps, media.id, signal)) === media.hash
  if (whole) await markVerified(db.read, media.id, clock())
  else {
    await db.write(async tx => {
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
  const original = await part(db.read, mediaId, 'original')
  if (!original || !(await storage.stat(original.key))) return undefined
  const { stream } = await storage.read(original.key)
  const hasher = createHasher()
  for await (const chunk of stream) {
    signal?.throwIfAborted()
    hasher.update(chunk)
  }
  return hasher.digest()
}

/** A digest that a browser computed anew. It is right only when it is the stored original's, which is read to see. */
export async function confirmHash(deps: IntegrityDeps, actorId: number, id: number, hash: string): Promise<MediaRow> {
  const { db, clock } = deps
  const media = await liveMedia(db.read, id)
  if (!media) throw noSuchFile()
  const confirmed = hash === media.hash && (await storedHash(deps, id)) === hash
  await db.write(async tx => {
    const mark = confirmed ? markVerified : markDamaged
    await mark(tx, id, clock())
    const { verified_at, damaged_at } = media
    const line = { at: clock(), actorId, act: 'media.rehash' as const, subject: { type: 'media', id } }
    await recordAudit(tx, [{ ...line, before: { verified_at, damaged_at } }])
    await announceFiles(db, tx, [id])
  })
  if (!confirmed) throw new AppError('conflict', 'This file is not what was uploaded. The admins have been told.')
  return (await liveMedia(db.read, id)) ?? media
}

const HOUR = 3_600_000
const readInTurn = defineJob<null>('media.read-in-turn', { everyMs: 24 * HOUR, lane: 'slow', priority: 9 })

/** How long one night's reading may take, and how rarely one file is read. */
const NIGHT = 2 * HOUR
const REST = 30 * 24 * HOUR

/** Every night some originals, those not read for longest first, so that rot is found while a backup is still good. */
export function handleIntegrityJobs(queue: Queue, deps: IntegrityDeps): void {
  queue.handle(readInTurn, {
    async run(_payload, { signal }) {
      const { db, clock } = deps
      const until = clock() + NIGHT
      while (clock() < until) {
        signal.throwIfAborted()
        const media = await nextToVerify(db.read, clock() - REST)
        if (!media) return
        await verify(deps, media, signal)
      }
    },
  })
}
