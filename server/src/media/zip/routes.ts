import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { orderZip as orderZipEndpoint, zipPath } from '#contract/media.ts'
import { parseValue } from '../../kit/input.ts'
import { serve } from '../../kit/serve.ts'
import { savedAs } from '../../storage/content-disposition.ts'
import { openZip, orderZip, type ZipDeps } from './zip.ts'

const Ordered = z.object({ order: z.string().max(100).catch('') })

export function zipRoutes(app: FastifyInstance, deps: ZipDeps & { config: { title: string } }): void {
  serve(app, orderZipEndpoint, ({ caller, body }) => orderZip(deps, caller.id, body.fileIds))

  // Without a session: a browser that saves a file brings no header. The order itself opens it, for a while.
  app.route({
    method: ['GET', 'HEAD'],
    url: zipPath,
    handler: async (request, reply) => {
      const { order } = parseValue(Ordered, request.query)
      const { stream, size } = await openZip(deps, order)
      const day = new Date(deps.clock()).toISOString().slice(0, 10)
      reply
        .header('content-type', 'application/zip')
        .header('content-length', size)
        .header('content-disposition', savedAs(`${deps.config.title} ${day}.zip`))
        .header('cache-control', 'no-store')
      if (request.method === 'GET') return reply.send(stream)
      stream.destroy()
      return reply.send()
    },
  })
}
