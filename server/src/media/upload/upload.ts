import type { FastifyRequest } from 'fastify'
import { uploads } from '#contract/limits.ts'
import type { DuplicateOf, MediaFile } from '#contract/media.ts'
import type { FileMetadata } from '#contract/upload.ts'
import type { MediaRow } from '../../db/schema.ts'
import { AppError } from '../../kit/errors.ts'
import type { RequestSession } from '../../kit/open-requests.ts'
import { TooManyRequests } from '../../kit/rate-limiter.ts'
import type { RootFolder, Scratch } from '../../kit/safe-path.ts'
import { type Caller, sessionSignal } from '../../kit/serve.ts'
import type { DetectedFormat } from '../../processing/recognise.ts'
import type { MediaTools } from '../prepare/tools.ts'
import { presentAll } from '../present.ts'
import {
  detectOrRefuse,
  type IncomingClip,
  type IncomingFile,
  type StoredUpload,
  type StoreUploadDeps,
} from './arrival.ts'
import { checkClientPictures } from './client-variants.ts'
import { detectClip } from './clip.ts'
import { findFinishedUpload, insertFinishedUpload } from './finished.sql.ts'
import { isLivePhotoPair } from './pairing.ts'
import { type ReceivedFile, receiveForm } from './receive.ts'
import type { ResumableUploads } from './resumable.ts'
import { type Submission, submissionsOf } from './submission.ts'
import { storeUpload } from './take-in.ts'
import { noSuchUpload, ownUpload, type UploadId } from './upload-id.ts'

export interface UploadDeps extends StoreUploadDeps {
  scratch: Scratch
  resumable: ResumableUploads
  tools: MediaTools
  /** Whether the session of a call that began long ago is still good. */
  isSignedIn(session: RequestSession): Promise<boolean>
}

export interface UploadResponse {
  files: MediaFile[]
  duplicates: DuplicateOf[]
  separate_clips?: number[]
}

/** The upload call: everything is received and checked in scratch, and only then is the first file taken in. */
export async function upload(deps: UploadDeps, request: FastifyRequest, caller: Caller): Promise<UploadResponse> {
  return withUploadSlot(caller.id, () =>
    deps.scratch.withFolder(async folder => {
      const form = await receiveForm(request, { folder, signal: sessionSignal(request) })
      // All of them before anything else: one id that is not the caller's refuses the whole call.
      const submissions = submissionsOf(form).map(submission => withOwnUploads(submission, caller.id))
      refuseRepeated(submissions.flatMap(({ uploads: own }) => Object.values(own)))
      const arrivals: (IncomingFile | MediaRow)[] = []
      for (const submission of submissions) {
        sessionSignal(request).throwIfAborted()
        arrivals.push(await checkSubmission(deps, submission, caller.id, folder))
      }
      const results: StoredUpload[] = []
      await refuseEndedSession(deps, request, caller)
      for (const arrival of arrivals) {
        results.push('original' in arrival ? await storeUpload(deps, arrival) : { file: arrival })
      }
      await finishResumable(deps, submissions, arrivals, results)
      const clips = results.flatMap(({ separateClip }) => separateClip ?? [])
      const taken = [...results, ...clips]
      const rows = taken.flatMap(result => ('file' in result ? [result.file] : []))
      const duplicates = taken.flatMap(result => ('duplicate' in result ? [result.duplicate] : []))
      const separate = clips.length > 0 ? { separate_clips: clips.map(idOf) } : {}
      return { files: await presentAll(deps, rows), duplicates, ...separate }
    }),
  )
}

/** Upload calls under way, by person. */
const runningUploads = new Map<number, number>()

/** The page sends one at a time; a person may have several pages and devices. */
async function withUploadSlot<T>(personId: number, work: () => Promise<T>): Promise<T> {
  const open = runningUploads.get(personId) ?? 0
  if (open >= uploads.openForms) throw new TooManyRequests(10)
  runningUploads.set(personId, open + 1)
  try {
    return await work()
  } finally {
    const left = (runningUploads.get(personId) ?? 1) - 1
    if (left > 0) runningUploads.set(personId, left)
    else runningUploads.delete(personId)
  }
}

/** The resumable uploads that carry the parts of a file, each of which belongs to the caller. */
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

