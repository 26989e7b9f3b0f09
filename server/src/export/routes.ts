import { addAbortSignal, Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import {
  exportPath,
  linkExport as linkExportEndpoint,
  listExports,
  removeExport as removeExportEndpoint,
  requestExport as requestExportEndpoint,
} from '#contract/exports.ts'
import { AppError } from '../kit/errors.ts'
import { parseValue } from '../kit/input.ts'
import type { OpenRequests } from '../kit/open-requests.ts'
import { serve } from '../kit/serve.ts'
import { attachmentHeader } from '../storage/download-name.ts'
import { writeRangeHeaders } from '../storage/serve-bytes.ts'
import { updateExport } from './exports.sql.ts'
import { type ExportDeps, linkExport, listOwnExports, openPart, removeExport, requestExport } from './exports.ts'
import { readPart } from './zip-parts.ts'

/** Part 1 if none is named. */
const Ordered = z.object({
  order: z.string().max(100).catch(''),
  part: z
    .string()
    .regex(/^\d{1,6}$/)
    .transform(Number)
    .catch(1),
})

export interface ExportRouteDeps extends ExportDeps {
  openRequests: OpenRequests
}

export function exportRoutes(app: FastifyInstance, deps: ExportRouteDeps): void {
  serve(app, listExports, ({ caller }) => listOwnExports(deps, caller.id))
  serve(app, requestExportEndpoint, ({ caller, body }) => requestExport(deps, caller.id, body))
  serve(app, linkExportEndpoint, ({ caller, params }) => linkExport(deps, caller, params.id))
  serve(app, removeExportEndpoint, ({ caller, params }) => removeExport(deps, caller.id, params.id))

  // Like a ZIP (media/zip): the token in the address authorises it. A download of many hours goes on by ranges.
  app.route({
    method: ['GET', 'HEAD'],
    url: exportPath,
    handler: async (request, reply) => {
      const { session, ...part } = await openPart(deps, parseValue(Ordered, request.query), reply.raw)
      reply
        .header('content-type', 'application/zip')
        .header('content-disposition', attachmentHeader(part.name))
        .header('cache-control', 'no-store')
      const etag = `"${part.exportId}-${part.part}-${part.size}"`
      const range = writeRangeHeaders(request, reply, { size: part.size, etag })
      if (request.method === 'HEAD' || range.length === 0) return reply.send()
      const bytes = Readable.from(orOutdated(deps, part.exportId, readPart(deps.storage, part, range)), {
        objectMode: false,
      })
      return reply.send(addAbortSignal(deps.openRequests.register(session, request, reply), bytes))
    },
  })
}

/** A file that was removed for good since breaks the download off; the page then says that it has to be prepared again. */
async function* orOutdated({ db }: ExportDeps, id: number, bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* bytes
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found')
      await updateExport(db.query, id, { status: 'outdated' })
    throw error
  }
}
