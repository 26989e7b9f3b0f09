import { stat } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { EVENTS, type Locker, Server, type ServerOptions, type Upload } from '@tus/server'

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { rateLimits, uploads } from '#contract/limits.ts'
import { resumableUploadsPath } from '#contract/upload.ts'
import type { Clock } from '../../kit/clock.ts'
import { AppError } from '../../kit/errors.ts'
import { answerFor } from '../../kit/http.ts'
import { KeyedMutex } from '../../kit/keyed-mutex.ts'
import { mount } from '../../kit/mount.ts'
import { destroyWhenStalled } from '../../kit/request-timeouts.ts'
import { newName, pathBelow, type RootFolder } from '../../kit/safe-path.ts'
import { requireRight } from '../../kit/serve.ts'
import { hashFile } from '../../processing/hash.ts'
import { asStorageError } from '../../storage/local/disk-errors.ts'
import {
  newUploadId,
  noSuchUpload,
  ownerIdOfGuest,
  ownerOf,
  ownUpload,
  parseUploadId,
  requireUploadId,
  type UnfinishedUploads,
  type UploadId,
} from './resumable-store.ts'

import type { ReceivedFile } from './upload-form.ts'

export interface ResumableUploads {
  /** Copies a complete upload into `folder`. The upload itself stays until it is removed. */
  copyTo(uploadId: UploadId, folder: RootFolder): Promise<ReceivedFile>
  remove(uploadId: UploadId): Promise<void>
  /** Removes every upload of a person. */
  removeAllOf(personId: number): Promise<void>
  /** Removes uploads that received nothing for a day, complete or not. */
  removeExpired(): Promise<void>
  serve(app: FastifyInstance): Promise<void>
  /** Serves guests under another path; `admit` throws, or says who sends. */
  serveGuests(
    app: FastifyInstance,
    path: string,
    admit: (request: FastifyRequest, reply: FastifyReply) => Promise<GuestSender>,
  ): Promise<void>
}

/** A guest who sends files. */
export interface GuestSender {
  guestId: number
  /** Aborts with an AppError when the guest may send no more. */
  ended: AbortSignal
  /** Called before an upload begins; throws if there is no space for it. */
  reserve(uploadId: UploadId, size: number): Promise<void>
  /** Called before more bytes arrive; throws if its space is not reserved any more and others have taken it. */
  resume(uploadId: UploadId): Promise<void>
  /** Called after the guest has cancelled an upload, or the store has refused it. */
  release(uploadId: UploadId): Promise<void>
}

/** Who sends a request. */
interface Sender {
  ownerId: number
  /** Under which uploads are served to this sender. */
  path: string
  guest?: GuestSender
}

/** The request type of the tus library. */
type ServerRequest = Parameters<NonNullable<ServerOptions['getFileIdFromRequest']>>[0]

export interface ResumableOptions {
  unfinished: UnfinishedUploads
  /** Only needed with several servers. */
  locker?: Locker
  origin: string
  clock: Clock
  stallsAfterMs?: number
}

