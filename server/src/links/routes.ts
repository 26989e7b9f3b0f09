import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { IdInText } from '#contract/common.ts'
import { links as limits } from '#contract/limits.ts'
import {
  createAlbumLink,
  createLink as createLinkEndpoint,
  createUploadLink,
  listLinks as listLinksEndpoint,
  openShared as openSharedEndpoint,
  SharedSize,
  sharedFilePath,
  sharedFiles,
  sharedZipPath,
  updateLink,
} from '#contract/links.ts'
import { installationSecret } from '../db/secrets.ts'
import { AppError } from '../kit/errors.ts'
import { parsePath, parseValue } from '../kit/input.ts'
import { addressGroup } from '../kit/ip-addresses.ts'
import { TooManyRequests } from '../kit/rate-limiter.ts'
import { serve, serveAnyone } from '../kit/serve.ts'
import { hashToken } from '../kit/tokens.ts'
import { type ArchivedFile, archiveOf, createUniqueNames, shownEdtf } from '../media/public.ts'
import { contentTypeOf } from '../storage/content-types.ts'
import { attachmentHeader } from '../storage/download-name.ts'
import { sandboxHeaders, writeRangeHeaders } from '../storage/serve-bytes.ts'
import type { Storage } from '../storage/storage.ts'
import { createGuestMutex } from './guest-mutex.ts'
import {
  type GuestBrowser,
  type GuestDeps,
  linkCookie,
  listSharedFiles,
  notIndexed,
  openShared,
  sharedArchive,
  sharedPart,
} from './guests.ts'
import { changeLink, createLink, type LinkDeps, listLinks } from './links.ts'

export interface LinkRouteDeps extends Omit<LinkDeps, 'requested'>, Pick<GuestDeps, 'limiter'> {
  storage: Storage
  title: string
}

/** After `authRoutes`, which lets requests have cookies. */
export async function linkRoutes(app: FastifyInstance, options: LinkRouteDeps): Promise<void> {
  const deps = { ...options, requested: new Map<number, number>() }
  serve(app, createLinkEndpoint, ({ caller, body: { fileIds, ...options } }) =>
    createLink(deps, caller, { fileIds }, options),
  )
  serve(app, createAlbumLink, ({ caller, params, body }) => createLink(deps, caller, { albumId: params.id }, body))
  serve(app, createUploadLink, ({ caller, params, body }) =>
    createLink(deps, caller, { inboxId: params.id }, { ...body, originals: false }),
  )
  serve(app, listLinksEndpoint, ({ caller, query }) => listLinks(deps, caller, query))
  serve(app, updateLink, ({ caller, params, body }) => changeLink(deps, caller, params.id, body))
  const secret = await installationSecret(deps.db, 'links')
  guestRoutes(app, { ...deps, secret, withMutex: createGuestMutex() })
}

