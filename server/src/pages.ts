import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from './kit/errors.ts'
import { sendError } from './kit/http.ts'
import { inlineScriptSources } from './kit/inline-scripts.ts'

const built = fileURLToPath(new URL('../../web/dist', import.meta.url))

/** The inline scripts that the built page may run, as sources for the CSP. */
export function builtPageScripts(): string[] {
  const page = `${built}/index.html`
  return existsSync(page) ? inlineScriptSources(readFileSync(page, 'utf8')) : []
}

/** Serves the built web files, and index.html for every URL that is not the server's own (single-page app). */
export async function servePages(app: FastifyInstance): Promise<void> {
  if (existsSync(built)) {
    await app.register(fastifyStatic, {
      root: built,
      wildcard: false,
      index: false,
      decorateReply: false,
      preCompressed: true,
      globIgnore: ['**/*.br', '**/*.gz'],
      setHeaders: (reply, path) => {
        // Built assets have a content hash in their names and never change; other files may.
        reply.header('cache-control', path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    })
  }
  app.setNotFoundHandler(async (request, reply) => {
    if (!wantsPage(request)) return sendError(reply, nothingHere())
    const page = await readFile(`${built}/index.html`, 'utf8')
    return reply.code(200).header('cache-control', 'no-store').type('text/html; charset=utf-8').send(page)
  })
}

/** For servers without the web role. */
export function serveNoPages(app: FastifyInstance): void {
  app.setNotFoundHandler((_request, reply) => sendError(reply, nothingHere()))
}

function nothingHere(): AppError {
  return new AppError('not_found', 'There is nothing at this address.')
}

function wantsPage(request: FastifyRequest): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  const path = request.url.split('?')[0] ?? '/'
  if (path === '/auth/callback') return true
  return !/^\/(api|auth|files|shared|demo|assets|healthz|metrics)(\/|$)/.test(path)
}
