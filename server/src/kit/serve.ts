import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isInScope } from '#contract/app-password-scopes.ts'
import type { AppPasswordScope } from '#contract/app-passwords.ts'
import { type Answer, type Endpoint, hasBody, type ParsedInput } from '#contract/endpoint.ts'
import { noBodyBytes, rateLimits, requestsOfSession, strangersBodyBytes } from '#contract/limits.ts'
import { type Act, can } from '#contract/rights.ts'
import type { Role } from '#contract/role.ts'
import type { CostLimiter } from './cost-limiter.ts'
import { AppError } from './errors.ts'
import { parseInput } from './input.ts'
import { addressGroup } from './ip-addresses.ts'
import { KeyedMutex } from './keyed-mutex.ts'
import { KeyedSemaphore } from './keyed-semaphore.ts'
import { setLru } from './lru.ts'
import type { OpenRequests } from './open-requests.ts'
import type { RateLimiter } from './rate-limiter.ts'
import { nobodyWaits, withLongQueries } from './read-limits.ts'
import { hashToken, isAppPassword } from './tokens.ts'

/** The authenticated person of a request. */
export interface Caller {
  id: number
  role: Role
  /** Identifies the session but, unlike the token, does not authenticate. */
  sessionId: string
  /** Of an app password, which may make the calls of its scope only. */
  scope?: AppPasswordScope
}

export interface Call<E extends Endpoint> extends ParsedInput<E> {
  caller: Caller
  request: FastifyRequest
  reply: FastifyReply
}

/** The handler's return value; ignored for endpoints without a response body. */
type HandlerResult<E extends Endpoint> = undefined extends Answer<E> ? unknown : Answer<E>

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: Endpoint
    /**
     * What a request without a session costs: about the milliseconds of CPU that it takes. Default 1; 0 is not counted.
     */
    cost?: number
    /** Not rate-limited; for routes that a library handles. */
    uncounted?: boolean
    /** A separate rate limit for POST requests per account on an uncounted route. */
    limitedPosts?: { name: string; max: number }
  }
  interface FastifyInstance {
    /** For endpoints that are `serializedPerPerson`. */
    perPersonMutex: KeyedMutex<string>
  }
  interface FastifyRequest {
    caller: Caller | null
    /** Aborts when the session of this request ends; a handler that listens can still answer. */
    sessionEnded: AbortSignal | null
    /** Lets the next request of this session begin. */
    endTurn: () => void
  }
}

export interface GuardDeps {
  /** The person of this session token or app password, used at this address, or undefined if it is not valid. */
  authenticate(token: string, address: string): Promise<Caller | undefined>
  /** Why the session of this token ended, if that is known. */
  endOfSession(token: string): Promise<'revoked' | 'expired' | undefined>
  limiter: RateLimiter
  /** Limits what one address may cost the server without a session. */
  anonymousCosts: Pick<CostLimiter, 'spend' | 'refund'>
  openRequests: OpenRequests
}

/** An unknown token costs a query more than no token. */
const UNKNOWN_TOKEN_COST = 3

/** Bounds the memory, like the number of addresses of `CostLimiter`. */
const MAX_SEEN_SESSIONS = 20_000

/**
 * Looks a token up, which an address must be able to pay for unless the session was valid before. The price is refunded if it is
 * valid, and apart from that of other requests, so that who floods the server without a token does not keep others
 * behind the same address from using theirs.
 */
function authenticator({ authenticate, anonymousCosts }: Pick<GuardDeps, 'authenticate' | 'anonymousCosts'>) {
  /** Hashes of tokens that were valid when they were last used. */
  const seen = new Map<string, true>()
  return async (token: string, address: string): Promise<Caller | undefined> => {
    const [hash, payer] = [hashToken(token), `tokens of ${addressGroup(address)}`]
    const isSeen = seen.has(hash)
    if (!isSeen) anonymousCosts.spend(payer, UNKNOWN_TOKEN_COST)
    const caller = await authenticate(token, address)
    if (caller) {
      if (!isSeen) anonymousCosts.refund(payer, UNKNOWN_TOKEN_COST)
      setLru(seen, MAX_SEEN_SESSIONS, hash, true)
    } else seen.delete(hash)
    return caller
  }
}

