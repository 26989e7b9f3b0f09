import type { FastifyRequest } from 'fastify'

/** Structured logs that hold no token, cookie, signature or e-mail: of an address, only the path is written. */
export function loggerOptions(level: string) {
  return {
    level,
    serializers: {
      req: (request: FastifyRequest) => ({ method: request.method, path: pathOnly(request.url) }),
    },
    redact: { paths: ['*.email', '*.token', '*.authorization', '*.cookie'], censor: '[redacted]' },
  }
}

function pathOnly(url: string): string {
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}
