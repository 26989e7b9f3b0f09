import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { AppError } from './errors.ts'
import { sendError } from './http.ts'
import { isLoopbackHost } from './ip-addresses.ts'
import { localeOf, textsIn } from './messages.ts'

/** Headers that proxies add and browsers never send. */
const forwarding =
  /^(?:forwarded|via|x-forwarded(?:-.+)?|x-real-ip|x-client-ip|x-cluster-client-ip|x-original-.+|x-envoy-.+|x-amzn-trace-id|x-azure-.+|x-vercel-.+|x-appengine-.+|x-remote-(?:addr|ip)|client-ip|true-client-ip|fastly-client-ip|fly-.+|cf-.+|cdn-loop|tailscale-.+)$/

/** Rejects requests that did not come directly from a browser on this machine, as far as the request shows it. */
export function serveLoopbackOnly(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    if (isDirect(request.raw)) return
    if (request.headers.accept?.includes('text/html')) {
      const refusal = textsIn('errors', localeOf(request)).server.demo
      return reply.code(403).header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(refusal)
    }
    return sendError(reply, new AppError('forbidden', 'server.demo'))
  })
}

function isDirect({ headers, httpVersion, rawHeaders, url }: IncomingMessage): boolean {
  // nginx with its defaults adds no header and uses the upstream as host, but speaks HTTP/1.0.
  if (httpVersion === '1.0') return false
  const names = rawHeaders.filter((_, index) => index % 2 === 0).map(name => name.toLowerCase())
  if (names.some(name => forwarding.test(name))) return false
  // With two Host headers, or a host in the request target, it is ambiguous which of them counts.
  if (names.filter(name => name === 'host').length > 1 || !url?.startsWith('/')) return false
  const [, host = ''] = /^(\[[\da-f:]+\]|[\w.-]+)(?::\d+)?$/i.exec(headers.host ?? '') ?? []
  return isLoopbackHost(host) && isOwnOrigin(headers.origin)
}

/** The demo's own form sends "null" because of our referrer policy. */
function isOwnOrigin(origin: string | undefined): boolean {
  return origin === undefined || origin === 'null' || isLoopbackHost(URL.parse(origin)?.hostname ?? '')
}
