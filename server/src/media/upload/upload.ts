import type { FastifyRequest } from 'fastify'
import { uploads } from '#contract/limits.ts'
import type { DuplicateOf, MediaFile } from '#contract/media.ts'
import type { FileMetadata } from '#contract/upload.ts'
import type { MediaRow } from '../../db/schema.ts'
import { AppError } from '../../kit/errors.ts'
import type { RequestSession } from '../../kit/open-requests.ts'
import { tooManyRequests } from '../../kit/rate-limiter.ts'
import type { RootFolder, Scratch } from '../../kit/safe-path.ts'
import { type Caller, sessionSignal } from '../../kit/serve.ts'
import type { DetectedFormat } from '../../processing/detect-format.ts'
import type { MediaTools } from '../prepare/tools.ts'
import { presentAll } from '../present.ts'
import {
  checkClientPictures,
  checkClip,
  checkOriginal,
  type IncomingClip,
  type IncomingFile,
  isLivePhotoPair,
} from './check-upload.ts'
import type { ResumableUploads } from './resumable.ts'
import { noSuchUpload, ownUpload, type UploadId } from './resumable-store.ts'
import { mediaIdOf, type StoredUpload, type StoreUploadDeps, storeUpload } from './store-upload.ts'
import { type ReceivedFile, receiveForm, type Submission, submissionsOf } from './upload-form.ts'
import { findFinishedUpload, insertFinishedUpload } from './uploads.sql.ts'

export interface UploadDeps extends StoreUploadDeps {
  scratch: Scratch
  resumable: ResumableUploads
  tools: MediaTools
  /** Whether the session of a long-running request is still valid. */
  isSignedIn(session: RequestSession): Promise<boolean>
}

export interface UploadResponse {
  files: MediaFile[]
  duplicates: DuplicateOf[]
  separate_clips?: number[]
}

/** Handles `POST /api/media/upload`: everything is received and checked in scratch before the first file is stored. */
export async function upload(deps: UploadDeps, request: FastifyRequest, caller: Caller): Promise<UploadResponse> {
  return withUploadSlot(caller.id, () =>
    deps.scratch.withFolder(async folder => {
      const form = await receiveForm(request, { folder, signal: sessionSignal(request) })
      // All ids first: a single one of another person refuses the whole request.
      const submissions = submissionsOf(form).map(submission => withOwnUploads(submission, caller.id))
      refuseRepeated(submissions.flatMap(({ uploads: own }) => Object.values(own)))
      const checked: (IncomingFile | MediaRow)[] = []
      for (const submission of submissions) {
        sessionSignal(request).throwIfAborted()
        checked.push(await checkSubmission(deps, submission, caller.id, folder))
      }
      const results: StoredUpload[] = []
      await refuseEndedSession(deps, request, caller)
      for (const file of checked) {
        results.push('original' in file ? await storeUpload(deps, file) : { file })
      }
      await finishResumable(deps, submissions, checked, results)
      const clips = results.flatMap(({ separateClip }) => separateClip ?? [])
      const stored = [...results, ...clips]
      const rows = stored.flatMap(result => ('file' in result ? [result.file] : []))
      const duplicates = stored.flatMap(result => ('duplicate' in result ? [result.duplicate] : []))
      const separate = clips.length > 0 ? { separate_clips: clips.map(mediaIdOf) } : {}
      return { files: await presentAll(deps, rows), duplicates, ...separate }
    }),
  )
}

/** How many upload requests of each person are running. */
const runningUploads = new Map<number, number>()

/** The page sends one at a time; a person may have several pages and devices. */
export async function withUploadSlot<T>(personId: number, work: () => Promise<T>): Promise<T> {
  const running = runningUploads.get(personId) ?? 0
  if (running >= uploads.openForms) throw tooManyRequests(10)
  runningUploads.set(personId, running + 1)
  try {
    return await work()
  } finally {
    const left = (runningUploads.get(personId) ?? 1) - 1
    if (left > 0) runningUploads.set(personId, left)
    else runningUploads.delete(personId)
  }
}

/** The caller's resumable uploads that carry the parts of a file. */
interface OwnUploads {
  original: UploadId | undefined
  converted: UploadId | undefined
  clip: UploadId | undefined
}

function withOwnUploads(submission: Submission, personId: number): Submission & { uploads: OwnUploads } {
  const { uploadId, convertedUploadId, motionUploadId } = submission.metadata
  const own = (text: string | undefined) => (text === undefined ? undefined : ownUpload(text, personId))
  return {
    ...submission,
    uploads: { original: own(uploadId), converted: own(convertedUploadId), clip: own(motionUploadId) },
  }
}

