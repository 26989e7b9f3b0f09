import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { webdav as limits, rateLimits, requestsOfSession, uploads } from '#contract/limits.ts'
import type { AppCaller, AppPasswords } from '../auth/public.ts'
import { AppError } from '../kit/errors.ts'
import { isLoopbackHost } from '../kit/ip-addresses.ts'
import { KeyedSemaphore } from '../kit/keyed-semaphore.ts'
import type { OpenRequests } from '../kit/open-requests.ts'
import type { RateLimiter } from '../kit/rate-limiter.ts'
import { destroyWhenStalled } from '../kit/request-timeouts.ts'
import { requireRight } from '../kit/serve.ts'
import { findPartKeys, type StoreStreamDeps } from '../media/public.ts'
import { sandboxHeaders, writeRangeHeaders } from '../storage/serve-bytes.ts'
import { deleteLock, findEntry, insertEntry, type Lock, locksOf } from './inbox.sql.ts'
import { makeFolder, move, putFile, removeEntry } from './inbox.ts'
import { lockTimeout, requireUnlocked, takeLock, tokensIn } from './locks.ts'
import { davPath, hrefOf, type InboxPath, inboxPath, isLitter, joined, segmentsOf } from './paths.ts'
import { activeLock, multistatus, patchAnswer, type ShownLock, wantedProperties } from './properties.ts'
import { findResource, type Reader, type Resource } from './resources.ts'
import { childOf, dav, document, parseXml } from './xml.ts'

export interface WebdavDeps extends StoreStreamDeps {
  appPasswords: AppPasswords
  limiter: RateLimiter
  openRequests: OpenRequests
  publicUrl: URL
}

interface Call {
  caller: AppCaller
  request: FastifyRequest
  reply: FastifyReply
  segments: string[]
  signal: AbortSignal
}

type Handler = (deps: WebdavDeps, call: Call) => Promise<unknown>

const handlers: Record<string, Handler> = {
  OPTIONS: async (_, { reply }) => reply.header('allow', methods.join(', ')).code(200).send(),
  PROPFIND: propfind,
  GET: download,
  HEAD: download,
  PUT: put,
  MKCOL: makeCollection,
  MOVE: moveResource,
  DELETE: remove,
  LOCK: lock,
  UNLOCK: unlock,
  PROPPATCH: patchProperties,
  COPY: refuse,
  POST: noSuchMethod,
  PATCH: noSuchMethod,
}
const methods = Object.keys(handlers)
const changing = new Set(['PUT', 'MKCOL', 'MOVE', 'DELETE', 'COPY', 'PROPPATCH'])

/**
 * A read-only view of folders and albums and an inbox for each person, for file managers and backup programs. Takes app
 * passwords alone: a session token opens nothing here.
 */
export async function webdavRoutes(app: FastifyInstance, deps: WebdavDeps): Promise<void> {
  for (const method of methods) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: true })
  }
  const turns = new KeyedSemaphore(requestsOfSession)
  await app.register(async scope => {
    // Bodies are streams; the handlers read them.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _body, done) => done(null))
    scope.addHook('onSend', async (_request, reply) => {
      reply.header('dav', '1, 2').header('ms-author-via', 'DAV').header('cache-control', 'no-store')
    })
    for (const url of [davPath, `${davPath}/*`]) {
      scope.route({
        method: methods,
        url,
        exposeHeadRoute: false,
        config: { cost: 0, uncounted: true },
        async handler(request, reply) {
          const call = await admit(deps, request, reply)
          const end = await turns.acquire(call.caller.sessionId)
          reply.raw.once('close', end)
          if (reply.raw.destroyed) end()
          return handlers[request.method]?.(deps, call)
        },
      })
    }
  })
}

/** Throws unless the request has a valid app password, over a connection that nobody else can read, from no other page. */
async function admit(deps: WebdavDeps, request: FastifyRequest, reply: FastifyReply): Promise<Call> {
  const { origin, authorization } = request.headers
  if (origin !== undefined && origin !== deps.publicUrl.origin) throw new AppError('forbidden', 'webdav.origin')
  if (!isPrivate(deps, request)) throw new AppError('forbidden', 'webdav.https')
  const given = basicCredentials(authorization)
  const caller = given && (await deps.appPasswords.check(given.password, request.ip, given.username))
  if (!caller) {
    reply.header('www-authenticate', 'Basic realm="Heirloom app password", charset="UTF-8"')
    throw new AppError('not_signed_in', given ? 'passwords.wrong' : 'webdav.needsPassword')
  }
  request.caller = caller
  const signal = deps.openRequests.register(caller, request, reply)
  if (changing.has(request.method)) {
    await deps.limiter.hit(`webdav:account:${caller.id}`, rateLimits.webdavWrites)
  }
  const segments = segmentsOf(request.raw.url ?? '')
  return { caller, request, reply, segments, signal }
}

