import type { FastifyInstance } from 'fastify'

const EXPOSED = 'Location, Upload-Offset, Upload-Length, Tus-Resumable, Retry-After, X-Request-Id'
const METHODS = 'GET, HEAD, POST, PATCH, DELETE, OPTIONS'
const HEADERS =
  'Authorization, Content-Type, Tus-Resumable, Upload-Length, Upload-Metadata, Upload-Offset, X-HTTP-Method-Override, X-Requested-With'
const PREFLIGHT_MAX_AGE_SECONDS = 86_400

/** Sends CORS headers: allows pages of this origin to call the routes below these paths on another host. */
export function allowCors(app: FastifyInstance, origin: string, paths: readonly string[]): void {
  const isOne = (url: string) =>
    paths.some(path => url === path || (/^[/?]/.test(url.slice(path.length)) && url.startsWith(path)))
  // Before the session check: a preflight request has no token, and a browser reads an error only with these headers.
  app.addHook('onRequest', async (request, reply) => {
    if (!isOne(request.url)) return
    reply.header('vary', 'Origin')
    if (request.headers.origin !== origin) return
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': EXPOSED,
      // Allows the page of the other origin to read the response.
      'cross-origin-resource-policy': 'cross-origin',
    })
    if (request.method !== 'OPTIONS' || !request.headers['access-control-request-method']) return
    return reply
      .headers({
        'access-control-allow-methods': METHODS,
        'access-control-allow-headers': HEADERS,
        'access-control-max-age': PREFLIGHT_MAX_AGE_SECONDS,
      })
      .code(204)
      .send()
  })
}
