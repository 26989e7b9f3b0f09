import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { AppError } from './errors.ts'
import { sendError } from './http.ts'
import { isLoopbackHost } from './ip-addresses.ts'

/** Headers that a proxy adds, and that no browser sends by itself. */
const forwarding =
  /^(?:forwarded|via|x-forwarded(?:-.+)?|x-real-ip|x-client-ip|x-cluster-client-ip|x-original-.+|x-envoy-.+|x-amzn-trace-id|x-azure-.+|x-vercel-.+|x-appengine-.+|x-remote-(?:addr|ip)|client-ip|true-client-ip|fastly-client-ip|fly-.+|cf-.+|cdn-loop|tailscale-.+)$/

const refusal =
  'This is the demo, which lets anyone in and therefore answers on its own machine only. To open it to others, set OIDC_CLIENT_ID, OIDC_CLIENT_SECRET and PUBLIC_URL (see README.md), then restart.'

/** Refuses every request that did not come straight from a browser on this machine, as far as a request shows it. */
export function serveLoopbackOnly(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    if (isDirect(request.raw)) return
    if (request.headers.accept?.includes('text/html')) {
      return reply.code(403).header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(refusal)
    }
    return sendError(reply, new AppError('forbidden', refusal))
  })
}

function isDirect({ headers, httpVersion, rawHeaders, url }: IncomingMessage): boolean {
  // nginx, left as it is, adds no header and names the upstream as the host, but speaks HTTP/1.0 to it.
  if (httpVersion === '1.0') return false
  const names = rawHeaders.filter((_, index) => index % 2 === 0).map(name => name.toLowerCase())
  if (names.some(name => forwarding.test(name))) return false
  // Two hosts, or one in the address: which of them counts depends on who reads it.
  if (names.filter(name => name === 'host').length > 1 || !url?.startsWith('/')) return false
  const [, host = ''] = /^(\[[\da-f:]+\]|[\w.-]+)(?::\d+)?$/i.exec(headers.host ?? '') ?? []
  return isLoopbackHost(host) && isOwnOrigin(headers.origin)
}

/** "null" is what the demo's own form sends under our referrer policy. */
function isOwnOrigin(origin: string | undefined): boolean {
  return origin === undefined || origin === 'null' || isLoopbackHost(URL.parse(origin)?.hostname ?? '')
}