function isPrivate({ publicUrl }: WebdavDeps, request: FastifyRequest): boolean {
  if (isLoopbackHost(request.ip.includes(':') ? `[${request.ip}]` : request.ip)) return true
  // A proxy that ends https says so in PUBLIC_URL: that is how everybody reaches it.
  return publicUrl.protocol === 'https:'
}

function basicCredentials(header: string | undefined): { username: string; password: string } | undefined {
  const encoded = /^Basic ([A-Za-z0-9+/=]{1,2000})$/i.exec(header ?? '')?.[1]
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  return colon < 0 ? undefined : { username: text.slice(0, colon), password: text.slice(colon + 1) }
}

function readerOf({ db }: WebdavDeps, { scope, id }: AppCaller): Reader {
  return { db, personId: id, opens: { library: scope === 'read', inbox: scope === 'upload' } }
}

async function existing(deps: WebdavDeps, { caller, segments }: Call): Promise<Resource> {
  const resource = await findResource(readerOf(deps, caller), segments)
  if (!resource) throw new AppError('not_found', 'webdav.missing')
  return resource
}

/** The path of a change; only the inbox can be changed, and only by who may upload. */
function changed({ caller, segments }: Pick<Call, 'caller' | 'segments'>): InboxPath {
  const path = caller.scope === 'upload' ? inboxPath(segments) : undefined
  if (!path) throw new AppError('forbidden', 'webdav.readOnly')
  requireRight(caller, 'media.upload')
  return path
}