/** tus: large files arrive in chunks, and an interrupted upload can be resumed. */
export function openResumableUploads(options: ResumableOptions): ResumableUploads {
  const { unfinished, locker, origin, clock, stallsAfterMs = uploads.stallsAfter } = options
  /**
   * The sender of each request. The tus library wraps the request, and its wrapper exposes only the original's
   * headers and a reference to it.
   */
  const senders = new WeakMap<object, Sender>()
  const senderOf = (request: ServerRequest) => senders.get(request.runtime?.node?.req ?? {})
  /** Who has reserved space for an upload that is being created. */
  const reservedBy = new WeakMap<Upload, GuestSender>()
  const server = new Server({
    path: resumableUploadsPath,
    datastore: unfinished.store,
    ...(locker ? { locker } : {}),
    allowedOrigins: [origin],
    allowedCredentials: true,
    namingFunction: request => newUploadId(senderOf(request)?.ownerId ?? Number.NaN),
    // By default the library takes the id from the end of the whole URL, including the query, which is not checked.
    getFileIdFromRequest: request => {
      const sender = senderOf(request)
      const uploadId = sender && parseUploadId(new URL(request.url).pathname.slice(sender.path.length + 1))
      return uploadId && ownerOf(uploadId) === sender.ownerId ? uploadId : undefined
    },
    generateUrl: (request, { id }) => `${senderOf(request)?.path ?? resumableUploadsPath}/${id}`,
    async onUploadCreate(request, upload) {
      const guest = senderOf(request)?.guest
      // Without a size the store refuses it.
      if (guest && upload.size !== undefined) {
        await guest.reserve(requireUploadId(upload.id), upload.size)
        reservedBy.set(upload, guest)
      }
      return {}
    },
    onResponseError: (_request, error) => (error instanceof Error ? tusError(error) : undefined),
  })

  server.on(EVENTS.POST_TERMINATE, (request, _response, id) => {
    // A reservation that is not released expires.
    void senderOf(request)
      ?.guest?.release(requireUploadId(id))
      .catch(() => undefined)
  })

  const endings = new Map<string, AbortSignal>()
  endWritesOfGuests(unfinished, endings)
  limitUploads(unfinished, async upload => reservedBy.get(upload)?.release(requireUploadId(upload.id)))

  function admitCaller(request: FastifyRequest): void {
    const { caller } = request
    if (!caller) throw new Error(`${resumableUploadsPath} is served without its session`)
    requireRight(caller, 'media.upload')
    admit(request, { ownerId: caller.id, path: resumableUploadsPath })
  }

  function admit(request: FastifyRequest, sender: Sender): void {
    const uploadPath = (request.params as { '*'?: string })['*']
    // The bytes of an upload are not served.
    if (uploadPath && (request.method === 'GET' || !ownUpload(uploadPath, sender.ownerId))) throw noSuchUpload()
    // No store supports concatenation; the library itself would answer 501.
    if (request.headers['upload-concat'] !== undefined) {
      throw new AppError('malformed', 'upload.joined')
    }
    senders.set(request.raw, sender)
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    destroyWhenStalled(request, stallsAfterMs)
    await server.handle(request, response)
  }

  return {
    remove: unfinished.remove,
    async copyTo(uploadId, into) {
      const upload = await unfinished.store.getUpload(uploadId).catch(cause => {
        throw cause instanceof AppError ? cause : noSuchUpload(cause)
      })
      if (upload.size === undefined || upload.offset !== upload.size) {
        throw new AppError('conflict', 'upload.unfinished')
      }
      const path = pathBelow(into, newName())
      await unfinished.copyTo(uploadId, path).catch(cause => {
        throw cause.code === 'ENOENT' ? noSuchUpload(cause) : asStorageError(cause)
      })
      // A concurrent request has finished this upload and is removing it piece by piece.
      if ((await stat(path)).size !== upload.size) throw noSuchUpload()
      return { name: uploadId, path, size: upload.size, hash: await hashFile(path) }
    },
    async removeAllOf(personId) {
      for await (const { uploadId } of unfinished.list()) {
        if (ownerOf(uploadId) === personId) await unfinished.remove(uploadId)
      }
    },
    async removeExpired() {
      for await (const { uploadId, lastActivityAt } of unfinished.list()) {
        if (clock() - lastActivityAt > uploads.unfinishedTtl) await unfinished.remove(uploadId)
      }
    },
    serve: app =>
      mount(app, {
        path: resumableUploadsPath,
        handle,
        // Chunks are not rate-limited. New uploads are, since each lists all existing ones.
        config: { uncounted: true, limitedPosts: { name: 'begin-upload', max: rateLimits.uploadsBegun } },
        authorize: admitCaller,
      }),
    serveGuests: (app, path, admitGuest) =>
      mount(app, {
        path,
        handle,
        async authorize(request, reply) {
          const guest = await admitGuest(request, reply)
          const { id, '*': uploadPath } = request.params as { id: string; '*'?: string }
          const ownerId = ownerIdOfGuest(guest.guestId)
          admit(request, { ownerId, path: path.replace(':id', id), guest })
          if (!uploadPath || request.method !== 'PATCH') return
          const uploadId = ownUpload(uploadPath, ownerId)
          await guest.resume(uploadId)
          endings.set(uploadId, guest.ended)
          reply.raw.once('close', () => {
            if (endings.get(uploadId) === guest.ended) endings.delete(uploadId)
          })
        },
      }),
  }
}

/** Translates our errors, such as a full disk; protocol errors of the library stay as they are. */
function tusError(error: Error) {
  if ('status_code' in error) return undefined
  const ours = asStorageError(error)
  return { status_code: ours.status, body: JSON.stringify(answerFor(ours)) }
}

/** What has arrived until a guest may send no more is kept, and the request is answered with the reason. */
function endWritesOfGuests({ store }: UnfinishedUploads, endings: ReadonlyMap<string, AbortSignal>): void {
  const write = store.write.bind(store)
  store.write = async (source, uploadId, offset) => {
    const ended = endings.get(uploadId)
    if (!ended) return write(source, uploadId, offset)
    ended.throwIfAborted()
    const end = () => source.destroy(ended.reason)
    ended.addEventListener('abort', end)
    try {
      return await write(source, uploadId, offset)
    } finally {
      ended.removeEventListener('abort', end)
    }
  }
}

/**
 * Refuses a new upload that is too large, exceeds the person's number of unfinished uploads, or does not fit into the
 * space that is not reserved. A mutex per person prevents concurrent requests from all passing the same check; the mutex
 * for the space is taken inside it, so that one person's many requests never block another's.
 */
function limitUploads(
  { store, countOwnedBy, freeBytesFor }: UnfinishedUploads,
  onRefused: (upload: Upload) => Promise<void>,
): void {
  const create = store.create.bind(store)
  const personMutex = new KeyedMutex()
  const spaceMutex = new KeyedMutex<'space'>()

  async function createWithinCount(upload: Upload, personId: number): Promise<Upload> {
    if ((await countOwnedBy(personId)) >= uploads.unfinishedPerPerson) {
      throw new AppError('conflict', 'upload.manyUnfinished', { count: uploads.unfinishedPerPerson })
    }
    return spaceMutex.run('space', () => createWithinSpace(upload, () => freeBytesFor(personId)))
  }

  async function createWithinSpace(upload: Upload, freeBytes: () => Promise<number>): Promise<Upload> {
    if ((upload.size ?? 0) > (await freeBytes())) throw new AppError('storage_full', 'storage.full')
    return create(upload)
  }

  async function createWithinLimits(upload: Upload): Promise<Upload> {
    const { size } = upload
    if (size === undefined || size > uploads.largestBytes) {
      throw new AppError('too_large', 'upload.tooLarge', { gigabytes: uploads.largestBytes / 1024 ** 3 })
    }
    const personId = ownerOf(requireUploadId(upload.id))
    return personMutex.run(personId, () => createWithinCount(upload, personId))
  }

  store.create = async upload => {
    try {
      return await createWithinLimits(upload)
    } catch (error) {
      await onRefused(upload)
      throw error
    }
  }
}