/** Checks the session before anything else: before the path is resolved or the body is read. */
export function registerSessionGuard(app: FastifyInstance, deps: GuardDeps): void {
  app.decorate('perPersonMutex', new KeyedMutex<string>())
  app.decorateRequest('caller', null)
  app.decorateRequest('sessionEnded', null)
  app.decorateRequest('endTurn', () => undefined)
  const turns = new KeyedSemaphore(requestsOfSession)
  const authenticate = authenticator(deps)
  app.addHook('onRequest', async (request, reply) => {
    const config = request.routeOptions.config
    const endpoint = config?.endpoint
    // The path of the route, because the URL of the request may be encoded differently, as in /%61pi.
    const path = request.routeOptions.url ?? request.url
    const needsSession = endpoint ? endpoint.act !== 'anyone' : isApiPath(path) && !isDocsPath(path)
    const reads = request.method === 'GET' || request.method === 'HEAD'
    const address = addressGroup(request.ip)
    const countAddress = () => deps.limiter.hit(`write:address:${address}`, rateLimits.writes)
    if (!needsSession) {
      deps.anonymousCosts.spend(address, config?.cost ?? 1)
      // Before the body is read.
      if (request.is404 && !reads) throw new AppError('not_found', 'request.nothingHere')
      return reads || !endpoint || endpoint.uncounted ? undefined : countAddress()
    }
    const token = bearerToken(request)
    // Before the token is looked up. Uploads, which read their bodies themselves, may take hours.
    const isUpload = config?.uncounted || (endpoint?.uncounted && !hasBody(endpoint))
    if (token && !isUpload) await takeTurn(turns, hashToken(token), request, reply)
    const caller = token && (await authenticate(token, request.ip))
    if (!caller) {
      deps.anonymousCosts.spend(address, token ? UNKNOWN_TOKEN_COST : 1)
      if (!reads) await countAddress()
      const end = token && (await deps.endOfSession(token))
      if (end === 'revoked') throw new AppError('access_denied', 'auth.accessEnded')
      if (end === 'expired') throw new AppError('session_expired', 'auth.signIn')
      throw new AppError('not_signed_in', token && isAppPassword(token) ? 'passwords.wrong' : 'auth.signIn')
    }
    if (caller.scope && !request.is404) requireInScope(caller.scope, request.method, path)
    request.caller = caller
    request.sessionEnded = deps.openRequests.register(caller, request, reply)
    // A family shares one IP address, so signed-in requests are limited by account.
    const limitedPosts = request.method === 'POST' ? config?.limitedPosts : undefined
    if (limitedPosts) await deps.limiter.hit(`${limitedPosts.name}:account:${caller.id}`, limitedPosts.max)
    if (reads || endpoint?.uncounted || config?.uncounted) return
    await deps.limiter.hit(`write:account:${caller.id}`, rateLimits.writes)
  })
  // Before a stream is sent, which takes as long as its reader.
  app.addHook('onSend', async request => request.endTurn())
}

/**
 * Waits until few requests of this session are running. A person who sends hundreds at once waits for their own requests, and
 * the others wait for a few of them.
 */
async function takeTurn(
  turns: KeyedSemaphore,
  session: string,
  request: FastifyRequest,
  { raw }: FastifyReply,
): Promise<void> {
  const end = await turns.acquire(session)
  request.endTurn = end
  raw.once('close', end)
  if (!raw.destroyed) return
  end()
  throw nobodyWaits()
}

/** Registers a handler for an endpoint: session, input, permissions, handler, response. */
export function serve<E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  act: (call: Call<E>) => Promise<HandlerResult<E> | StreamedJson>,
): void {
  route(app, endpoint, async (request, reply) => {
    const call = { ...authorize(endpoint, request), request, reply }
    if (!endpoint.serializedPerPerson) return act(call)
    // In that queue it would keep the others of its session waiting.
    request.endTurn()
    const queue = endpoint.method === 'GET' ? 'reads' : endpoint.act
    const { promise: answered, resolve, reject } = Promise.withResolvers<HandlerResult<E> | StreamedJson>()
    app.perPersonMutex
      .run(`${call.caller.id} ${queue}`, async () => {
        // A page that searches while somebody types has given up all but the last search.
        if (reply.raw.destroyed) throw nobodyWaits()
        const answer = await withLongQueries(`person ${call.caller.id}`, () => act(call))
        resolve(answer)
        if (answer instanceof StreamedJson) await untilSent(reply)
      })
      .catch(reject)
    return answered
  })
}

