import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sharedPagePath } from '#contract/links.ts'
import { serveInstalledApp } from './installed-app.ts'
import { AppError } from './kit/errors.ts'
import { escapeHtml } from './kit/escape-html.ts'
import { sendError } from './kit/http.ts'
import { inlineScriptSources } from './kit/inline-scripts.ts'
import { localeOf, textsIn } from './kit/messages.ts'

const built = fileURLToPath(new URL('../../web/dist', import.meta.url))
const pagePath = `${built}/index.html`

/** The inline scripts that the built page may run, as sources for the CSP. */
export function builtPageScripts(): string[] {
  return existsSync(pagePath) ? inlineScriptSources(readFileSync(pagePath, 'utf8')) : []
}

/** Serves the built web files, and index.html for every URL that is not the server's own (single-page app). */
export async function servePages(app: FastifyInstance, title: string): Promise<void> {
  if (existsSync(built)) {
    await app.register(async scope => {
      // A page loads dozens of them, and a browser each of them once.
      scope.addHook('onRoute', route => {
        route.config = { ...route.config, cost: 0 }
      })
      await scope.register(fastifyStatic, {
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
    })
  }
  await serveInstalledApp(app, title)
  app.setNotFoundHandler(async (request, reply) => {
    if (!wantsPage(request)) return sendError(reply, nothingHere())
    const index = await readFile(pagePath, 'utf8')
    const page = pathOf(request) === sharedPagePath ? withPreview(index, title, request) : index
    return reply.code(200).header('cache-control', 'no-store').type('text/html; charset=utf-8').send(page)
  })
}

/** For servers without the web role. */
export function serveNoPages(app: FastifyInstance): void {
  app.setNotFoundHandler((_request, reply) => sendError(reply, nothingHere()))
}

function nothingHere(): AppError {
  return new AppError('not_found', 'request.nothingHere')
}

/**
 * What messengers show of a link that a guest is sent. The same for every link: the server never gets the part of the
 * address that says which one it is, and nothing of the library is for those who only pass it on. In the
 * language that the messenger asks for.
 */
function withPreview(page: string, title: string, request: FastifyRequest): string {
  const { shared } = textsIn('server-pages', localeOf(request))
  const [heading, library] = [escapeHtml(shared.title), escapeHtml(title)]
  const tags = [
    `<title>${heading} · ${library}</title>`,
    `<meta property="og:title" content="${heading}" />`,
    `<meta property="og:site_name" content="${library}" />`,
    '<meta property="og:type" content="website" />',
  ]
  return page.replace(/<title>[^<]*<\/title>/, () => tags.join('\n    '))
}

function pathOf(request: FastifyRequest): string {
  return request.url.split('?')[0] ?? '/'
}

function wantsPage(request: FastifyRequest): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false
  const path = pathOf(request)
  if (path === '/auth/callback') return true
  return !/^\/(api|auth|files|shared|mail|demo|assets|healthz|metrics)(\/|$)/.test(path)
}
