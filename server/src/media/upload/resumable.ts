import { stat } from 'node:fs/promises'
import { type Locker, Server, type ServerOptions } from '@tus/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { rateLimits, uploads } from '#contract/limits.ts'
import { resumableUploadsPath } from '#contract/upload.ts'
import type { Clock } from '../../kit/clock.ts'
import { AppError } from '../../kit/errors.ts'
import { mount } from '../../kit/mount.ts'
import { destroyWhenStalled } from '../../kit/request-timeouts.ts'
import { newName, pathBelow, type RootFolder } from '../../kit/safe-path.ts'
import { hashFile } from '../../processing/hash.ts'
import { asStorageError } from '../../storage/local/disk-errors.ts'
import type { ReceivedFile } from './receive.ts'
import type { UnfinishedUploads } from './unfinished.ts'
import { newUploadId, noSuchUpload, ownerOf, ownUpload, parseUploadId, type UploadId } from './upload-id.ts'
import { limitUploads } from './upload-limits.ts'

export interface ResumableUploads {
  /** The finished upload's bytes as a file in `folder`; the upload itself stays until it is `forget`ed. */
  copyTo(uploadId: UploadId, folder: RootFolder): Promise<ReceivedFile>
  remove(uploadId: UploadId): Promise<void>
  /** Removes every upload of a person. */
  removeAllOf(personId: number): Promise<void>
  /** Removes uploads of which nothing has been heard for a day, whether all of it had arrived or not. */
  removeExpired(): Promise<void>
  serve(app: FastifyInstance): Promise<void>
}

/** The library's own kind of request. */
type ServerRequest = Parameters<NonNullable<ServerOptions['getFileIdFromRequest']>>[0]

export interface ResumableOptions {
  unfinished: UnfinishedUploads
  /** Absent: one server alone writes to them. */
  locker?: Locker
  origin: string
  clock: Clock
  stallsAfterMs?: number
}

/** tus: large parts arrive in pieces and go on where they stopped, whatever happened in between. */
export function openResumableUploads(options: ResumableOptions): ResumableUploads {
  const { unfinished, locker, origin, clock, stallsAfterMs = uploads.stallsAfter } = options
  /** Who sends a request. The library makes another one of it, which leads back to ours and shows the sender's headers only. */
  const senders = new WeakMap<object, number>()
  const senderOf = (request: ServerRequest) => senders.get(request.runtime?.node?.req ?? {})
  const server = new Server({
    path: resumableUploadsPath,
    datastore: unfinished.store,
    ...(locker ? { locker } : {}),
    relativeLocation: true,
    allowedOrigins: [origin],
    allowedCredentials: true,
    namingFunction: request => newUploadId(senderOf(request) ?? Number.NaN),
    // The library's own way takes the last word of the whole address, of a query too, where nobody looked at it.
    getFileIdFromRequest: request => {
      const uploadId = parseUploadId(new URL(request.url).pathname.slice(resumableUploadsPath.length + 1))
      return uploadId && ownerOf(uploadId) === senderOf(request) ? uploadId : undefined
    },
    onResponseError: (_request, error) => (error instanceof Error ? tusError(error) : undefined),
  })

  limitUploads(unfinished)

  function admit(request: FastifyRequest): void {
    const { caller } = request
    if (!caller) throw new Error(`${resumableUploadsPath} is served without its session`)
    const asked = (request.params as { '*'?: string })['*']
    // What has arrived is for the upload call to take, not for anybody to fetch.
    if (asked && (request.method === 'GET' || !ownUpload(asked, caller.id))) throw noSuchUpload()
    // The library answers this extension of the protocol, which no storage of ours supports, with 501.
    if (request.headers['upload-concat'] !== undefined) {
      throw new AppError('malformed', 'An upload cannot be put together from others. Please send it as one.')
    }
    senders.set(request.raw, caller.id)
  }

  return {
    remove: unfinished.remove,
    async copyTo(uploadId, into) {
      const upload = await unfinished.store.getUpload(uploadId).catch(cause => {
        throw cause instanceof AppError ? cause : noSuchUpload(cause)
      })
      if (upload.size === undefined || upload.offset !== upload.size) {
        throw new AppError('conflict', 'This upload has not arrived in full yet. Please send the rest first.')
      }
      const path = pathBelow(into, newName())
      await unfinished.copyTo(uploadId, path).catch(cause => {
        throw cause.code === 'ENOENT' ? noSuchUpload(cause) : asStorageError(cause)
      })
      // Whoever finished it at this moment is letting go of it piece by piece.
      if ((await stat(path)).size !== upload.size) throw noSuchUpload()
      return { name: uploadId, path, size: upload.size, hash: await hashFile(path) }
    },
    async removeAllOf(personId) {
      for await (const { uploadId } of unfinished.list()) {
        if (ownerOf(uploadId) === personId) await unfinished.remove(uploadId)
      }
    },
    async removeExpired() {
      for await (const { uploadId, heardAt } of unfinished.list()) {
        if (clock() - heardAt > uploads.unfinishedLasts) await unfinished.remove(uploadId)
      }
    },
    serve: app =>
      mount(app, {
        path: resumableUploadsPath,
        async handle(request, response) {
          destroyWhenStalled(request, stallsAfterMs)
          await server.handle(request, response)
        },
        // Pieces are many and need no limit. Each beginning lists the uploads there are.
        config: { uncounted: true, limitedPosts: { name: 'begin-upload', max: rateLimits.uploadsBegun } },
        authorize: admit,
      }),
  }
}

/** In the product's own words, so that a full disk says so here too. What the library says of the protocol stands. */
function tusError(error: Error) {
  if ('status_code' in error) return undefined
  const { status, code, message } = asStorageError(error)
  return { status_code: status, body: JSON.stringify({ error: message, code }) }
}