/** A streamed response is made while it is sent, so that its person's next one has to wait until then. */
async function untilSent({ raw }: FastifyReply): Promise<void> {
  try {
    await finished(raw)
  } catch {
    // The connection was closed before the end, which is the end too.
  }
}

/** The same for an endpoint without a session. */
export function serveAnyone<E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  act: (call: Omit<Call<E>, 'caller'>) => Promise<HandlerResult<E>>,
  config: Pick<FastifyContextConfig, 'cost'> = {},
): void {
  if (endpoint.act !== 'anyone') throw new Error(`${endpoint.path} needs a session`)
  route(app, endpoint, (request, reply) => act({ ...parseInput(endpoint, request), request, reply }), config)
}

function authorize<E extends Endpoint>(endpoint: E, request: FastifyRequest): ParsedInput<E> & { caller: Caller } {
  const { caller } = request
  if (!caller || endpoint.act === 'anyone') throw new Error(`${endpoint.path} is served without its session`)
  const input = parseInput(endpoint, request)
  requireRight(caller, endpoint.act)
  return { ...input, caller }
}

function requireInScope(scope: AppPasswordScope, method: string, path: string): void {
  if (isInScope(scope, method, path)) return
  throw new AppError('forbidden', scope === 'read' ? 'passwords.readsOnly' : 'passwords.uploadsOnly')
}

/** Throws unless the caller has this right. */
export function requireRight({ role }: Pick<Caller, 'role'>, act: Act): void {
  if (can(role, act)) return
  throw new AppError('forbidden', can('member', act) ? 'auth.mayOnlyLook' : 'auth.adminsOnly')
}

/** The authenticated person of a request to a route that is no endpoint. */
export function callerOf({ caller, url }: FastifyRequest): Caller {
  if (!caller) throw new Error(`${url} is served without its session`)
  return caller
}

/** Aborts when the session of this request ends. */
export function sessionSignal({ sessionEnded, url }: FastifyRequest): AbortSignal {
  if (!sessionEnded) throw new Error(`${url} is served without its session`)
  return sessionEnded
}

/** A JSON response of any length, streamed: each chunk is created when the one before was sent. Its creator validates it. */
export class StreamedJson {
  readonly chunks: AsyncIterable<Buffer>

  constructor(chunks: AsyncIterable<Buffer>) {
    this.chunks = chunks
  }
}

async function streamOf({ chunks }: StreamedJson, { method, sessionEnded }: FastifyRequest): Promise<Readable> {
  if (method !== 'HEAD') {
    return Readable.from(chunks, { objectMode: false, ...(sessionEnded ? { signal: sessionEnded } : {}) })
  }
  // For HEAD, Fastify would read the whole stream. The first chunk shows whether the handler succeeds.
  for await (const _first of chunks) break
  return Readable.from([])
}

/** Responses are parsed too, so that no field leaves the server that the contract does not list. */
function serialize(endpoint: Endpoint, answer: unknown): string {
  return JSON.stringify(endpoint.answer.parse(answer))
}

function route<E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<HandlerResult<E> | StreamedJson>,
  config: Pick<FastifyContextConfig, 'cost'> = {},
): void {
  app.route({
    method: endpoint.method,
    url: endpoint.path,
    config: { ...config, endpoint },
    // Little is parsed for strangers.
    ...(endpoint.act === 'anyone' ? { bodyLimit: hasBody(endpoint) ? strangersBodyBytes : noBodyBytes } : {}),
    handler: async (request, reply) => {
      const answer = await handler(request, reply)
      if (reply.sent) return reply
      reply.code(endpoint.status).header('cache-control', 'no-store')
      if (endpoint.status === 204) return reply.send()
      reply.type('application/json; charset=utf-8')
      if (answer instanceof StreamedJson) return reply.send(await streamOf(answer, request))
      return reply.send(serialize(endpoint, answer))
    },
  })
}

export function bearerToken(request: Pick<FastifyRequest, 'headers'>): string | undefined {
  const token = /^Bearer ([\w-]{20,200})$/i.exec(request.headers.authorization ?? '')?.[1]
  // Requests take turns by their token, however a program spells it.
  return token !== undefined && isAppPassword(token) ? token.toLowerCase() : token
}

function isApiPath(url: string): boolean {
  return /^\/api(?:[/?]|$)/.test(url)
}

/** The API page contains no data of the library, and a browser opens it without a token. */
function isDocsPath(url: string): boolean {
  return /^\/api\/docs(?:[/?]|$)/.test(url)
}
