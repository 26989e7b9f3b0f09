import type { FastifyRequest } from 'fastify'
import type { DuplicateOf, MediaFile } from '#contract/media.ts'
import type { MediaRow } from '../../db/schema.ts'
import { AppError } from '../../kit/errors.ts'
import type { Scratch } from '../../kit/scratch.ts'
import { type Caller, sessionSignal } from '../../kit/serve.ts'
import type { MediaTools } from '../prepare/tools.ts'
import { presentAll } from '../present.ts'
import { type Arrival, recogniseOrRefuse, type TakeInDeps, type TakenIn } from './arrival.ts'
import { checkClientPictures } from './client-variants.ts'
import { recogniseClip } from './clip.ts'
import { finishedUpload, noteFinished } from './finished.sql.ts'
import { type ReceivedFile, receiveForm } from './receive.ts'
import { ownUpload, type ResumableUploads } from './resumable.ts'
import { type Submission, submissionsOf } from './submission.ts'
import { takeIn } from './take-in.ts'

export interface UploadDeps extends TakeInDeps {
  scratch: Scratch
  resumable: ResumableUploads
  tools: MediaTools
  /** Whether the session of a call that began long ago is still good. */
  isSignedIn(caller: Caller): Promise<boolean>
}

export interface UploadAnswer {
  files: MediaFile[]
  duplicates: DuplicateOf[]
}

/** The upload call: everything is received and checked in scratch, and only then is the first file taken in. */
export async function upload(deps: UploadDeps, request: FastifyRequest, caller: Caller): Promise<UploadAnswer> {
  return deps.scratch.withFolder(async folder => {
    const form = await receiveForm(request, { folder, signal: sessionSignal(request) })
    const submissions = submissionsOf(form)
    const arrivals: (Arrival | MediaRow)[] = []
    for (const submission of submissions) arrivals.push(await arrivalOf(deps, submission, caller.id, folder))
    const results: TakenIn[] = []
    await refuseEndedSession(deps, request, caller)
    for (const arrival of arrivals) {
      results.push('original' in arrival ? await takeIn(deps, arrival) : { file: arrival })
    }
    await settleResumable(deps, submissions, results)
    const rows = results.flatMap(result => ('file' in result ? [result.file] : []))
    const duplicates = results.flatMap(result => ('duplicate' in result ? [result.duplicate] : []))
    return { files: await presentAll(deps, rows), duplicates }
  })
}

/** Nothing is stored for a session that ended in the meantime, even if no server has heard of its end yet. */
async function refuseEndedSession({ isSignedIn }: UploadDeps, request: FastifyRequest, caller: Caller): Promise<void> {
  sessionSignal(request).throwIfAborted()
  if (!(await isSignedIn(caller))) throw new AppError('not_signed_in', 'Please sign in.')
}

/** A file to take in, with everything about it that can be refused looked at; or the file that it already became. */
async function arrivalOf(
  deps: UploadDeps,
  submission: Submission,
  uploaderId: number,
  folder: string,
): Promise<Arrival | MediaRow> {
  const { told } = submission
  const { originalName: name, folderId = null } = told
  const original = submission.original ?? (await originalOf(deps, told.uploadId, uploaderId, folder))
  if ('id' in original) return original
  if (submission.claimedHash !== null && submission.claimedHash !== original.hash) {
    throw new AppError('hash_mismatch', `${name} did not arrive as it was sent. Please try again.`)
  }
  const still = await recogniseOrRefuse(deps, { name, original, folderId })
  const clip =
    submission.clip ?? (told.motionUploadId && (await deps.resumable.take(told.motionUploadId, uploaderId, folder)))
  const shown =
    submission.shown ??
    (told.convertedUploadId ? await deps.resumable.take(told.convertedUploadId, uploaderId, folder) : undefined)
  return {
    name,
    original,
    metadata: told.metadata ?? null,
    folderId,
    fileDate: told.lastModified ?? null,
    uploaderId,
    shown,
    pictures: await checkClientPictures(deps.tools, original, { variants: submission.variants, shown }, uploaderId),
    clip: clip ? { file: clip, recognised: await recogniseClip(name, still, clip) } : undefined,
  }
}

/** The bytes of a resumable upload, or the file that they already became: finishing twice gives the same file. */
async function originalOf(
  { db, resumable }: UploadDeps,
  uploadId: string | undefined,
  uploaderId: number,
  folder: string,
): Promise<ReceivedFile | MediaRow> {
  const own = ownUpload(uploadId ?? '', uploaderId)
  const finished = await finishedUpload(db.read, own)
  if (finished) return finished
  return resumable.take(own, uploaderId, folder).catch(async error => {
    // It may have been finished by another call at this very moment.
    const file = await finishedUpload(db.read, own)
    if (file) return file
    throw error
  })
}

/** What became of an upload is written down before its bytes are let go. */
async function settleResumable(
  { db, clock, resumable }: UploadDeps,
  submissions: Submission[],
  results: TakenIn[],
): Promise<void> {
  for (const [i, { told }] of submissions.entries()) {
    const result = results[i]
    if (!result) continue
    if (told.uploadId) {
      await noteFinished(db.read, told.uploadId, 'file' in result ? result.file.id : result.duplicate.id, clock())
      await resumable.forget(told.uploadId)
    }
    if (told.convertedUploadId) await resumable.forget(told.convertedUploadId)
    if (told.motionUploadId) await resumable.forget(told.motionUploadId)
  }
}
