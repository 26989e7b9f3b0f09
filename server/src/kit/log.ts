import type { FastifyRequest } from 'fastify'
import { printableJson } from './printable.ts'

export interface LogStream {
  write(line: string): void
}

/** Structured logs that hold no token, cookie, signature or e-mail: of an address, only the path is written. */
export function loggerOptions(level: string, stream?: LogStream) {
  return {
    level,
    serializers: {
      req: (request: FastifyRequest) => ({ method: request.method, path: pathOnly(request.url) }),
    },
    redact: { paths: ['*.email', '*.token', '*.authorization', '*.cookie'], censor: '[redacted]' },
    hooks: { streamWrite: printableJson },
    ...(stream ? { stream } : {}),
  }
}

function pathOnly(url: string): string {
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}
