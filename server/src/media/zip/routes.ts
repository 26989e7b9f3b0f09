import { addAbortSignal } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { orderZip as orderZipEndpoint, zipPath } from '#contract/media.ts'
import { parseValue } from '../../kit/input.ts'
import type { OpenRequests } from '../../kit/open-requests.ts'
import { serve } from '../../kit/serve.ts'
import { attachmentHeader } from '../../storage/content-disposition.ts'
import { openZip, orderZip, type ZipDeps } from './zip.ts'

const Ordered = z.object({ order: z.string().max(100).catch('') })

interface ZipRouteDeps extends ZipDeps {
  config: { title: string }
  openRequests: OpenRequests
}

export function zipRoutes(app: FastifyInstance, deps: ZipRouteDeps): void {
  serve(app, orderZipEndpoint, ({ caller, body }) => orderZip(deps, caller, body.fileIds))

  // A browser that saves a file sends no header, so the order opens it: for a while, and while its session lasts.
  app.route({
    method: ['GET', 'HEAD'],
    url: zipPath,
    handler: async (request, reply) => {
      const { order } = parseValue(Ordered, request.query)
      const { stream, size, session } = await openZip(deps, order)
      const day = new Date(deps.clock()).toISOString().slice(0, 10)
      reply
        .header('content-type', 'application/zip')
        .header('content-length', size)
        .header('content-disposition', attachmentHeader(`${deps.config.title} ${day}.zip`))
        .header('cache-control', 'no-store')
      if (request.method === 'GET') {
        const ended = deps.openRequests.register(session, request, reply)
        return reply.send(addAbortSignal(ended, stream))
      }
      stream.destroy()
      return reply.send()
    },
  })
}
