import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { AbortMultipartUploadCommand, HeadObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { AppError } from '#server/kit/errors.ts'
import { abortable } from '../abortable.ts'
import { contentTypeOf } from '../content-types.ts'
import { attachmentHeader } from '../download-name.ts'
import { asStoreError, isConflict, isMissing, unlessMissing } from './store-errors.ts'

interface Target {
  Bucket: string
  Key: string
}

const PART_BYTES = 8 * 1024 * 1024
/** S3 allows 10,000 parts; the rest is a margin for a file that grew while it was sent. */
const MAX_PARTS = 9_000
const PARTS_AT_ONCE = 3
/** Objects are immutable; their URLs change every half hour. */
const CACHING = 'private, max-age=3600, immutable'

/** Streams into a new object, with a multipart upload if it is large. On failure nothing is left. */
export async function putStream(
  client: S3Client,
  target: Target,
  source: AsyncIterable<Uint8Array>,
  { size: expected = 0, signal }: { size?: number; signal?: AbortSignal },
): Promise<{ size: number }> {
  signal?.throwIfAborted()
  const partSize = Math.max(PART_BYTES, Math.ceil(expected / MAX_PARTS))
  const watched = watch(source, {
    signal: signal ?? new AbortController().signal,
    partSize,
    // Not every store checks `IfNoneMatch` when a multipart upload completes, so existence is checked first.
    async beforeSecondPart() {
      if (await unlessMissing(client.send(new HeadObjectCommand(target)))) throw keyTaken()
    },
  })
  // Identifies our object if the response of the store is lost.
  const mark = randomUUID()
  const upload = new Upload({
    client,
    params: { ...target, ...headersFor(target.Key), Body: watched.body, IfNoneMatch: '*', Metadata: { put: mark } },
    partSize,
    queueSize: PARTS_AT_ONCE,
  })
  try {
    await upload.done()
    return { size: watched.size() }
  } catch (error) {
    if (watched.failure() === undefined && (await isOurs(client, target, mark, error))) return { size: watched.size() }
    await abortUpload(client, target, upload.uploadId)
    if (watched.failure() !== undefined) throw watched.failure()
    throw isConflict(error) ? keyTaken(error) : asStoreError(error)
  }
}

function keyTaken(cause?: unknown): AppError {
  return new AppError('conflict', 'storage.nameTaken', { cause })
}

function headersFor(key: string) {
  const type = contentTypeOf(key)
  return {
    ContentType: type ?? 'application/octet-stream',
    ContentDisposition: type ? 'inline' : attachmentHeader(key.slice(key.lastIndexOf('/') + 1)),
    CacheControl: CACHING,
  }
}

interface Watch {
  signal: AbortSignal
  partSize: number
  beforeSecondPart(): Promise<void>
}

/** The source as an abortable stream that counts its bytes and records its error. */
function watch(source: AsyncIterable<Uint8Array>, { signal, partSize, beforeSecondPart }: Watch) {
  // An error before the stream is first read would be unhandled and end the process. Reading it reports the error again.
  if (source instanceof Readable) source.on('error', () => undefined)
  let size = 0
  let failure: unknown
  async function* counted() {
    try {
      for await (const chunk of abortable(source, signal)) {
        const wasOnePart = size <= partSize
        size += chunk.byteLength
        if (wasOnePart && size > partSize) await beforeSecondPart()
        yield chunk
      }
    } catch (error) {
      failure = error
      throw error
    }
  }
  return { body: Readable.from(counted(), { objectMode: false }), size: () => size, failure: () => failure }
}

/** A retried request may conflict with its own first attempt, whose response was lost. */
async function isOurs(client: S3Client, target: Target, mark: string, error: unknown): Promise<boolean> {
  if (!isConflict(error) && !isMissing(error)) return false
  const found = await unlessMissing(client.send(new HeadObjectCommand(target)))
  return found?.Metadata?.put === mark
}

/** Best effort: if the store is unreachable, `removeUnfinished` removes the parts later. */
async function abortUpload(client: S3Client, target: Target, UploadId: string | undefined): Promise<void> {
  if (!UploadId) return
  await client.send(new AbortMultipartUploadCommand({ ...target, UploadId })).catch(() => undefined)
}
