import type { FastifyRequest } from 'fastify'
import type { DuplicateOf, MediaFile } from '#contract/media.ts'
import { AppError } from '../../kit/errors.ts'
import type { Scratch } from '../../kit/scratch.ts'
import type { MediaTools } from '../prepare/tools.ts'
import { presentAll } from '../present.ts'
import { checkClientPictures } from './client-variants.ts'
import { finishedUpload, noteFinished } from './finished.sql.ts'
import { type ReceivedFile, receiveForm } from './receive.ts'
import type { ResumableUploads } from './resumable.ts'
import { type Submission, submissionsOf } from './submission.ts'
import { type TakeInDeps, type TakenIn, takeIn } from './take-in.ts'

export interface UploadDeps extends TakeInDeps {
  scratch: Scratch
  resumable: ResumableUploads
  tools: MediaTools
}

export interface UploadAnswer {
  files: MediaFile[]
  duplicates: DuplicateOf[]
}

/** The upload call: everything is received and checked in scratch, then taken in file by file. */
export async function upload(deps: UploadDeps, request: FastifyRequest, uploaderId: number): Promise<UploadAnswer> {
  return deps.scratch.withFolder(async folder => {
    const form = await receiveForm(request, folder)
    const results: TakenIn[] = []
    for (const submission of submissionsOf(form)) {
      results.push(await takeSubmission(deps, submission, uploaderId, folder))
    }
    const rows = results.flatMap(result => ('file' in result ? [result.file] : []))
    const duplicates = results.flatMap(result => ('duplicate' in result ? [result.duplicate] : []))
    return { files: await presentAll(deps, rows), duplicates }
  })
}

async function takeSubmission(
  deps: UploadDeps,
  submission: Submission,
  uploaderId: number,
  folder: string,
): Promise<TakenIn> {
  const { told } = submission
  const finished = told.uploadId && (await finishedUpload(deps.db.read, told.uploadId))
  if (finished) return { file: finished }

  const takeUpload = (id: string) => deps.resumable.take(id, uploaderId, folder)
  const original = submission.original ?? (told.uploadId ? await takeUpload(told.uploadId) : undefined)
  if (!original) throw new AppError('malformed', `The bytes of ${told.originalName} are missing.`)
  refuseOtherHash(original, submission.claimedHash, told.originalName)

  const result = await takeIn(deps, {
    name: told.originalName,
    original,
    metadata: told.metadata ?? null,
    folderId: told.folderId ?? null,
    fileDate: told.lastModified ?? null,
    uploaderId,
    shown: submission.shown ?? (told.convertedUploadId ? await takeUpload(told.convertedUploadId) : undefined),
    pictures: await checkClientPictures(deps.tools, original, submission),
  })
  await settleResumable(deps, submission, result)
  return result
}

/** Finishing twice gives the same file, so the upload's fate is written down before its bytes are let go. */
async function settleResumable(deps: UploadDeps, { told }: Submission, result: TakenIn): Promise<void> {
  if (told.uploadId) {
    const mediaId = 'file' in result ? result.file.id : result.duplicate.id
    await noteFinished(deps.db.read, told.uploadId, mediaId, deps.clock())
    await deps.resumable.forget(told.uploadId)
  }
  if (told.convertedUploadId) await deps.resumable.forget(told.convertedUploadId)
}

function refuseOtherHash(original: ReceivedFile, claimed: string | null, name: string): void {
  if (claimed === null || claimed === original.hash) return
  throw new AppError('hash_mismatch', `${name} did not arrive as it was sent. Please try again.`)
}