/** Each use of an upload copies and hashes it, so a repeated id would multiply the work. */
function refuseRepeated(ids: readonly (UploadId | undefined)[]): void {
  const named = ids.filter(id => id !== undefined)
  if (new Set(named).size < named.length) throw new AppError('malformed', 'upload.namedTwice')
}

/** Checks the database, since the session may have ended during the upload without this server knowing it yet. */
async function refuseEndedSession({ isSignedIn }: UploadDeps, request: FastifyRequest, caller: Caller): Promise<void> {
  sessionSignal(request).throwIfAborted()
  if (!(await isSignedIn(caller))) throw new AppError('not_signed_in', 'auth.signIn')
}

/** The checked file, ready to be stored; or the media row when this upload was finished before. */
async function checkSubmission(
  deps: UploadDeps,
  submission: Submission & { uploads: OwnUploads },
  uploaderId: number,
  folder: RootFolder,
): Promise<IncomingFile | MediaRow> {
  const { metadata, variants, uploads: own } = submission
  const { originalName: name, folderId = null } = metadata
  const original = submission.original ?? (await findOriginal(deps, own.original, folder))
  if ('id' in original) return original
  if (submission.claimedHash !== null && submission.claimedHash !== original.hash) {
    throw new AppError('hash_mismatch', 'upload.otherHash', { name })
  }
  const format = await checkOriginal(deps, { name, original, folderId })
  const copyUpload = (uploadId: UploadId | undefined) => uploadId && deps.resumable.copyTo(uploadId, folder)
  const clip = submission.clip ?? (await copyUpload(own.clip))
  const converted = submission.converted ?? (await copyUpload(own.converted))
  return {
    name,
    original,
    format,
    metadata: metadata.metadata ?? null,
    folderId,
    fileDate: metadata.lastModified ?? null,
    uploaderId,
    converted,
    pictures: await checkClientPictures(deps.tools, { original, format }, { variants, converted }, uploaderId),
    clip: clip && (await incomingClip(deps, { metadata, original, format }, clip, uploaderId)),
  }
}

async function incomingClip(
  { tools }: UploadDeps,
  still: { metadata: FileMetadata; original: ReceivedFile; format: DetectedFormat },
  clip: ReceivedFile,
  ownerId: number,
): Promise<IncomingClip> {
  const { originalName, motionName, motionLastModified } = still.metadata
  const format = await checkClip(originalName, still.format, clip)
  return {
    file: clip,
    format,
    name: motionName ?? originalName.replace(/(\.[^.]*)?$/, `.${format.extension}`),
    fileDate: motionLastModified ?? null,
    belongs: await isLivePhotoPair(
      tools,
      still.original.path,
      { path: clip.path, format },
      { ownerId, forRequest: true },
    ),
  }
}

/** The bytes of a resumable upload, or the media row they became before: finishing an upload is idempotent. */
async function findOriginal(
  { db, resumable }: UploadDeps,
  uploadId: UploadId | undefined,
  folder: RootFolder,
): Promise<ReceivedFile | MediaRow> {
  if (!uploadId) throw noSuchUpload()
  const finished = await findFinishedUpload(db.query, uploadId)
  if (finished) return finished
  return resumable.copyTo(uploadId, folder).catch(async error => {
    // A concurrent request may have finished it.
    const file = await findFinishedUpload(db.query, uploadId)
    if (file) return file
    throw error
  })
}

/** Records which media row an upload became before its bytes are removed, so that a repeated request finds the row. */
async function finishResumable(
  { db, clock, resumable }: UploadDeps,
  submissions: { uploads: OwnUploads }[],
  checked: readonly (IncomingFile | MediaRow)[],
  results: StoredUpload[],
): Promise<void> {
  for (const [i, { uploads: own }] of submissions.entries()) {
    const [file, result] = [checked[i], results[i]]
    if (!file || !result) continue
    const { original, converted, clip } = own
    if (original) {
      await insertFinishedUpload(db.query, original, mediaIdOf(result), clock())
    }
    // When the original was finished by an earlier request, the other uploads were not used: keep them.
    const used = 'original' in file ? [original, converted, clip] : [original]
    for (const uploadId of used) if (uploadId) await resumable.remove(uploadId)
  }
}
