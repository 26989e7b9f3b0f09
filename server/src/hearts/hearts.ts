import type { AuditAct } from '#contract/audit.ts'
import { recordAudit } from '../audit/public.ts'
import type { Database } from '../db/database.ts'
import type { Tx } from '../db/schema.ts'
import type { Clock } from '../kit/clock.ts'
import { announce } from '../live/announce.ts'
import { lockActiveMedia, noSuchFile } from '../media/public.ts'
import type { Notified } from '../notifications/public.ts'
import { deleteHearts, insertHearts, selectHearted } from './hearts.sql.ts'
import { deleteEmptyHeartNotifications, lockHeartNotifications, notifyOfHearts } from './notifications.ts'

export interface HeartDeps {
  db: Database
  clock: Clock
  notified?: Notified
}

interface Outcome {
  /** How many of the files exist. */
  found: number
  /** The files that were changed. */
  changed: number[]
}

/** Idempotent: a file that the person loves already changes nothing and notifies nobody. */
export async function heartFile(deps: HeartDeps, personId: number, mediaId: number): Promise<void> {
  if ((await heartFiles(deps, personId, [mediaId])).found === 0) throw noSuchFile()
}

export async function unheartFile(deps: HeartDeps, personId: number, mediaId: number): Promise<void> {
  if ((await unheartFiles(deps, personId, [mediaId])).found === 0) throw noSuchFile()
}

/** Deleted files are skipped. */
export async function heartFiles(deps: HeartDeps, personId: number, mediaIds: readonly number[]): Promise<Outcome> {
  const { db, clock } = deps
  return db.bulkTransaction(mediaIds.length, async tx => {
    // The lock also serialises two requests of one person for the same file.
    const files = await lockActiveMedia(db, tx, mediaIds)
    const hearted = new Set(await selectHearted(tx, personId, idsOf(files)))
    const added = files.filter(({ id }) => !hearted.has(id))
    const at = clock()
    const notifications = await notifyOfHearts(deps, tx, { actorId: personId, uploaderIds: added.map(uploaderOf) })
    for (const [uploaderId, theirs] of Map.groupBy(added, uploaderOf)) {
      const notificationId = notifications.get(uploaderId) ?? null
      await insertHearts(tx, idsOf(theirs), { personId, at, notificationId })
    }
    await recordHearts(deps, tx, { act: 'media.heart', personId, ids: idsOf(added) })
    return { found: files.length, changed: idsOf(added) }
  })
}

/** Deleted files are skipped. */
export async function unheartFiles(deps: HeartDeps, personId: number, mediaIds: readonly number[]): Promise<Outcome> {
  const { db } = deps
  return db.bulkTransaction(mediaIds.length, async tx => {
    const files = await lockActiveMedia(db, tx, mediaIds)
    const removed = await selectHearted(tx, personId, idsOf(files))
    const notifications = await lockHeartNotifications(deps, tx, { actorId: personId, mediaIds: removed })
    await deleteHearts(tx, personId, removed)
    await deleteEmptyHeartNotifications(deps, tx, notifications)
    await recordHearts(deps, tx, { act: 'media.unheart', personId, ids: removed })
    return { found: files.length, changed: removed }
  })
}

export async function recordHearts(
  { db, clock }: HeartDeps,
  tx: Tx,
  { act, personId, ids }: { act: AuditAct; personId: number; ids: number[] },
): Promise<void> {
  const [first] = ids
  if (first === undefined) return
  // One line for all: anybody may give and take hearts, which must not push all else out of the activity log.
  const before = ids.length === 1 ? {} : { before: { files: ids.length } }
  await recordAudit(tx, [{ at: clock(), actorId: personId, act, subject: { type: 'media', id: first }, ...before }])
  await announce(db, tx, { kind: 'hearts', person_id: personId, ids }, 'everyone')
}

function idsOf(files: readonly { id: number }[]): number[] {
  return files.map(file => file.id)
}

function uploaderOf(file: { uploaded_by: number }): number {
  return file.uploaded_by
}
