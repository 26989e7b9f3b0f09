import { randomUUID } from 'node:crypto'
import { link, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { FileStore } from '@tus/file-store'
import { Server } from '@tus/server'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { uploads } from '#contract/limits.ts'
import { resumableUploadsPath } from '#contract/upload.ts'
import { AppError } from '../../kit/errors.ts'
import { mount } from '../../kit/mount.ts'
import { hashFile } from '../../processing/hash.ts'
import { asStorageError } from '../../storage/local/disk-errors.ts'
import type { ReceivedFile } from './receive.ts'

export interface ResumableUploads {
  /** The finished upload's bytes as a file in `folder`; the upload itself stays until it is `forget`ed. */
  take(uploadId: string, personId: number, folder: string): Promise<ReceivedFile>
  forget(uploadId: string): Promise<void>
  /** Removes uploads that were begun and left. */
  sweep(): Promise<void>
  serve(app: FastifyInstance): Promise<void>
}

/** Whose upload it is stands in its id, which the server alone makes. */
const UPLOAD_ID = /^(\d+)-[\w-]{36}$/
const UPLOADER_HEADER = 'x-heirloom-uploader'

/** tus: large parts arrive in pieces and go on where they stopped, whatever happened in between. */
export async function openResumableUploads(folder: string, origin: string): Promise<ResumableUploads> {
  await mkdir(folder, { recursive: true })
  const store = new FileStore({ directory: folder, expirationPeriodInMilliseconds: uploads.unfinishedLasts })
  const server = new Server({
    path: resumableUploadsPath,
    datastore: store,
    relativeLocation: true,
    allowedOrigins: [origin],
    namingFunction: request => `${request.headers.get(UPLOADER_HEADER)}-${randomUUID()}`,
    onResponseError: (_request, error) => (error instanceof Error ? tusError(error) : undefined),
  })

  function admit(request: FastifyRequest): void {
    const personId = request.caller?.id
    const uploadId = (request.params as { '*'?: string })['*']
    if (uploadId && ownerOf(uploadId) !== personId) throw noSuchUpload()
    // Said by us and not by the client: the id of a new upload begins with it.
    request.raw.headers[UPLOADER_HEADER] = String(personId)
  }

  return {
    async take(uploadId, personId, into) {
      if (ownerOf(uploadId) !== personId) throw noSuchUpload()
      const upload = await store.getUpload(uploadId).catch(cause => {
        throw noSuchUpload(cause)
      })
      if (upload.offset !== upload.size) {
        throw new AppError('conflict', 'This upload has not arrived in full yet. Please send the rest first.')
      }
      const path = join(into, randomUUID())
      // A second name for the bytes: should anything fail from here on, the upload is still there to finish.
      await link(join(folder, uploadId), path)
      return { name: uploadId, path, size: upload.size, hash: await hashFile(path) }
    },
    async forget(uploadId) {
      await store.remove(uploadId)
    },
    async sweep() {
      await store.deleteExpired()
    },
    serve: app =>
      mount(app, {
        path: resumableUploadsPath,
        handle: (request, response) => server.handle(request, response),
        config: { uncounted: true },
        admit,
      }),
  }
}

function ownerOf(uploadId: string): number | undefined {
  const owner = UPLOAD_ID.exec(uploadId)?.[1]
  return owner === undefined ? undefined : Number(owner)
}

function noSuchUpload(cause?: unknown): AppError {
  return new AppError('not_found', 'There is no such upload. Please begin again.', { cause })
}

/** In the product's own words, so that a full disk says so here too. */
function tusError(error: Error) {
  const storageError = asStorageError(error)
  if (!(storageError instanceof AppError)) return undefined
  const { status, code, message } = storageError
  return { status_code: status, body: JSON.stringify({ error: message, code }) }
}