async function readBody({ raw }: FastifyRequest): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of raw.iterator({ destroyOnReturn: false })) {
    size += chunk.length
    if (size > limits.xmlBytes) throw new AppError('too_large', 'webdav.bodyTooLarge')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

async function propfind(deps: WebdavDeps, call: Call): Promise<unknown> {
  const { caller, request, reply } = call
  const { depth = 'infinity' } = request.headers
  const wanted = wantedProperties(await readBody(request))
  if (depth !== '0' && depth !== '1') {
    reply.code(403).type(xmlType)
    return reply.send(document('error', dav('propfind-finite-depth')))
  }
  const resource = await existing(deps, call)
  const locks = await shownLocks(deps, caller)
  const locksAt = ({ segments }: Resource) => locks.filter(({ path }) => path === pathInInbox(segments))
  reply.code(207).type(xmlType)
  return reply.send(Readable.from(multistatus(resource, { wanted, depth: depth === '1' ? 1 : 0, locksAt })))
}

const xmlType = 'application/xml; charset=utf-8'

async function shownLocks({ db, clock }: WebdavDeps, { id }: AppCaller): Promise<ShownLock[]> {
  return (await locksOf(db.query, id, clock())).map(row => shown(row, clock()))
}

function shown({ expires_at, ...lock }: Lock, now: number): ShownLock {
  return { ...lock, secondsLeft: Math.max(1, Math.ceil((expires_at - now) / 1000)) }
}

function pathInInbox(segments: readonly string[]): string | undefined {
  const path = inboxPath(segments)
  return path && joined(path)
}

async function download(deps: WebdavDeps, call: Call): Promise<unknown> {
  const { request, reply } = call
  const { isFolder, mediaId, size, etag, type } = await existing(deps, call)
  if (isFolder) throw new AppError('method_not_allowed', 'webdav.isFolder')
  reply.headers(sandboxHeaders).type(type).header('content-disposition', 'attachment')
  if (size === 0) return reply.header('content-length', 0).send()
  const key = mediaId === null ? undefined : (await findPartKeys(deps.db.query, [mediaId])).get(mediaId)?.original
  if (key === undefined || etag === undefined) throw new AppError('not_found', 'storage.fileGone')
  const { start, length } = writeRangeHeaders(request, reply, { size, etag })
  if (request.method === 'HEAD' || length === 0) return reply.send()
  const { stream } = await deps.storage.read(key, { start, end: start + length - 1 })
  return reply.send(stream)
}

async function put(deps: WebdavDeps, call: Call): Promise<unknown> {
  const { caller, request, reply, signal } = call
  const path = changed(call)
  if (request.headers['content-range'] !== undefined) throw new AppError('malformed', 'webdav.noParts')
  if (isLitter(path)) {
    request.raw.resume()
    return reply.code(201).send()
  }
  const { raw } = request
  if (Number(raw.headers['content-length']) > uploads.largestBytes) {
    throw new AppError('too_large', 'upload.tooLarge', { gigabytes: uploads.largestBytes / 1024 ** 3 })
  }
  await requireFree(deps, call, path)
  if (request.headers['if-none-match'] === '*' && (await findEntry(deps.db.query, caller.id, path))) {
    throw new AppError('precondition_failed', 'webdav.exists')
  }
  destroyWhenStalled(raw, uploads.stallsAfter)
  const modifiedAt = modificationTime(request)
  const { isNew, hash } = await putFile(deps, caller, path, { stream: raw, modifiedAt, signal })
  if (hash !== null) reply.header('etag', `"${hash}"`)
  if (modifiedAt !== undefined) reply.header('x-oc-mtime', 'accepted')
  return reply.code(isNew ? 201 : 204).send()
}

/** Sent by rclone, PhotoSync and others, in seconds. */
function modificationTime({ headers }: FastifyRequest): number | undefined {
  const seconds = /^\d{1,11}(?:\.\d+)?$/.exec(String(headers['x-oc-mtime'] ?? ''))?.[0]
  return seconds === undefined ? undefined : Math.floor(Number(seconds) * 1000)
}

async function requireFree(deps: WebdavDeps, { caller, request }: Call, path: InboxPath, below = false): Promise<void> {
  await requireUnlocked(deps, caller.id, joined(path), tokensIn(header(request, 'if')), { below })
}

function header({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : undefined
}

async function makeCollection(deps: WebdavDeps, call: Call): Promise<unknown> {
  const path = changed(call)
  if ((await readBody(call.request)) !== '') throw new AppError('not_a_photo_or_video', 'webdav.xml')
  await requireFree(deps, call, path)
  await makeFolder(deps, call.caller, path)
  return call.reply.code(201).send()
}

async function moveResource(deps: WebdavDeps, call: Call): Promise<unknown> {
  const { caller, request, reply } = call
  const target = { caller, segments: destination(deps, request) }
  const [from, to] = [changed(call), changed(target)]
  await requireFree(deps, call, from, true)
  await requireFree(deps, call, to, true)
  const { replaced } = await move(deps, caller, from, to, header(request, 'overwrite') !== 'F')
  return reply
    .code(replaced ? 204 : 201)
    .header('location', hrefOf(target.segments, false))
    .send()
}

function destination({ publicUrl }: WebdavDeps, request: FastifyRequest): string[] {
  const text = header(request, 'destination') ?? ''
  const url = text.startsWith('/') ? URL.parse(text, publicUrl.href) : URL.parse(text)
  if (!url || (url.host !== publicUrl.host && url.host !== request.headers.host)) {
    throw new AppError('forbidden', 'webdav.outside')
  }
  return segmentsOf(url.pathname)
}

async function remove(deps: WebdavDeps, call: Call): Promise<unknown> {
  const path = changed(call)
  if (isLitter(path)) return call.reply.code(204).send()
  await requireFree(deps, call, path, true)
  await removeEntry(deps, call.caller, path)
  return call.reply.code(204).send()
}

async function lock(deps: WebdavDeps, call: Call): Promise<unknown> {
  const { caller, request, reply } = call
  const path = changed(call)
  const body = await readBody(request)
  const owner = body === '' ? '' : ownerIn(body)
  const taken = await takeLock(deps, {
    personId: caller.id,
    path: joined(path),
    owner,
    wanted: lockTimeout(header(request, 'timeout')),
    tokens: tokensIn(header(request, 'if')),
  })
  const isNew = await createForLock(deps, caller, path)
  const now = deps.clock()
  reply.code(isNew ? 201 : 200).type(xmlType)
  if (body !== '') reply.header('lock-token', `<${taken.token}>`)
  return reply.send(document('prop', dav('lockdiscovery', activeLock(shown(taken, now)))))
}

/** Locking a name that does not exist makes an empty file. */
async function createForLock({ db, clock }: WebdavDeps, { id }: AppCaller, path: InboxPath): Promise<boolean> {
  if (path.name === '' || isLitter(path)) return false
  const empty = { is_folder: 0, media_id: null, size: 0, hash: null, modified_at: clock(), created_at: clock() }
  return insertEntry(db.query, { person_id: id, ...path, ...empty })
}

function ownerIn(body: string): string {
  const root = parseXml(body)
  const scope = childOf(root, 'lockscope')
  if (root.name !== 'lockinfo' || !scope || !childOf(scope, 'exclusive'))
    throw new AppError('invalid', 'webdav.lockKind')
  const owner = childOf(root, 'owner')
  return [owner, ...(owner?.children ?? [])]
    .map(each => each?.text ?? '')
    .join('')
    .trim()
    .slice(0, limits.ownerLength)
}

async function unlock(deps: WebdavDeps, call: Call): Promise<unknown> {
  changed(call)
  const [token = ''] = tokensIn(header(call.request, 'lock-token'))
  if (!(await deleteLock(deps.db.query, call.caller.id, token))) throw new AppError('conflict', 'webdav.noLock')
  return call.reply.code(204).send()
}

async function patchProperties(deps: WebdavDeps, call: Call): Promise<unknown> {
  const path = changed(call)
  const body = await readBody(call.request)
  await requireFree(deps, call, path)
  const answer = patchAnswer(body, await existing(deps, call))
  return call.reply.code(207).type(xmlType).send(answer)
}

async function noSuchMethod(): Promise<never> {
  throw new AppError('method_not_allowed', 'webdav.noSuchMethod')
}

async function refuse(): Promise<never> {
  throw new AppError('forbidden', 'webdav.readOnly')
}
