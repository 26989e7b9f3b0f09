import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import helmet from '@fastify/helmet'
import Fastify, {
  type FastifyError,
  type FastifyHttpOptions,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { ErrorAnswer } from '#contract/common.ts'
import { jsonBodyBytes, jsonDepth, maxConnections, requestTimes } from '#contract/limits.ts'
import { limitConnections } from './connections.ts'
import { AppError } from './errors.ts'
import { clientAddressReader, type TrustedProxies } from './ip-addresses.ts'
import { type LogStream, loggerOptions } from './log.ts'
import { handleInTurn } from './pipelining.ts'
import { TooManyRequests } from './rate-limiter.ts'
import { closeStalledResponses, type RequestTimes, timeOutBodies } from './request-timeouts.ts'

export interface HttpOptions {
  logLevel: string
  trustedProxies: TrustedProxies
  publicUrl: URL
  /** Additional origins in the CSP: for loading files, and for uploads. */
  filesOrigin?: string | undefined
  uploadsOrigin?: string | undefined
  /** Sources of the built page's inline scripts for the CSP: no other inline script runs. */
  inlineScripts?: readonly string[] | undefined
  /** Additional origin in the CSP for the core of the fallback transcoder. */
  transcoderOrigin?: string | undefined
  /** Whether an error means that the database or storage is temporarily unavailable. */
  isUnavailable(error: unknown): boolean
  /** Whether an error means that a disk is full. */
  isFull(error: unknown): boolean
  /** Default: those of the product. */
  requestTimes?: RequestTimes | undefined
  maxConnections?: number | undefined
  /** Default: standard output. */
  logTo?: LogStream | undefined
}

/** Creates the Fastify instance: request ids, logging, security headers and one format for all errors. */
export async function createHttp(options: HttpOptions): Promise<FastifyInstance> {
  const times = options.requestTimes ?? requestTimes
  const serverOptions: FastifyHttpOptions<Server> = {
    logger: loggerOptions(options.logLevel, options.logTo),
    bodyLimit: jsonBodyBytes,
    genReqId: () => randomUUID(),
    // No total timeout, since slow uploads take hours: `timeOutBodies` aborts stalled bodies, and Node slow headers.
    requestTimeout: 0,
    http: { headersTimeout: times.headers, connectionsCheckingInterval: times.headers / 4 },
    forceCloseConnections: true,
    // The size that Node allows for all headers: the router would reject a longer parameter before the session is checked.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 16_384 },
    rewriteUrl: ({ url = '/' }) => decodableAddress(url),
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    clientErrorHandler: refuseUnreadable,
    frameworkErrors: (error, _request, reply) => {
      sendError(reply, unreadableAddress(error))
    },
  }
  const app = Fastify(serverOptions)
  handleInTurn(app.server)
  nameClients(app, options.trustedProxies)
  timeOutBodies(app, times)
  closeStalledResponses(app.server, times.answerStallsAfter)
  limitConnections(app.server, options.maxConnections ?? maxConnections, options.trustedProxies)
  acceptJson(app)
  // After the session check, which an error of the router would bypass.
  app.addHook('preParsing', async request => {
    if (request.originalUrl !== request.url) throw unreadableAddress()
  })

  app.setErrorHandler((error: FastifyError, request, reply) => sendError(reply, asAppError(error, request, options)))
  app.addHook('onSend', async (request, reply) => {
    reply.header('x-request-id', request.id)
  })
  await app.register(helmet, helmetOptions(options))
  return app
}

/** The contract validates input and output. Fastify's own compilers would be a fifth of what a start loads. */
function noSchemas(): never {
  throw new Error('A route has a schema of Fastify; the contract is where its input and its answer are described')
}

function unreadableAddress(cause?: unknown): AppError {
  return new AppError('malformed', 'request.address', { cause })
}

/** The URL with every percent sign escaped that is not part of valid UTF-8. All others are unchanged. */
function decodableAddress(address: string): string {
  const query = /[?#]/.exec(address)?.index ?? address.length
  const path = address.slice(0, query)
  return path.replace(/(?:%[\da-f]{2})+|%/gi, escapeUndecodable) + address.slice(query)
}

function escapeUndecodable(sequence: string): string {
  try {
    decodeURIComponent(sequence)
    return sequence
  } catch {
    return sequence.replaceAll('%', '%25')
  }
}

/** Fastify accepts invalid addresses in X-Forwarded-For; this sets `request.ip` correctly for all hooks and handlers. */
function nameClients(app: FastifyInstance, trusted: TrustedProxies): void {
  const addressOf = clientAddressReader(trusted)
  app.addHook('onRequest', async request => {
    Object.defineProperty(request, 'ip', { value: addressOf(request.raw) })
  })
}

function acceptJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    // Some clients send the JSON content type with an empty body.
    if (body === '') return done(null)
    const text = String(body)
    if (isTooDeep(text)) return done(new AppError('malformed', 'request.notUnderstood'))
    parse(request, text, done)
  })
}

