import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#server/kit/errors.ts'

/**
 * A browser that opens a file directly must not execute anything in it. Allows only what it needs to show an image or
 * video on its own page; for a video that includes `allow-same-origin`, since it is fetched again.
 */
export const sandboxHeaders = {
  'content-security-policy':
    "sandbox allow-same-origin; default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** Sets status and headers; returns which bytes to send. */
export function writeRangeHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  file: { size: number; etag: string },
): { start: number; length: number } {
  const { etag } = file
  reply.header('etag', etag).header('accept-ranges', 'bytes')
  if (matches(request.headers['if-none-match'], etag)) {
    reply.code(304)
    return { start: 0, length: 0 }
  }
  const { range: header, 'if-range': ifRange } = request.headers
  const range = ifRange === undefined || ifRange === etag ? requestedRange(header, file.size) : 'whole'
  if (range === 'unsatisfiable') {
    reply.header('content-range', `bytes */${file.size}`)
    throw new AppError('range_not_satisfiable', 'storage.endsAfter', { bytes: file.size })
  }
  if (range === 'whole') {
    reply.header('content-length', file.size)
    return { start: 0, length: file.size }
  }
  const length = range.end - range.start + 1
  reply
    .code(206)
    .header('content-length', length)
    .header('content-range', `bytes ${range.start}-${range.end}/${file.size}`)
  return { start: range.start, length }
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
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.replaceAll(' ', '') ?? '')
  if (!match || (!match[1] && !match[2])) return 'whole'
  const last = size - 1
  if (!match[1]) {
    const suffix = Number(match[2])
    return suffix === 0 || size === 0 ? 'unsatisfiable' : { start: Math.max(0, size - suffix), end: last }
  }
  const start = Number(match[1])
  if (match[2] && Number(match[2]) < start) return 'whole'
  if (start > last) return 'unsatisfiable'
  return { start, end: match[2] ? Math.min(Number(match[2]), last) : last }
}
