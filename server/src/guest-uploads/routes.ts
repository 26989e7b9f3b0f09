import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { IdInPath, IdInText } from '#contract/common.ts'
import * as contract from '#contract/guest-uploads.ts'
import { guestUploads as limits, links as linkLimits } from '#contract/limits.ts'
import { installationSecret } from '../db/secrets.ts'
import { parsePath } from '../kit/input.ts'
import { addressGroup } from '../kit/ip-addresses.ts'
import type { OpenRequests } from '../kit/open-requests.ts'
import { serve, serveAnyone } from '../kit/serve.ts'
import { hashToken } from '../kit/tokens.ts'
import { endsWithLink, linkCookie, notIndexed } from '../links/public.ts'
import { contentTypeOf } from '../storage/content-types.ts'
import { sandboxHeaders, writeRangeHeaders } from '../storage/serve-bytes.ts'
import { finishSentFile } from './finish.ts'
import { admitSender, listSentFiles, nameGuest, type ReceiveDeps, sentPicture } from './receive.ts'
import { reconsider } from './reconsider.ts'
import { accept, countForReview, type GuestReviewDeps, listForReview, reject } from './review.ts'

export type GuestUploadDeps = Omit<ReceiveDeps, 'secret'> &
  Pick<GuestReviewDeps, 'trashDays'> & { publicUrl: URL; guestRequests: OpenRequests }

/** After `linkRoutes`: guests open their link there. */
export async function guestUploadRoutes(app: FastifyInstance, options: GuestUploadDeps): Promise<void> {
  const deps = { ...options, secret: await installationSecret(options.db, 'links') }
  serve(app, contract.listGuestUploads, ({ query }) => listForReview(deps, query))
  serve(app, contract.waitingGuestUploads, () => countForReview(deps))
  serve(app, contract.acceptGuestUploads, ({ caller, body }) => accept(deps, caller.id, body.ids))
  serve(app, contract.rejectGuestUploads, ({ caller, body }) => reject(deps, caller.id, body.ids))
  serve(app, contract.reconsiderGuestUploads, ({ caller, body }) => reconsider(deps, caller, body.ids))
  await guestRoutes(app, deps)
}

/** Without a session: cookies prove that this browser has opened the link, and which guest it is. */
async function guestRoutes(app: FastifyInstance, deps: ReceiveDeps & GuestUploadDeps): Promise<void> {
  const [linkSession, guestCookie] = [linkCookie(deps.publicUrl, 'link'), linkCookie(deps.publicUrl, 'guest')]
  const browserOf = (request: FastifyRequest) => ({
    address: addressGroup(request.ip),
    guestSession: request.cookies[linkSession.name],
    guestId: request.cookies[guestCookie.name],
  })

  serveAnyone(app, contract.nameGuest, async ({ params, body, request, reply }) => {
    const { answer, guestId } = await nameGuest(deps, params.id, body, browserOf(request))
    reply.headers(notIndexed).setCookie(guestCookie.name, guestId, guestCookie.optionsFor(params.id, limits.remembered))
    return answer
  })
  serveAnyone(app, contract.listSentFiles, ({ params, query, request, reply }) => {
    reply.headers(notIndexed)
    return listSentFiles(deps, params.id, query, browserOf(request))
  })
  serveAnyone(app, contract.finishSentFile, ({ params, body, request, reply }) => {
    reply.headers(notIndexed)
    return finishSentFile(deps, params.id, body, browserOf(request))
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: contract.sentPicturePath,
    helmet: false,
    logLevel: 'warn',
    config: { cost: 0 },
    handler: async (request, reply) => {
      reply.headers({ ...sandboxHeaders, ...notIndexed })
      const { key, size } = await sentPicture(deps, parsePath(UploadInPath, request.params), browserOf(request))
      reply
        .header('content-type', contentTypeOf(key) ?? 'application/octet-stream')
        .header('cache-control', `private, max-age=${linkLimits.cached / 1000}`)
      const { start, length } = writeRangeHeaders(request, reply, { size, etag: `"${hashToken(key).slice(0, 22)}"` })
      if (request.method === 'HEAD' || length === 0) return reply.send()
      return reply.send((await deps.storage.read(key, { start, end: start + length - 1 })).stream)
    },
  })

  await deps.resumable.serveGuests(app, contract.guestTusPath, (request, reply) => {
    const { id } = parsePath(IdInPath, { id: (request.params as { id?: string }).id })
    const ended = endsWithLink(deps.guestRequests, id, request, reply)
    return admitSender(deps, id, browserOf(request), { isNew: request.method === 'POST', ended })
  })
}

const UploadInPath = z.object({ id: IdInText, upload: IdInText })
