import Fastify, { type FastifyInstance } from 'fastify'
import { endpoints } from '#contract/index.ts'
import { AppError } from './kit/errors.ts'
import { sendError } from './kit/http.ts'
import { inlineScriptSources } from './kit/inline-scripts.ts'
import { lazyHandler, mount, type RawHandler } from './kit/mount.ts'
import { openApiDocument } from './kit/openapi.ts'

const PATH = '/api/docs'

/** The API page and its OpenAPI document, generated from the contract. Loaded lazily, because its library is large. */
export async function serveApiPage(app: FastifyInstance, title: string): Promise<void> {
  await mount(app, { path: PATH, handle: lazyHandler(() => openApiPage(title)) })
}

async function openApiPage(title: string): Promise<RawHandler> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const document = openApiDocument({ title: `${title} API`, version: '1' }, endpoints)
  const page = Fastify()
  page.addHook('onSend', async (_request, reply, payload) => {
    reply.headers({
      'content-security-policy': apiPagePolicy(payload),
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    return payload
  })
  page.setNotFoundHandler((_request, reply) =>
    sendError(reply, new AppError('not_found', 'There is nothing at this address.')),
  )
  await page.register(scalar, {
    routePrefix: PATH,
    configuration: {
      content: document,
      pageTitle: document.info.title,
      withDefaultFonts: false,
      telemetry: false,
      hideClientButton: true,
    },
  })
  await page.ready()
  return async (request, response) => page.routing(request, response)
}

/** The reference page runs inline scripts: the policy allows exactly these, by their hashes. */
function apiPagePolicy(payload: unknown): string {
  const hashes = typeof payload === 'string' ? inlineScriptSources(payload) : []
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
