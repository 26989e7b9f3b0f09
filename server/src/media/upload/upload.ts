import type { FastifyRequest } from 'fastify'
import { uploads } from '#contract/limits.ts'
import type { DuplicateOf, MediaFile } from '#contract/media.ts'
import type { FileMetadata } from '#contract/upload.ts'
import type { MediaRow } from '../../db/schema.ts'
import { AppError } from '../../kit/errors.ts'
import type { RequestSession } from '../../kit/open-requests.ts'
import { TooManyRequests } from '../../kit/rate-limiter.ts'
import type { RootFolder } from '../../kit/safe-path.ts'
import type { Scratch } from '../../kit/scratch.ts'
import { type Caller, sessionSignal } from '../../kit/serve.ts'
import type { Recognised } from '../../processing/recognise.ts'
import type { MediaTools } from '../prepare/tools.ts'
import { presentAll } from '../present.ts'
import { type Arrival, type ArrivedClip, recogniseOrRefuse, type TakeInDeps, type TakenIn } from './arrival.ts'
import { checkClientPictures } from './client-variants.ts'
import { recogniseClip } from './clip.ts'
import { finishedUpload, noteFinished } from './finished.sql.ts'
import { isLivePhotoPair } from './pairing.ts'
import { type ReceivedFile, receiveForm } from './receive.ts'
import type { ResumableUploads } from './resumable.ts'
import { type Submission, submissionsOf } from './submission.ts'
import { takeIn } from './take-in.ts'
import { noSuchUpload, ownUpload, type UploadId } from './upload-id.ts'

export interface UploadDeps extends TakeInDeps {
  scratch: Scratch
  resumable: ResumableUploads
  tools: MediaTools
  /** Whether the session of a call that began long ago is still good. */
  isSignedIn(session: RequestSession): Promise<boolean>
}

export interface UploadAnswer {
  files: MediaFile[]
  duplicates: DuplicateOf[]
  separate_clips?: number[]
}

/** The upload call: everything is received and checked in scratch, and only then is the first file taken in. */
export async function upload(deps: UploadDeps, request: FastifyRequest, caller: Caller): Promise<UploadAnswer> {
  return withOpenForm(caller.id, () =>
    deps.scratch.withFolder(async folder => {
      const form = await receiveForm(request, { folder, signal: sessionSignal(request) })
      // All of them before anything else: one id that is not the caller's refuses the whole call.
      const submissions = submissionsOf(form).map(submission => withOwnUploads(submission, caller.id))
      refuseRepeated(submissions.flatMap(({ uploads: own }) => Object.values(own)))
      const arrivals: (Arrival | MediaRow)[] = []
      for (const submission of submissions) {
        sessionSignal(request).throwIfAborted()
        arrivals.push(await arrivalOf(deps, submission, caller.id, folder))
      }
      const results: TakenIn[] = []
      await refuseEndedSession(deps, request, caller)
      for (const arrival of arrivals) {
        results.push('original' in arrival ? await takeIn(deps, arrival) : { file: arrival })
      }
      await settleResumable(deps, submissions, arrivals, results)
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
const openForms = new Map<number, number>()

/** The page sends one at a time; a person may have several pages and devices. */
async function withOpenForm<T>(personId: number, work: () => Promise<T>): Promise<T> {
  const open = openForms.get(personId) ?? 0
  if (open >= uploads.openForms) throw new TooManyRequests(10)
  openForms.set(personId, open + 1)
  try {
    return await work()
  } finally {
    const left = (openForms.get(personId) ?? 1) - 1
    if (left > 0) openForms.set(personId, left)
    else openForms.delete(personId)
  }
}

/** The resumable uploads that carry the parts of a file, each of which belongs to the caller. */
interface OwnUploads {
  original: UploadId | undefined
  shown: UploadId | undefined
  clip: UploadId | undefined
}

function withOwnUploads(submission: Submission, personId: number): Submission & { uploads: OwnUploads } {
  const { uploadId, convertedUploadId, motionUploadId } = submission.told
  const own = (text: string | undefined) => (text === undefined ? undefined : ownUpload(text, personId))
  return {
    ...submission,
    uploads: { original: own(uploadId), shown: own(convertedUploadId), clip: own(motionUploadId) },
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
async function arrivalOf(
  deps: UploadDeps,
  submission: Submission & { uploads: OwnUploads },
  uploaderId: number,
  folder: RootFolder,
): Promise<Arrival | MediaRow> {
  const { told, uploads: own } = submission
  const { originalName: name, folderId = null } = told
  const original = submission.original ?? (await originalOf(deps, own.original, folder))
  if ('id' in original) return original
  if (submission.claimedHash !== null && submission.claimedHash !== original.hash) {
    throw new AppError('hash_mismatch', `${name} did not arrive as it was sent. Please try again.`)
  }
  const still = await recogniseOrRefuse(deps, { name, original, folderId })
  const take = (uploadId: UploadId | undefined) => uploadId && deps.resumable.take(uploadId, folder)
  const clip = submission.clip ?? (await take(own.clip))
  const shown = submission.shown ?? (await take(own.shown))
  return {
    name,
    original,
    metadata: told.metadata ?? null,
    folderId,
    fileDate: told.lastModified ?? null,
    uploaderId,
    shown,
    pictures: await checkClientPictures(deps.tools, original, { variants: submission.variants, shown }, uploaderId),
    clip: clip && (await arrivedClip(deps, { told, original, clip, still }, uploaderId)),
  }
}

async function arrivedClip(
  { tools }: UploadDeps,
  pair: { told: FileMetadata; original: ReceivedFile; clip: ReceivedFile; still: Recognised },
  ownerId: number,
): Promise<ArrivedClip> {
  const { told, original, clip, still } = pair
  const recognised = await recogniseClip(told.originalName, still, clip)
  return {
    file: clip,
    recognised,
    name: told.motionName ?? told.originalName.replace(/(\.[^.]*)?$/, `.${recognised.extension}`),
    fileDate: told.motionLastModified ?? null,
    belongs: await isLivePhotoPair(tools, original.path, clip.path, { ownerId, forRequest: true }),
  }
}

function idOf(taken: TakenIn): number {
  return 'file' in taken ? taken.file.id : taken.duplicate.id
}

/** The bytes of a resumable upload, or the file that they already became: finishing twice gives the same file. */
async function originalOf(
  { db, resumable }: UploadDeps,
  uploadId: UploadId | undefined,
  folder: RootFolder,
): Promise<ReceivedFile | MediaRow> {
  if (!uploadId) throw noSuchUpload()
  const finished = await finishedUpload(db.query, uploadId)
  if (finished) return finished
  return resumable.take(uploadId, folder).catch(async error => {
    // It may have been finished by another call at this very moment.
    const file = await finishedUpload(db.query, uploadId)
    if (file) return file
    throw error
  })
}

/** What became of an upload is written down before its bytes are let go. */
async function settleResumable(
  { db, clock, resumable }: UploadDeps,
  submissions: { uploads: OwnUploads }[],
  arrivals: readonly (Arrival | MediaRow)[],
  results: TakenIn[],
): Promise<void> {
  for (const [i, { uploads: own }] of submissions.entries()) {
    const [arrival, result] = [arrivals[i], results[i]]
    if (!arrival || !result) continue
    const { original, shown, clip } = own
    if (original) {
      await noteFinished(db.query, original, idOf(result), clock())
    }
    // What was sent beside an upload that is finished already was not taken: its bytes stay.
    const taken = 'original' in arrival ? [original, shown, clip] : [original]
    for (const uploadId of taken) if (uploadId) await resumable.forget(uploadId)
  }
}
