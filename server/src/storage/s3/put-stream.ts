import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { AbortMultipartUploadCommand, HeadObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { AppError } from '#server/kit/errors.ts'
import { attachmentHeader } from '../content-disposition.ts'
import { contentTypeOf } from '../content-types.ts'
import { abortable } from '../interruptible.ts'
import { asStoreError, isConflict, isMissing, unlessMissing } from './store-errors.ts'

interface Target {
  Bucket: string
  Key: string
}

const PART_BYTES = 8 * 1024 * 1024
/** A store takes 10,000 parts; some are left for a file that grew while it was sent. */
const MAX_PARTS = 9_000
const PARTS_AT_ONCE = 3
/** An address changes every half hour, and what stands under a key never does. */
const CACHING = 'private, max-age=3600, immutable'

/** Streams into an object that was not there before, in parts when it is large, or leaves nothing. */
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
    // Not every store looks at the condition when parts are put together, so it is asked before the first one is sent.
    async beforeSecondPart() {
      if (await unlessMissing(client.send(new HeadObjectCommand(target)))) throw keyTaken()
    },
  })
  // Tells our object from another's, where the store's word that it has ours was lost on the way.
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
  return new AppError('conflict', 'Something is already stored under that name.', { cause })
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

/** The source as a stream that ends with the signal, which counts its bytes and remembers why it broke. */
function watch(source: AsyncIterable<Uint8Array>, { signal, partSize, beforeSecondPart }: Watch) {
  // A stream that breaks before it is first read would end the process; when read, it says so again.
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

/** A repeated request finds the name taken, or its parts put together already, by the one whose answer was lost. */
async function isOurs(client: S3Client, target: Target, mark: string, error: unknown): Promise<boolean> {
  if (!isConflict(error) && !isMissing(error)) return false
  const found = await unlessMissing(client.send(new HeadObjectCommand(target)))
  return found?.Metadata?.put === mark
}

/** Best effort: a store that is away keeps the parts until the sweep. */
async function abortUpload(client: S3Client, target: Target, UploadId: string | undefined): Promise<void> {
  if (!UploadId) return
  await client.send(new AbortMultipartUploadCommand({ ...target, UploadId })).catch(() => undefined)
}
