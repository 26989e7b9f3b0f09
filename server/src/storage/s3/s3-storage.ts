import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
} from '@aws-sdk/client-s3'
import type { Clock } from '#server/kit/clock.ts'
import { AppError } from '#server/kit/errors.ts'
import { pathBelow, removeFile, type Scratch } from '#server/kit/safe-path.ts'
import { inChunks } from '../../kit/in-chunks.ts'
import { attachmentHeader, downloadName } from '../download-name.ts'

import { isKey, parseKey } from '../keys.ts'
import type { ByteRange, Storage, StoredObject } from '../storage.ts'
import { abortStaleUploads, allowOrigin, ensureBucket, openClient, type S3Settings } from './bucket.ts'

import { createPresigner } from './presign.ts'
import { putStream } from './put-stream.ts'
import { asStoreError, isMissing, isOutOfRange, unlessMissing, withStoreError } from './store-errors.ts'

export interface S3Storage extends Storage {
  /** The store's origin as browsers see it, for the Content-Security-Policy. */
  readonly publicOrigin: string
  /** Adds a CORS rule for this origin. False if the store's owner has to do that. */
  allowOrigin(origin: string): Promise<boolean>
  close(): void
}

export interface S3StorageOptions {
  settings: S3Settings
  clock: Clock
  /** For local copies. */
  scratch: Scratch
}

const REMOVED_AT_ONCE = 10

/** Objects in a bucket of any S3-compatible store. Browsers fetch them directly from it. */
export async function openS3Storage({ settings, clock, scratch }: S3StorageOptions): Promise<S3Storage> {
  const client = openClient(settings)
  const { bucket } = settings
  const presigner = createPresigner(settings, clock)
  await ensureBucket(client, settings)

  function objectOf(key: string): { Bucket: string; Key: string } {
    return { Bucket: bucket, Key: parseKey(key) }
  }

  async function head(key: string): Promise<HeadObjectCommandOutput | undefined> {
    return unlessMissing(client.send(new HeadObjectCommand(objectOf(key))))
  }

  const storage: S3Storage = {
    publicOrigin: presigner.origin,

    async put(key, source, { signal } = {}) {
      return putStream(client, objectOf(key), source, signal ? { signal } : {})
    },

    async putFile(key, path) {
      const target = objectOf(key)
      const { size } = await stat(path)
      await putStream(client, target, createReadStream(path, { highWaterMark: 1024 * 1024 }), { size })
      await removeFile(path)
      return { size }
    },

    async read(key, range) {
      const target = { ...objectOf(key), ...rangeHeader(range) }
      try {
        const { Body, ContentLength = 0, ContentRange } = await client.send(new GetObjectCommand(target))
        if (!(Body instanceof Readable)) throw new Error('The store gave no stream')
        return {
          stream: withStoreErrors(Body),
          size: ContentRange ? Number(ContentRange.split('/')[1]) : ContentLength,
        }
      } catch (error) {
        if (isMissing(error)) throw notFound()
        throw isOutOfRange(error) ? outOfRange() : asStoreError(error)
      }
    },

    async stat(key) {
      const found = await head(key)
      return found && { size: found.ContentLength ?? 0, modifiedAt: found.LastModified ?? new Date(0) }
    },

    async remove(keys) {
      for (const some of inChunks(keys.map(objectOf), REMOVED_AT_ONCE)) {
        await Promise.all(some.map(target => unlessMissing(client.send(new DeleteObjectCommand(target)))))
      }
    },

    async *list(prefix): AsyncGenerator<StoredObject> {
      let page: ListObjectsV2CommandOutput | undefined
      do {
        const ContinuationToken = page?.NextContinuationToken
        const command = new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken })
        page = await withStoreError(client.send(command))
        for (const { Key, Size = 0, LastModified = new Date(0) } of page.Contents ?? []) {
          // Skip objects of others whose names are not valid keys.
          if (Key && isKey(Key)) yield { key: Key, size: Size, modifiedAt: LastModified }
        }
      } while (page.NextContinuationToken)
    },

    withLocalCopy: (key, work) =>
      scratch.withFolder(async folder => {
        const { stream } = await storage.read(key)
        const path = pathBelow(folder, 'copy')
        await pipeline(stream, createWriteStream(path))
        return work(path)
      }),

    signedUrl(key, { download } = {}) {
      if (download === undefined) return presigner.presign(parseKey(key), {})
      const disposition = attachmentHeader(downloadName(download, key))
      return presigner.presign(parseKey(key), { 'response-content-disposition': disposition })
    },

    pictureUrls: () => presigner.shared(),

    removeUnfinished: startedBefore => abortStaleUploads(client, bucket, startedBefore),

    async check() {
      // Hidden, so that no key can refer to it.
      const target = { Bucket: bucket, Key: `.check/${randomUUID()}` }
      await putStream(client, target, Readable.from([Buffer.from(target.Key)]), {})
      try {
        const { Body } = await withStoreError(client.send(new GetObjectCommand(target)))
        if ((await Body?.transformToString()) !== target.Key) {
          throw new AppError('unavailable', 'storage.storeCorrupts')
        }
      } finally {
        await withStoreError(client.send(new DeleteObjectCommand(target)))
      }
    },

    allowOrigin: origin => withStoreError(allowOrigin(client, bucket, origin)),
    close: () => client.destroy(),
  }
  return storage
}

/** Reports a broken connection as an error of the store, so that it is not taken for a damaged file. */
function withStoreErrors(body: Readable): Readable {
  async function* chunks() {
    try {
      yield* body
    } catch (error) {
      throw asStoreError(error)
    }
  }
  return Readable.from(chunks(), { objectMode: false })
}

function rangeHeader(range: ByteRange | undefined): { Range?: string } {
  if (!range) return {}
  const { start, end } = range
  if (start < 0 || (end !== undefined && end < start)) throw outOfRange()
  return { Range: `bytes=${start}-${end ?? ''}` }
}

function outOfRange(): AppError {
  return new AppError('range_not_satisfiable', 'storage.endsBefore')
}

function notFound(): AppError {
  return new AppError('not_found', 'storage.fileMissing')
}