/** Each use of an upload copies and hashes it. */
function refuseRepeated(ids: readonly (UploadId | undefined)[]): void {
  const named = ids.filter(id => id !== undefined)
  if (new Set(named).size < named.length) throw new AppError('malformed', 'An upload is named twice in this call.')
}

/** Nothing is stored for a session that ended in the meantime, even if no server has heard of its end yet. */
async function refuseEndedSession({ isSignedIn }: UploadDeps, request: FastifyRequest, caller: Caller): Promise<void> {
  sessionSignal(request).throwIfAborted()
  if (!(await isSignedIn(caller))) throw new AppError('not_signed_in', 'Please sign in.')
}

/** A file to take in, with everything about it that can be refused looked at; or the file that it already became. */
async function checkSubmission(
  deps: UploadDeps,
  submission: Submission & { uploads: OwnUploads },
  uploaderId: number,
  folder: RootFolder,
): Promise<IncomingFile | MediaRow> {
  const { metadata: told, uploads: own } = submission
  const { originalName: name, folderId = null } = told
  const original = submission.original ?? (await findOriginal(deps, own.original, folder))
  if ('id' in original) return original
  if (submission.claimedHash !== null && submission.claimedHash !== original.hash) {
    throw new AppError('hash_mismatch', `${name} did not arrive as it was sent. Please try again.`)
  }
  const still = await detectOrRefuse(deps, { name, original, folderId })
  const take = (uploadId: UploadId | undefined) => uploadId && deps.resumable.copyTo(uploadId, folder)
  const clip = submission.clip ?? (await take(own.clip))
  const shown = submission.converted ?? (await take(own.converted))
  return {
    name,
    original,
    metadata: told.metadata ?? null,
    folderId,
    fileDate: told.lastModified ?? null,
    uploaderId,
    converted: shown,
    pictures: await checkClientPictures(
      deps.tools,
      original,
      { variants: submission.variants, converted: shown },
      uploaderId,
    ),
    clip: clip && (await checkClip(deps, { told, original, clip, still }, uploaderId)),
  }
}

async function checkClip(
  { tools }: UploadDeps,
  pair: { told: FileMetadata; original: ReceivedFile; clip: ReceivedFile; still: DetectedFormat },
  ownerId: number,
): Promise<IncomingClip> {
  const { told, original, clip, still } = pair
  const recognised = await detectClip(told.originalName, still, clip)
  return {
    file: clip,
    recognised,
    name: told.motionName ?? told.originalName.replace(/(\.[^.]*)?$/, `.${recognised.extension}`),
    fileDate: told.motionLastModified ?? null,
    belongs: await isLivePhotoPair(tools, original.path, clip.path, { ownerId, forRequest: true }),
  }
}

function idOf(taken: StoredUpload): number {
  return 'file' in taken ? taken.file.id : taken.duplicate.id
}

/** The bytes of a resumable upload, or the file that they already became: finishing twice gives the same file. */
async function findOriginal(
  { db, resumable }: UploadDeps,
  uploadId: UploadId | undefined,
  folder: RootFolder,
): Promise<ReceivedFile | MediaRow> {
  if (!uploadId) throw noSuchUpload()
  const finished = await findFinishedUpload(db.query, uploadId)
  if (finished) return finished
  return resumable.copyTo(uploadId, folder).catch(async error => {
    // It may have been finished by another call at this very moment.
    const file = await findFinishedUpload(db.query, uploadId)
    if (file) return file
    throw error
  })
}

/** What became of an upload is written down before its bytes are let go. */
async function finishResumable(
  { db, clock, resumable }: UploadDeps,
  submissions: { uploads: OwnUploads }[],
  arrivals: readonly (IncomingFile | MediaRow)[],
  results: StoredUpload[],
): Promise<void> {
  for (const [i, { uploads: own }] of submissions.entries()) {
    const [arrival, result] = [arrivals[i], results[i]]
    if (!arrival || !result) continue
    const { original, converted: shown, clip } = own
    if (original) {
      await insertFinishedUpload(db.query, original, idOf(result), clock())
    }
    // What was sent beside an upload that is finished already was not taken: its bytes stay.
    const taken = 'original' in arrival ? [original, shown, clip] : [original]
    for (const uploadId of taken) if (uploadId) await resumable.remove(uploadId)
  }
}