/** Routes without a session: a cookie proves that this browser has opened the link. */
function guestRoutes(app: FastifyInstance, deps: LinkRouteDeps & GuestDeps): void {
  const cookie = linkCookie(deps.publicUrl, 'link')
  const guestCookie = linkCookie(deps.publicUrl, 'guest')
  const takeArchiveSlot = archiveSlots()
  const browserOf = (request: FastifyRequest): GuestBrowser => ({
    address: addressGroup(request.ip),
    isGone: () => request.socket.destroyed,
    guestSession: request.cookies[cookie.name],
    guestId: request.cookies[guestCookie.name],
  })

  serveAnyone(app, openSharedEndpoint, async ({ params, body, request, reply }) => {
    const { answer, guestSession } = await openShared(deps, params.id, body, browserOf(request))
    reply.headers(notIndexed)
    if (guestSession)
      reply.setCookie(cookie.name, guestSession.value, cookie.optionsFor(params.id, guestSession.lastsMs))
    return answer
  })

  serveAnyone(app, sharedFiles, ({ params, query, request, reply }) => {
    reply.headers(notIndexed)
    return listSharedFiles(deps, params.id, query, browserOf(request))
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: sharedFilePath,
    helmet: false,
    logLevel: 'warn',
    handler: async (request, reply) => {
      reply.headers({ ...sandboxHeaders, ...notIndexed })
      const at = parsePath(FileInPath, request.params)
      const { download } = parseValue(FileQuery, request.query)
      const part = await sharedPart(deps, at, browserOf(request))
      const { key, size } = part
      const type = contentTypeOf(key)
      const name = nameOf(part)
      reply
        .header('content-type', type ?? 'application/octet-stream')
        .header('content-disposition', download || type === undefined ? attachmentHeader(name) : 'inline')
        .header('cache-control', `private, max-age=${limits.cached / 1000}`)
      // Objects are immutable, so the same key means the same bytes; hashed, because it contains the file's name.
      const { start, length } = writeRangeHeaders(request, reply, { size, etag: `"${hashToken(key).slice(0, 22)}"` })
      if (request.method === 'HEAD' || length === 0) return reply.send()
      return reply.send((await deps.storage.read(key, { start, end: start + length - 1 })).stream)
    },
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: sharedZipPath,
    handler: (request, reply) => {
      const browser = browserOf(request)
      takeArchiveSlot(browser.address, reply)
      return sendArchive(deps, request, reply, browser)
    },
  })
}

const LinkInPath = z.object({ id: IdInText })
const FileInPath = LinkInPath.extend({ file: IdInText, size: SharedSize })
const Flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform(value => value === 'true')
const FileQuery = z.object({ download: Flag })
const ZipQuery = z.object({ originals: Flag })

async function sendArchive(
  deps: LinkRouteDeps & GuestDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  browser: GuestBrowser,
): Promise<FastifyReply> {
  const { id } = parsePath(LinkInPath, request.params)
  const { originals } = parseValue(ZipQuery, request.query)
  const { title, parts } = await sharedArchive(deps, id, originals, browser)
  const nameFor = createUniqueNames()
  const { stream, size } = archiveOf(
    parts.map(
      (part): ArchivedFile => ({
        name: nameFor(nameOf(part)),
        size: part.size,
        wallClock: part.date_sort,
        open: async () => (await deps.storage.read(part.key)).stream,
      }),
    ),
  )
  reply
    .headers(notIndexed)
    .header('content-type', 'application/zip')
    .header('content-length', size)
    .header('content-disposition', attachmentHeader(`${title ?? deps.title}.zip`))
    .header('cache-control', 'no-store')
  if (request.method === 'GET') return reply.send(stream)
  stream.destroy()
  return reply.send()
}

/** Named by its date: the file's own name is not for guests. */
function nameOf({ date_edtf, key }: { date_edtf: string | null; key: string }): string {
  const [day = '', time] = (shownEdtf(date_edtf) ?? 'Undated').split('T')
  const name = time === undefined ? periodOf(day) : `${day} ${time.slice(0, 8).replaceAll(':', '.')}`
  return `${name}${key.slice(key.lastIndexOf('.'))}`
}

/** The dots of an open interval would make a hidden file. */
function periodOf(edtf: string): string {
  const [from = '', to] = edtf.split('/')
  if (to === undefined) return from
  return from === '..' ? `until ${to}` : to === '..' ? `from ${from}` : `${from} to ${to}`
}

/** Limits the open ZIPs: each has a list of all its files in memory, for as long as a slow guest takes to read it. */
function archiveSlots() {
  const addresses: string[] = []
  return (address: string, { raw }: FastifyReply): void => {
    if (raw.destroyed) throw new AppError('timed_out', 'Nobody waits for this answer any more.')
    const own = addresses.filter(other => other === address).length
    if (own >= limits.zipsOfAddress || addresses.length >= limits.zipsAtOnce) throw new TooManyRequests(60)
    addresses.push(address)
    raw.once('close', () => addresses.splice(addresses.indexOf(address), 1))
  }
}