/** Answers a request that Node could not parse. It may contain a token, so nothing of it is logged. */
function refuseUnreadable(error: { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
  const status = isLate ? '408 Request Timeout' : (UNREADABLE[error.code ?? ''] ?? '400 Bad Request')
  const refusal = isLate
    ? new AppError('timed_out', 'request.cutOff')
    : new AppError('malformed', 'request.notUnderstood')
  const body = JSON.stringify(answerFor(refusal))
  const head = [`HTTP/1.1 ${status}`, 'content-type: application/json', `content-length: ${body.length}`]
  socket.end([...head, 'connection: close', '', body].join('\r\n'))
}

const UNREADABLE: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
}

function helmetOptions({ publicUrl, filesOrigin, uploadsOrigin, transcoderOrigin, inlineScripts = [] }: HttpOptions) {
  const files = filesOrigin ? [filesOrigin] : []
  const transcoder = transcoderOrigin ? [transcoderOrigin] : []
  const secure = publicUrl.protocol === 'https:'
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        // Decoding, hashing and conversion before an upload use WebAssembly; this does not allow `eval` of scripts.
        scriptSrc: ["'self'", "'wasm-unsafe-eval'", ...inlineScripts, ...transcoder],
        // The toast and dialog libraries insert style elements; they never contain user input.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:', ...files],
        mediaSrc: ["'self'", 'blob:', ...files],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", ...files, ...(uploadsOrigin ? [uploadsOrigin] : []), ...transcoder],
        workerSrc: ["'self'", 'blob:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(secure ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    strictTransportSecurity: secure ? { maxAge: 31_536_000 } : false,
    referrerPolicy: { policy: 'no-referrer' as const },
    crossOriginEmbedderPolicy: false,
  }
}

export function sendError(reply: FastifyReply, error: AppError): FastifyReply {
  if (error instanceof TooManyRequests) reply.header('retry-after', error.retryAfterSeconds)
  return reply.code(error.status).header('cache-control', 'no-store').send(answerFor(error))
}

/** The response body of an error. */
export function answerFor({ message, code, key, values }: AppError): ErrorAnswer {
  return { error: message, code, key, values }
}

function asAppError(error: FastifyError | AppError, request: FastifyRequest, options: HttpOptions): AppError {
  if (error instanceof AppError) {
    if (error.status >= 500) request.log.error({ err: error }, 'request failed')
    return error
  }
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new AppError('too_large', 'request.tooMuch')
  if (error.statusCode && error.statusCode < 500) {
    return new AppError('malformed', 'request.notUnderstood', { cause: error })
  }
  request.log.error({ err: error }, 'request failed')
  if (options.isFull(error)) return new AppError('storage_full', 'storage.full')
  if (options.isUnavailable(error)) {
    return new AppError('unavailable', 'server.unreachable')
  }
  return new AppError('internal', 'server.failed')
}

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Array.from('"\\[]{}', mark =>
  mark.charCodeAt(0),
)

/**
 * Whether a JSON text nests deeper than any endpoint needs. Checked before parsing: a megabyte of brackets would block
 * the event loop for seconds.
 */
export function isTooDeep(text: string): boolean {
  let depth = 0
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (inString) {
      if (code === BACKSLASH) at++
      else if (code === QUOTE) inString = false
    } else if (code === QUOTE) inString = true
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      if (++depth > jsonDepth) return true
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--
  }
  return false
}
