import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#server/kit/errors.ts'
import { contentTypeOf } from '../content-types.ts'
import { attachmentHeader, downloadName } from '../download-name.ts'

import { isKey } from '../keys.ts'
import type { SignedQuery, Signing } from '../signing.ts'
import { filesPath, type LocalStorage, type OpenFile } from './local-storage.ts'

interface ServeOptions {
  storage: LocalStorage
  signing: Signing
}

/** Serves the files of the storage folder by signed URLs. */
export function serveFiles(app: FastifyInstance, { storage, signing }: ServeOptions): void {
  app.route<{ Params: { '*': string }; Querystring: SignedQuery }>({
    method: ['GET', 'HEAD'],
    url: `${filesPath}*`,
    // The stricter headers below replace those of pages.
    helmet: false,
    // Otherwise a page of thumbnails would log two hundred lines.
    logLevel: 'warn',
    handler: async (request, reply) => {
      const key = request.params['*']
      reply.headers(sandboxHeaders)
      const secondsLeft = isKey(key) ? signing.secondsLeft(key, request.query) : undefined
      // Before any lookup: without a valid signature the response must not reveal whether a file exists.
      if (secondsLeft === undefined) throw new AppError('forbidden', 'This link is no longer valid. Please reload.')
      const file = await storage.open(key)
      if (!file) throw new AppError('not_found', 'This file is not in the library any more.')
      reply
        .header('content-type', contentTypeOf(key) ?? 'application/octet-stream')
        .header('content-disposition', dispositionOf(key, request.query.download))
        .header('cache-control', `private, max-age=${secondsLeft}, immutable`)
      return sendFile(request, reply, file)
    },
  })
}

/**
 * A browser that opens a file directly must not execute anything in it. Allows only what it needs to show an image or
 * video on its own page; for a video that includes `allow-same-origin`, since it is fetched again.
 */
const sandboxHeaders = {
  'content-security-policy':
    "sandbox allow-same-origin; default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
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
    const { start, length } = writeHeaders(request, reply, file)
    if (request.method === 'HEAD' || length === 0) return reply.send()
    if (length <= STREAM_ABOVE_BYTES) {
      const { buffer, bytesRead } = await file.handle.read(Buffer.allocUnsafe(length), 0, length, start)
      if (bytesRead < length) throw new AppError('unavailable', 'The file on the disk is shorter than it was.')
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

/** Sets status and headers; returns which bytes to send. */
function writeHeaders(request: FastifyRequest, reply: FastifyReply, file: OpenFile): { start: number; length: number } {
  // A strong ETag: objects are immutable, so the same size and time mean the same bytes.
  const etag = `"${file.size.toString(36)}-${file.modifiedAt.getTime().toString(36)}"`
  reply.header('etag', etag).header('accept-ranges', 'bytes')
  if (matches(request.headers['if-none-match'], etag)) {
    reply.code(304)
    return { start: 0, length: 0 }
  }
  const { range, 'if-range': ifRange } = request.headers
  const asked = ifRange === undefined || ifRange === etag ? requestedRange(range, file.size) : 'whole'
  if (asked === 'unsatisfiable') {
    reply.header('content-range', `bytes */${file.size}`)
    throw new AppError('range_not_satisfiable', `The file ends after ${file.size} bytes.`)
  }
  if (asked === 'whole') {
    reply.header('content-length', file.size)
    return { start: 0, length: file.size }
  }
  const length = asked.end - asked.start + 1
  reply
    .code(206)
    .header('content-length', length)
    .header('content-range', `bytes ${asked.start}-${asked.end}/${file.size}`)
  return { start: asked.start, length }
}

function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  return ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some(tag => tag.trim().replace(/^W\//, '') === etag)
}

/** Parses a `Range` header; both ends are inclusive. Unsupported forms are ignored, as HTTP allows. */
function requestedRange(
  header: string | undefined,
  size: number,
): { start: number; end: number } | 'whole' | 'unsatisfiable' {
  const asked = /^bytes=(\d*)-(\d*)$/.exec(header?.replaceAll(' ', '') ?? '')
  if (!asked || (!asked[1] && !asked[2])) return 'whole'
  const last = size - 1
  if (!asked[1]) {
    const suffix = Number(asked[2])
    return suffix === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(0, size - suffix), end: last }
  }
  const start = Number(asked[1])
  if (asked[2] && Number(asked[2]) < start) return 'whole'
  if (start > last) return 'unsatisfiable'
  return { start, end: asked[2] ? Math.min(Number(asked[2]), last) : last }
}
