import { uploads } from '#contract/limits.ts'
import { checkDuplicate } from '#contract/media.ts'
import { type FileMetadata, nameInForm, resumableUploadsPath, uploadMedia } from '#contract/upload.ts'
import { CallFailed, type Client, delay } from './client.ts'

/** A file to upload. In browsers a `File` is the blob, in Node `openAsBlob` makes one that is read as it is sent. */
export interface SourceFile {
  blob: Blob
  name: string
  /** BLAKE3 of the bytes, in hex. */
  hash: string
  /** In epoch milliseconds. */
  lastModified?: number
  /** The moving part of a Live Photo. */
  clip?: Omit<SourceFile, 'clip'>
}

/** Remembers the addresses of unfinished resumable uploads by the hash of their bytes, to go on with them later. */
export interface Unfinished {
  get(hash: string): string | undefined
  set(hash: string, address: string | undefined): void | Promise<void>
}

export interface UploadOptions {
  folderId?: number | undefined
  unfinished?: Unfinished
  /** More bytes have been sent, or were there already. */
  onProgress?: (bytes: number) => void
  signal?: AbortSignal
}

export interface Uploaded {
  /** Of the new files, or of those that have the same bytes. */
  ids: number[]
  duplicate: boolean
}

const TUS = { 'tus-resumable': '1.0.0' }
/** Of one chunk, each after a longer pause. */
const MOST_FAILURES = 8

/** Sends a file unless the library has it already: whole, or in chunks that go on where they stopped. */
export async function uploadFile(client: Client, file: SourceFile, options: UploadOptions = {}): Promise<Uploaded> {
  const { onProgress, folderId, signal } = options
  const { duplicates } = await client.call(checkDuplicate, { body: { hash: file.hash } })
  const whole = duplicates.filter(({ incomplete }) => !incomplete)
  if (whole.length > 0) {
    onProgress?.(file.blob.size + (file.clip?.blob.size ?? 0))
    return { ids: whole.map(({ id }) => id), duplicate: true }
  }
  const { clip } = file
  const [uploadId, motionUploadId] = [
    await sendIfLarge(client, file, options),
    clip && (await sendIfLarge(client, clip, options)),
  ]
  const metadata: FileMetadata = {
    originalName: file.name,
    hash: file.hash,
    folderId,
    lastModified: file.lastModified,
    uploadId,
    ...(clip ? { motionUploadId, motionName: clip.name, motionLastModified: clip.lastModified } : {}),
  }
  const form = new FormData()
  if (!uploadId) form.append('files', file.blob, nameInForm(file.name))
  if (clip && !motionUploadId) form.append('files', clip.blob, nameInForm(`motion_${file.name}`))
  form.append('fileMetadata', JSON.stringify(metadata))
  const response = await retried(
    () => client.requestUpload(uploadMedia.path, { method: uploadMedia.method, body: form, signal }),
    signal,
  )
  for (const part of [file, clip]) if (part && part.blob.size <= uploads.resumableAbove) onProgress?.(part.blob.size)
  for (const { hash } of clip ? [file, clip] : [file]) await options.unfinished?.set(hash, undefined)
  const answer = uploadMedia.answer.parse(await response.json())
  return { ids: [...answer.files, ...answer.duplicates].map(({ id }) => id), duplicate: answer.files.length === 0 }
}

/** The id of the resumable upload of a large file; undefined for a small one. */
async function sendIfLarge(
  client: Client,
  { blob, hash }: Pick<SourceFile, 'blob' | 'hash'>,
  { unfinished, onProgress, signal }: UploadOptions,
): Promise<string | undefined> {
  if (blob.size <= uploads.resumableAbove) return undefined
  const known = unfinished?.get(hash)
  const left = known === undefined ? undefined : await offsetOf(client, known, signal)
  const address = known !== undefined && left !== undefined ? known : await begin(client, blob.size, signal)
  await unfinished?.set(hash, address)
  let offset = left ?? 0
  onProgress?.(offset)
  let failures = 0
  while (offset < blob.size) {
    try {
      const next = await sendChunk(client, address, blob, offset, signal)
      onProgress?.(next - offset)
      ;[offset, failures] = [next, 0]
    } catch (error) {
      if (!isPassing(error) || ++failures > MOST_FAILURES) throw error
      await delay(pauseAfter(failures), signal)
      const arrived = await offsetOf(client, address, signal).catch(() => offset)
      if (arrived === undefined) throw error
      onProgress?.(arrived - offset)
      offset = arrived
    }
  }
  return address.split('/').at(-1)
}

async function begin(client: Client, size: number, signal: AbortSignal | undefined): Promise<string> {
  const headers = { ...TUS, 'upload-length': String(size) }
  const begun = await client.requestUpload(resumableUploadsPath, { method: 'POST', headers, signal })
  const location = begun.headers.get('location')
  if (location === null) throw new Error('The server did not say where to send the file.')
  return new URL(location, 'http://any.example').pathname
}

/** Undefined if the upload is not there any more. */
async function offsetOf(client: Client, address: string, signal: AbortSignal | undefined): Promise<number | undefined> {
  try {
    const response = await client.requestUpload(address, { method: 'HEAD', headers: TUS, signal })
    return Number(response.headers.get('upload-offset'))
  } catch (error) {
    if (error instanceof CallFailed && [403, 404, 410].includes(error.status)) return undefined
    throw error
  }
}

async function sendChunk(
  client: Client,
  address: string,
  blob: Blob,
  offset: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  const headers = { ...TUS, 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' }
  const body = blob.slice(offset, offset + uploads.chunkBytes)
  const response = await client.requestUpload(address, { method: 'PATCH', headers, body, signal })
  return Number(response.headers.get('upload-offset'))
}

/** Storing a file twice is harmless: the second answer names a duplicate. */
async function retried<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  for (let failures = 1; ; failures++) {
    try {
      return await work()
    } catch (error) {
      if (!isPassing(error) || failures > MOST_FAILURES) throw error
      await delay(pauseAfter(failures), signal)
    }
  }
}

/** A lost connection, a restart of the server, or another request that still writes to the same upload. */
function isPassing(error: unknown): boolean {
  return error instanceof CallFailed && [0, 409, 423, 502, 503, 504].includes(error.status)
}

function pauseAfter(failures: number): number {
  return Math.min(500 * 2 ** failures, 30_000)
}
