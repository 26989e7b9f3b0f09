import { uploads } from '#contract/limits.ts'
import { getMedia, type MediaFile } from '#contract/media.ts'
import type { PhotoMetadata } from '#contract/metadata.ts'
import { type FileMetadata, type ImageVariants, nameInForm } from '#contract/upload.ts'
import { ApiError, call } from '../kit/api.ts'
import { incompleteText } from '../media/incomplete-text.ts'
import type { PartRole, ResumeUrls } from './pending-uploads-db.ts'
import type { PreparedParts } from './prepare/prepare.ts'
import { retryUntilOnline } from './retry.ts'
import { texts } from './texts.ts'
import { sendForm, sendResumable } from './upload-requests.ts'

export interface SendOptions {
  /** Origin that uploads are sent to; empty for the page's own. */
  host: string
  /** Where resumable uploads begin; that of guests is another one. */
  path?: string
  signal: AbortSignal
  resumeUrls: ResumeUrls
  onResumeUrlsChanged: () => void
  /** From 0 to 1. */
  onProgress: (done: number) => void
  onOffline: (offline: boolean) => void
}

/** The stored file with the hash that the server computed, or the duplicate that the library already has. */
export type SendResult = ({ outcome: 'stored'; hash: string } | { outcome: 'duplicate'; name: string }) & {
  /** The clip did not belong to this photo and was stored as a separate video. */
  clipIsSeparate: boolean
  /** What is missing of the file or its clip, if its end is. */
  incomplete: string | null
}

/** Sends a file and retries over lost connections until it is stored or rejected. */
export async function sendUpload(payload: UploadPayload, options: SendOptions): Promise<SendResult> {
  const { resumeUrls } = options
  const begunBefore = resumeUrls.size > 0
  try {
    return await sendOnce(payload, options)
  } catch (error) {
    // The server deleted the expired partial uploads, so they are sent again.
    if (!begunBefore || !(error instanceof ApiError) || error.status !== 404) throw error
    resumeUrls.clear()
    return sendOnce(payload, options)
  }
}

async function sendOnce(payload: UploadPayload, options: SendOptions): Promise<SendResult> {
  const meter = new ProgressMeter(totalBytes(payload), options)
  const ids = new Map<PartRole, string>()
  for (const [role, part] of largeParts(payload)) ids.set(role, await sendPart(role, part, options, meter))
  return sendFinalForm(payload, ids, options, meter)
}

/** Uploads a large part before the final request and returns its id. */
export async function sendPart(
  role: PartRole,
  part: Blob,
  options: SendOptions,
  meter: ProgressMeter,
): Promise<string> {
  const { resumeUrls, onResumeUrlsChanged } = options
  const onResumeUrl = (url: string | undefined) => {
    if (url === undefined) resumeUrls.delete(role)
    else resumeUrls.set(role, url)
    onResumeUrlsChanged()
  }
  const attempt = () =>
    sendResumable(part, {
      ...options,
      resumeUrl: resumeUrls.get(role),
      onResumeUrl,
      onProgress: bytes => meter.report(role, bytes),
    })
  const id = await retryUntilOnline(() => checkReadable(part, attempt), options)
  meter.report(role, part.size)
  return id
}

/**
 * A failed request looks the same for a lost connection and for a removed memory card. Only the first is worth a retry.
 */
async function checkReadable<T>(file: Blob, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    await file
      .slice(0, 1)
      .arrayBuffer()
      .catch(cause => {
        throw new Error(texts.errors.unreadable, { cause })
      })
    throw error
  }
}

async function sendFinalForm(
  payload: UploadPayload,
  ids: Map<PartRole, string>,
  options: SendOptions,
  meter: ProgressMeter,
): Promise<SendResult> {
  const { host, signal } = options
  const form = buildForm(payload, ids)
  let tries = 0
  const attempt = () => {
    tries++
    return sendForm(form, { host, signal, onProgress: bytes => meter.report('form', bytes) })
  }
  const answer = await retryUntilOnline(() => checkReadable(payload.original, attempt), options)
  const clips = new Set(answer.separate_clips)
  const clipIsSeparate = clips.size > 0
  const stored = answer.files.find(file => !clips.has(file.id))
  const incomplete = whatIsMissing(answer.files)
  if (stored) return { outcome: 'stored', hash: stored.hash, clipIsSeparate, incomplete }
  const duplicate = answer.duplicates.find(file => !clips.has(file.id))
  if (!duplicate) throw new ApiError(0, 'unreadable', texts.errors.upload)
  const nothingNew = !payload.motion || (clipIsSeparate && answer.files.length === 0)
  if (tries === 1 && nothingNew) {
    const same = duplicate.incomplete ? texts.duplicate.incomplete : null
    return { outcome: 'duplicate', name: duplicate.original_name, clipIsSeparate, incomplete: incomplete ?? same }
  }
  // An earlier attempt was stored and only its response was lost, or a clip was added to its still.
  const earlier = await retryUntilOnline(() => call(getMedia, { params: { id: duplicate.id } }, signal), options)
  return { outcome: 'stored', hash: earlier.hash, clipIsSeparate, incomplete: incomplete ?? whatIsMissing([earlier]) }
}

