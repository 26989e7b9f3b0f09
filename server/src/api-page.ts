import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { endpoints } from '#contract/index.ts'
import { AppError } from './kit/errors.ts'
import { inlineScriptSources } from './kit/inline-scripts.ts'
import { openApiDocument } from './kit/openapi.ts'
import { writeRangeHeaders } from './storage/serve-bytes.ts'

const PATH = '/api/docs'
/** The page, its script and the document in two formats. */
const FILES = ['/', '/js/scalar.js', '/openapi.json', '/openapi.yaml']

interface ApiFile {
  headers: Record<string, string>
  plain: Encoded
  gzipped: Encoded
}

interface Encoded {
  bytes: Buffer
  etag: string
}

/**
 * The API page and its OpenAPI document, generated from the contract. Rendered once, at the first request: its library is
 * large, and rendering takes a hundred times longer than sending.
 */
export async function serveApiPage(app: FastifyInstance, title: string): Promise<void> {
  let rendered: Promise<Map<string, ApiFile>> | undefined
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?')[0] ?? ''
    if (path === PATH) return reply.redirect(`${PATH}/`, 301)
    rendered ??= renderFiles(title)
    const file = (await rendered).get(path)
    if (!file) throw new AppError('not_found', 'request.nothingHere')
    return sendFile(request, reply, file)
  }
  for (const url of [PATH, `${PATH}/*`]) app.get(url, { config: { cost: 3 } }, answer)
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: ApiFile): FastifyReply {
  const acceptsGzip = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|\s|$))/i.test(request.headers['accept-encoding'] ?? '')
  const { bytes, etag } = acceptsGzip ? file.gzipped : file.plain
  reply.headers(file.headers)
  if (acceptsGzip) reply.header('content-encoding', 'gzip')
  const { start, length } = writeRangeHeaders(request, reply, { size: bytes.length, etag })
  return reply.send(request.method === 'HEAD' || length === 0 ? undefined : bytes.subarray(start, start + length))
}

async function renderFiles(title: string): Promise<Map<string, ApiFile>> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const document = openApiDocument({ title: `${title} API`, version: '1' }, endpoints)
  const page = Fastify()
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
  const files = new Map<string, ApiFile>()
  for (const file of FILES) files.set(PATH + file, await renderFile(page, PATH + file))
  await page.close()
  return files
}

async function renderFile(page: FastifyInstance, path: string): Promise<ApiFile> {
  const { headers, rawPayload } = await page.inject(path)
  const type = String(headers['content-type'])
  return {
    headers: {
      'content-type': type,
      'content-security-policy': policyFor(type.startsWith('text/html') ? rawPayload.toString() : ''),
      'cache-control': 'public, max-age=300',
      vary: 'accept-encoding',
      // Other tools may read the document.
      'access-control-allow-origin': '*',
    },
    plain: withEtag(rawPayload),
    gzipped: withEtag(await promisify(gzip)(rawPayload)),
  }
}

function withEtag(bytes: Buffer): Encoded {
  return { bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"` }
}

/** The reference page runs inline scripts: the policy allows exactly these, by their hashes. */
function policyFor(html: string): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${inlineScriptSources(html).join(' ')}`.trim(),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
