import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { IdInText } from '#contract/common.ts'
import { links as limits } from '#contract/limits.ts'
import {
  copyLink as copyLinkEndpoint,
  createAlbumLink,
  createLink as createLinkEndpoint,
  createUploadLink,
  listLinks as listLinksEndpoint,
  openShared as openSharedEndpoint,
  quickLink as quickLinkEndpoint,
  SharedSize,
  sharedFilePath,
  sharedFiles,
  sharedZipPath,
  showLink as showLinkEndpoint,
  updateLink,
} from '#contract/links.ts'
import { installationSecret } from '../db/secrets.ts'
import { parsePath, parseValue } from '../kit/input.ts'
import { addressGroup, addressNetwork } from '../kit/ip-addresses.ts'
import { KeyedMutex } from '../kit/keyed-mutex.ts'
import type { OpenRequests } from '../kit/open-requests.ts'
import type { Scratch } from '../kit/safe-path.ts'
import { serve, serveAnyone } from '../kit/serve.ts'
import { hashToken } from '../kit/tokens.ts'
import type { ZipSlots } from '../media/public.ts'
import { contentTypeOf } from '../storage/content-types.ts'
import { attachmentHeader } from '../storage/download-name.ts'
import { sandboxHeaders, writeRangeHeaders } from '../storage/serve-bytes.ts'
import type { Storage } from '../storage/storage.ts'
import { createGuestMutex } from './guest-mutex.ts'
import {
  endsWithLink,
  type GuestBrowser,
  type GuestDeps,
  linkCookie,
  listSharedFiles,
  nameForGuests,
  notIndexed,
  openShared,
  sharedArchive,
  sharedPart,
} from './guests.ts'
import { changeLink, createLink, type LinkDeps, listLinks } from './links.ts'
import { copyLink, quickLink, showLink } from './show-link.ts'

export interface LinkRouteDeps extends Omit<LinkDeps, 'requested'>, Pick<GuestDeps, 'limiter'> {
  storage: Storage
  scratch: Scratch
  title: string
  /** The open requests of guests, by their link. */
  guestRequests: OpenRequests
  /** The same for the ZIPs of members. */
  zipSlots: ZipSlots
}

/** After `authRoutes`, which lets requests have cookies. */
export async function linkRoutes(app: FastifyInstance, options: LinkRouteDeps): Promise<void> {
  const deps = { ...options, requested: new Map<number, number>() }
  serve(app, createLinkEndpoint, ({ caller, body: { fileIds, ...options } }) =>
    createLink(deps, caller, { fileIds }, options),
  )
  serve(app, createAlbumLink, ({ caller, params, body }) => createLink(deps, caller, { albumId: params.id }, body))
  serve(app, createUploadLink, ({ caller, params, body }) =>
    createLink(deps, caller, { uploadAlbumId: params.id }, { ...body, originals: false, captions: false }),
  )
  serve(app, listLinksEndpoint, ({ caller, query }) => listLinks(deps, caller, query))
  serve(app, quickLinkEndpoint, ({ caller, body }) => quickLink(deps, caller, body.fileId))
  serve(app, showLinkEndpoint, ({ caller, params }) => showLink(deps, caller, params.id))
  serve(app, copyLinkEndpoint, ({ caller, params }) => copyLink(deps, caller, params.id))
  serve(app, updateLink, ({ caller, params, body }) => changeLink(deps, caller, params.id, body))
  const secret = await installationSecret(deps.db, 'links')
  const passwordMutex = new KeyedMutex<string>()
  guestRoutes(app, { ...deps, secret, withMutex: createGuestMutex(), passwordMutex })
}

/** Routes without a session: a cookie proves that this browser has opened the link. */
function guestRoutes(app: FastifyInstance, deps: LinkRouteDeps & GuestDeps): void {
  const cookie = linkCookie(deps.publicUrl, 'link')
  const guestCookie = linkCookie(deps.publicUrl, 'guest')
  const browserOf = (request: FastifyRequest): GuestBrowser => ({
    address: addressGroup(request.ip),
    network: addressNetwork(request.ip),
    isGone: () => request.socket.destroyed,
    guestSession: request.cookies[cookie.name],
    guestId: request.cookies[guestCookie.name],
  })

  serveAnyone(
    app,
    openSharedEndpoint,
    async ({ params, body, request, reply }) => {
      const { answer, guestSession } = await openShared(deps, params.id, body, browserOf(request))
      reply.headers(notIndexed)
      if (guestSession)
        reply.setCookie(cookie.name, guestSession.value, cookie.optionsFor(params.id, guestSession.ttlMs))
      return answer
    },
    { cost: 5 },
  )

  serveAnyone(
    app,
    sharedFiles,
    ({ params, query, request, reply }) => {
      reply.headers(notIndexed)
      return listSharedFiles(deps, params.id, query, browserOf(request))
    },
    { cost: 5 },
  )

  app.route({
    method: ['GET', 'HEAD'],
    url: sharedFilePath,
    helmet: false,
    logLevel: 'warn',
    config: { cost: 0 },
    handler: async (request, reply) => {
      reply.headers({ ...sandboxHeaders, ...notIndexed })
      const at = parsePath(FileInPath, request.params)
      const { download } = parseValue(FileQuery, request.query)
      endsWithLink(deps.guestRequests, at.id, request, reply)
      const part = await sharedPart(deps, at, browserOf(request))
      const { key, size } = part
      const type = contentTypeOf(key)
      const name = nameForGuests(part)
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
    config: { cost: 10 },
    handler: async (request, reply) => {
      const { id } = parsePath(LinkInPath, request.params)
      const { originals } = parseValue(ZipQuery, request.query)
      endsWithLink(deps.guestRequests, id, request, reply)
      const { title, stream, size } = await sharedArchive(deps, id, originals, browserOf(request), reply.raw)
      reply
        .headers(notIndexed)
        .header('content-type', 'application/zip')
        .header('content-length', size)
        .header('content-disposition', attachmentHeader(`${title ?? deps.title}.zip`))
        .header('cache-control', 'no-store')
      if (request.method === 'GET') return reply.send(stream)
      stream.destroy()
      return reply.send()
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
