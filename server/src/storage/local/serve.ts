import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#server/kit/errors.ts'
import { contentTypeOf } from '../content-types.ts'
import { attachmentHeader, downloadName } from '../download-name.ts'

import { isKey } from '../keys.ts'
import { sandboxHeaders, writeRangeHeaders } from '../serve-bytes.ts'
import type { SignedQuery, Signing } from '../signing.ts'
import type { Storage } from '../storage.ts'
import { filesPath, type LocalStorage, type OpenFile } from './local-storage.ts'

interface ServeOptions {
  storage: Pick<LocalStorage, 'open'>
  signing: Signing
  /** Where files are that `storage` does not have. */
  store?: Storage | undefined
}

/** Serves the files of the storage folder by signed URLs. */
export function serveFiles(app: FastifyInstance, { storage, signing, store }: ServeOptions): void {
  app.route<{ Params: { '*': string }; Querystring: SignedQuery }>({
    method: ['GET', 'HEAD'],
    url: `${filesPath}*`,
    // The stricter headers below replace those of pages.
    helmet: false,
    // Otherwise a page of thumbnails would log two hundred lines.
    logLevel: 'warn',
    config: { cost: 0 },
    handler: async (request, reply) => {
      const key = request.params['*']
      reply.headers(sandboxHeaders)
      const secondsLeft = isKey(key) ? signing.secondsLeft(key, request.query) : undefined
      // Before any lookup: without a valid signature the response must not reveal whether a file exists.
      if (secondsLeft === undefined) throw new AppError('forbidden', 'storage.linkExpired')
      const file = await storage.open(key)
      if (!file && (await store?.stat(key))) {
        const { download } = request.query
        const options = typeof download === 'string' ? { download } : {}
        return reply.header('cache-control', 'no-store').redirect(store?.signedUrl(key, options) ?? '', 302)
      }
      if (!file) throw new AppError('not_found', 'storage.fileGone')
      reply
        .header('content-type', contentTypeOf(key) ?? 'application/octet-stream')
        .header('content-disposition', dispositionOf(key, request.query.download))
        .header('cache-control', `private, max-age=${secondsLeft}, immutable`)
      return sendFile(request, reply, file)
    },
  })
}

function dispositionOf(key: string, download: unknown): string {
  if (typeof download === 'string') return attachmentHeader(downloadName(download, key))
  return contentTypeOf(key) ? 'inline' : attachmentHeader(key.slice(key.lastIndexOf('/') + 1))
}

/** Smaller files are read at once, which is cheaper than a stream. */
const STREAM_ABOVE_BYTES = 256 * 1024

async function sendFile(request: FastifyRequest, reply: FastifyReply, file: OpenFile): Promise<FastifyReply> {
  let streaming = false
  try {
    // A strong ETag: objects are immutable, so the same size and time mean the same bytes.
    const etag = `"${file.size.toString(36)}-${file.modifiedAt.getTime().toString(36)}"`
    const { start, length } = writeRangeHeaders(request, reply, { size: file.size, etag })
    if (request.method === 'HEAD' || length === 0) return reply.send()
    if (length <= STREAM_ABOVE_BYTES) {
      const { buffer, bytesRead } = await file.handle.read(Buffer.allocUnsafe(length), 0, length, start)
      if (bytesRead < length) throw new AppError('unavailable', 'storage.shorter')
      return reply.send(buffer)
    }
    streaming = true
    return reply.send(
      file.handle.createReadStream({ start, end: start + length - 1, highWaterMark: STREAM_ABOVE_BYTES }),
    )
  } finally {
    if (!streaming) await file.handle.close()
  }
}
