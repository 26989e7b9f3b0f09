import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { endpoints } from '#contract/index.ts'
import { AppError } from './kit/errors.ts'
import { sendError } from './kit/http.ts'
import { openApiDocument } from './kit/openapi.ts'

const built = fileURLToPath(new URL('../../web/dist', import.meta.url))

/** The web's built files, and its one page for every address that is not the server's own. */
export async function servePages(app: FastifyInstance): Promise<void> {
  if (existsSync(built)) {
    await app.register(fastifyStatic, {
      root: built,
      wildcard: false,
      index: false,
      decorateReply: false,
      setHeaders: (reply, path) => {
        // Built files carry a hash of their content in their names; the others may change under theirs.
        reply.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    })
  }
  app.setNotFoundHandler(async (request, reply) => {
    if (!wantsPage(request)) return sendError(reply, new AppError('not_found', 'There is nothing at this address.'))
    const page = await readFile(`${built}/index.html`, 'utf8')
    return reply.code(200).header('cache-control', 'no-store').type('text/html; charset=utf-8').send(page)
  })
}

function wantsPage(request: FastifyRequest): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  const path = request.url.split('?')[0] ?? '/'
  if (path === '/auth/callback') return true
  return !/^\/(api|auth|files|demo|assets|healthz|metrics)(\/|$)/.test(path)
}

/** The API page and its document, made from the contract. */
export async function serveApiPage(app: FastifyInstance, title: string): Promise<void> {
  const document = openApiDocument({ title: `${title} API`, version: '1' }, endpoints)
  await app.register(async scope => {
    scope.addHook('onSend', async (_request, reply, payload) => {
      reply.header('content-security-policy', apiPagePolicy(payload))
      return payload
    })
    await scope.register(scalar, {
      routePrefix: '/api/docs',
      configuration: {
        content: document,
        pageTitle: document.info.title,
        withDefaultFonts: false,
        telemetry: false,
        hideClientButton: true,
      },
    })
  })
}

/** The reference page starts itself with inline scripts: those very ones are allowed, by their hashes, and no other. */
function apiPagePolicy(payload: unknown): string {
  const inline = typeof payload === 'string' ? payload.matchAll(/<script(?: type="[^"]*")?>([\s\S]*?)<\/script>/g) : []
  const hashes = Array.from(
    inline,
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )
  return [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
