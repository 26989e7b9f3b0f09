import type { FailedFile } from '#contract/admin.ts'
import { bulkRetry } from '#contract/limits.ts'
import type { ErrorArguments, ErrorKey } from '#messages/errors.ts'
import { recordAudit } from '../audit/public.ts'
import { recordChange } from '../changes/public.ts'
import type { MediaRow } from '../db/schema.ts'
import type { Queue } from '../jobs/queue.ts'
import { toIso } from '../kit/clock.ts'
import { AppError, inEnglish } from '../kit/errors.ts'
import { announceFiles } from './announce.ts'
import { noSuchFile } from './edit.ts'
import { enqueueVerifyAll, type IntegrityDeps, verifyOriginal } from './integrity.ts'
import { findActiveMedia, findPartKeys, lockFailed, resetFailed } from './media.sql.ts'
import { enqueuePrepareAll } from './prepare/jobs.ts'
import type { StoreUploadDeps } from './upload/store-upload.ts'

export async function presentFailedFiles({ db, storage }: IntegrityDeps, rows: MediaRow[]): Promise<FailedFile[]> {
  const parts = await findPartKeys(
    db.query,
    rows.map(row => row.id),
  )
  return rows.map(row => {
    const original = parts.get(row.id)?.original
    if (original === undefined) throw new Error(`File ${row.id} has no original`)
    return {
      id: row.id,
      original_name: row.original_name,
      file_type: row.file_type,
      file_size: row.file_size,
      ...failureOf(row),
      since: toIso(row.damaged_at ?? row.failed_at ?? row.uploaded_at),
      download_url: storage.signedUrl(original, { download: row.original_name }),
    }
  })
}

type Failure = Pick<FailedFile, 'problem' | 'reason' | 'reason_key' | 'reason_values'>

function failureOf(row: MediaRow): Failure {
  if (row.damaged_at !== null) return { problem: 'damaged', ...because('files.reason.damaged') }
  if (row.status === 'failed') {
    // What was stored when it failed is in English alone.
    const stored = row.failure_reason
    return { problem: 'failed', ...(stored === null ? because('files.reason.notPrepared') : { reason: stored }) }
  }
  if (row.incomplete === 1) return { problem: 'incomplete', ...because('files.reason.incomplete') }
  const kind = row.file_type === 'video' ? 'video' : 'other'
  return { problem: 'partly_damaged', ...because('files.reason.partlyDamaged', { kind }) }
}

function because<Key extends ErrorKey>(key: Key, ...[values]: ErrorArguments<Key>): Omit<Failure, 'problem'> {
  return { reason: inEnglish({ key, values }), reason_key: key, reason_values: values }
}

/** Prepares a failed or partly damaged file again, or verifies one whose stored bytes were found to be damaged. */
export async function retryPreparation(
  deps: IntegrityDeps & Pick<StoreUploadDeps, 'prepare'>,
  adminId: number,
  id: number,
): Promise<void> {
  const { db, clock } = deps
  const media = await findActiveMedia(db.query, id)
  if (!media) throw noSuchFile()
  const { damaged_at, failure_reason } = media
  const whole = damaged_at === null || (await verifyOriginal(deps, media))
  await db.transaction(async tx => {
    const unprepared = (damaged_at === null && (await resetFailed(tx, [id])).length > 0) || media.partly_damaged === 1
    if (damaged_at === null && !unprepared) throw new AppError('conflict', 'files.fine')
    if (whole && unprepared) await deps.prepare(tx, media)
    const line = { at: clock(), actorId: adminId, act: 'media.retry' as const, subject: { type: 'media', id } }
    await recordAudit(tx, [{ ...line, before: { damaged_at, failure_reason } }])
    await announceFiles(db, tx, [id])
  })
}

/**
 * The same for all of them at once, in one transaction. The stored bytes of damaged ones are read by jobs, because that
 * may take hours.
 */
export async function retryAllFailed(
  deps: Pick<IntegrityDeps, 'db' | 'clock'> & { queue: Queue },
  adminId: number,
): Promise<{ retried: number; more: boolean }> {
  const { db, clock, queue } = deps
  return db.bulkTransaction(bulkRetry.files, async tx => {
    const files = await lockFailed(db, tx, bulkRetry.files)
    const [damaged, unprepared] = [files.filter(isDamaged), files.filter(file => !isDamaged(file))]
    await resetFailed(
      tx,
      unprepared.map(({ id }) => id),
    )
    await enqueuePrepareAll(queue, tx, unprepared)
    await enqueueVerifyAll(queue, tx, damaged)
    await recordChange(tx, {
      ...{ act: 'media.retry', field: null, actorId: adminId, at: clock() },
      files: files.map(({ id, file_type, damaged_at, failure_reason }) => ({
        ...{ id, file_type },
        before: { damaged_at, failure_reason },
      })),
    })
    await announceFiles(
      db,
      tx,
      files.map(({ id }) => id),
    )
    return { retried: files.length, more: files.length === bulkRetry.files }
  })
}

function isDamaged(file: Pick<MediaRow, 'damaged_at'>): boolean {
  return file.damaged_at !== null
}