function whatIsMissing(files: readonly Pick<MediaFile, 'file_size' | 'incomplete'>[]): string | null {
  const [text = null] = files.flatMap(file => (file.incomplete ? incompleteText(file.file_size, file.incomplete) : []))
  return text
}

function totalBytes({ original, converted, motion, images }: UploadPayload): number {
  const made = images?.variants.flatMap(({ blob }) => (blob === original ? [] : [blob])) ?? []
  return [original, converted, motion, ...made].reduce((sum, part) => sum + (part?.size ?? 0), 0)
}

/** Sums up the progress of several requests. Any progress proves that the connection works. */
export class ProgressMeter {
  #total: number
  #options: SendOptions
  #sent = new Map<string, number>()

  constructor(total: number, options: SendOptions) {
    this.#total = total
    this.#options = options
  }

  report(part: string, bytes: number): void {
    this.#sent.set(part, bytes)
    const sent = [...this.#sent.values()].reduce((sum, bytes) => sum + bytes, 0)
    this.#options.onOffline(false)
    this.#options.onProgress(Math.min(1, sent / Math.max(1, this.#total)))
  }
}

/** A file with everything that is uploaded with it. */
export interface UploadPayload {
  name: string
  original: File
  hash: string | null
  metadata: PhotoMetadata | null
  folderId: number | null
  motion: File | null
  /** Absent if the server prepares them. */
  images?: PreparedParts['images']
  converted?: PreparedParts['converted']
}

const idFields = { original: 'uploadId', converted: 'convertedUploadId', motion: 'motionUploadId' } as const

/** The parts that are large enough for a resumable upload. */
export function largeParts(payload: UploadPayload): [PartRole, Blob][] {
  const { original, motion } = payload
  const parts = Object.entries({ original, converted: displayVersionOf(payload), motion }) as [
    PartRole,
    Blob | null | undefined,
  ][]
  return parts.filter((part): part is [PartRole, Blob] => (part[1]?.size ?? 0) > uploads.resumableAbove)
}

/** The version for browsers that cannot show the original. */
function displayVersionOf({ converted, images }: UploadPayload): Blob | undefined {
  if (!images || images.fullIsOriginal) return converted
  return images.variants.find(({ type }) => type === 'full')?.blob
}

/** The form of the final request. Parts that were uploaded before are replaced by their ids. */
export function buildForm(payload: UploadPayload, ids: ReadonlyMap<PartRole, string>): FormData {
  const form = new FormData()
  const { name, original, motion } = payload
  const fields = {
    originalName: name,
    hash: payload.hash,
    metadata: payload.metadata,
    folderId: payload.folderId,
    // 0: not known, as of files from the share menu of a device.
    lastModified: original.lastModified || null,
    ...(motion && { motionName: motion.name, motionLastModified: motion.lastModified }),
    ...Object.fromEntries([...ids].map(([role, id]) => [idFields[role], id])),
  }
  if (payload.images) addPhoto(form, payload, fields, ids)
  else addFile(form, payload, fields, ids)
  if (motion && !ids.has('motion')) addPart(form, motion, `motion_${name}`)
  return form
}

function addPhoto(
  form: FormData,
  payload: UploadPayload,
  fields: FileMetadata,
  ids: ReadonlyMap<PartRole, string>,
): void {
  const { name, original, images } = payload
  if (!images) return
  const { variants, fullIsOriginal } = images
  for (const { type, blob } of variants) {
    if (type !== 'full' || !(fullIsOriginal || ids.has('converted'))) addPart(form, blob, `${type}_${name}`)
  }
  if (!ids.has('original')) addPart(form, original, `${fullIsOriginal ? 'full' : 'original'}_${name}`)
  const sizes = variants.map(({ type, width, height }) => ({ type, width, height }))
  form.append('imageVariants', JSON.stringify({ ...fields, variants: sizes } satisfies ImageVariants))
}

function addFile(
  form: FormData,
  payload: UploadPayload,
  fields: FileMetadata,
  ids: ReadonlyMap<PartRole, string>,
): void {
  const { name, original, converted, hash } = payload
  if (converted && !ids.has('converted')) addPart(form, converted, `${name.replace(/\.[^.]*$/, '')}.mp4`)
  if (!ids.has('original')) addPart(form, original, converted ? `original_${name}` : name)
  if (hash !== null) form.append('hashes', hash)
  form.append('fileMetadata', JSON.stringify(fields))
}

function addPart(form: FormData, bytes: Blob, name: string): void {
  form.append('files', bytes, nameInForm(name))
}
