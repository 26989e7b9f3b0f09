import { addAbortSignal, Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Answer } from '#contract/endpoint.ts'
import { zips } from '#contract/limits.ts'
import { requestZip as requestZipEndpoint, zipPath } from '#contract/media.ts'
import type { Handle } from '../../db/schema.ts'
import type { Clock } from '../../kit/clock.ts'
import { AppError } from '../../kit/errors.ts'
import { parseValue } from '../../kit/input.ts'
import type { OpenRequests, RequestSession } from '../../kit/open-requests.ts'
import { serve } from '../../kit/serve.ts'
import { hashToken, newToken } from '../../kit/tokens.ts'
import { attachmentHeader, downloadName } from '../../storage/download-name.ts'

import type { Storage } from '../../storage/storage.ts'
import { noSuchFile } from '../edit.ts'
import { sidecarOf } from '../xmp-sidecar.ts'
import { type Archive, type ArchivedFile, archiveOf, createUniqueNames } from './archive.ts'
import { findZipDownload, findZipFiles, insertZipDownload, type ZippedPart } from './zip.sql.ts'

export interface ZipDeps {
  db: { query: Handle }
  storage: Storage
  clock: Clock
  isSignedIn(session: RequestSession): Promise<boolean>
}

/** Stores the list of files, since it is too long for a URL, and a browser's download can send nothing else. */
async function requestZip(
  { db, clock }: ZipDeps,
  { id: personId, sessionId }: RequestSession,
  ids: readonly number[],
): Promise<Answer<typeof requestZipEndpoint>> {
  const parts = await findZipFiles(db.query, ids)
  const originals = parts.filter(part => part.kind === 'original')
  if (originals.length === 0) throw noSuchFile()
  const token = newToken()
  await insertZipDownload(db.query, {
    tokenHash: hashToken(token),
    personId,
    sessionId,
    fileIds: originals.map(part => part.media_id),
    orderedAt: clock(),
  })
  const size = parts.reduce((sum, part) => sum + part.size + (sidecarFor(part)?.length ?? 0), 0)
  return { url: `${zipPath}?order=${token}`, file_count: originals.length, size }
}

/** The archive as a stream, and the session that it depends on. */
async function openZip(
  { db, storage, clock, isSignedIn }: ZipDeps,
  token: string,
): Promise<Archive & { session: RequestSession }> {
  const order = await findZipDownload(db.query, hashToken(token))
  const session = order && { id: order.personId, sessionId: order.sessionId }
  if (!order || !session || clock() - order.orderedAt > zips.orderLasts || !(await isSignedIn(session))) {
    throw new AppError('forbidden', 'This link is no longer valid. Please choose the files again.')
  }
  const parts = await findZipFiles(db.query, order.fileIds)
  if (parts.length === 0) throw noSuchFile()
  const nameFor = createUniqueNames()
  const archive = archiveOf(
    parts.flatMap((part): ArchivedFile[] => {
      const name = nameFor(nameOf(part))
      const { size, date_sort: wallClock } = part
      const file = { name, size, wallClock, open: async () => (await storage.read(part.key)).stream }
      const sidecar = sidecarFor(part)
      if (!sidecar) return [file]
      const open = async () => Readable.from([sidecar])
      return [file, { name: `${name}.xmp`, size: sidecar.length, wallClock, open }]
    }),
  )
  return { ...archive, session }
}

/** What people have corrected is beside the original, whose bytes never change. */
function sidecarFor(part: ZippedPart): Buffer | undefined {
  const { kind, corrected_edtf: edtf, corrected_latitude: latitude, corrected_longitude: longitude } = part
  const position = latitude === null || longitude === null ? undefined : { latitude, longitude }
  if (kind !== 'original' || (edtf === null && position === undefined)) return undefined
  return sidecarOf({ edtf: edtf ?? undefined, position })
}

/** A Live Photo's clip is named like its still, as on the phone: IMG_1.HEIC and IMG_1.MOV. */
function nameOf({ kind, original_name, key }: ZippedPart): string {
  if (kind === 'original') return downloadName(original_name, key)
  const extension = key.slice(key.lastIndexOf('.'))
  return original_name.replace(/(\.[^.]*)?$/, extension)
}

/** `name`: of the ZIP, without its extension. */
const Ordered = z.object({ order: z.string().max(100).catch(''), name: z.string().trim().max(200).catch('') })

interface ZipRouteDeps extends ZipDeps {
  config: { title: string }
  openRequests: OpenRequests
}

export function zipRoutes(app: FastifyInstance, deps: ZipRouteDeps): void {
  serve(app, requestZipEndpoint, ({ caller, body }) => requestZip(deps, caller, body.fileIds))

  // A browser's download sends no Authorization header, so the order id authorises it: for a while, during its session.
  app.route({
    method: ['GET', 'HEAD'],
    url: zipPath,
    handler: async (request, reply) => {
      const { order, name } = parseValue(Ordered, request.query)
      const { stream, size, session } = await openZip(deps, order)
      const day = new Date(deps.clock()).toISOString().slice(0, 10)
      reply
        .header('content-type', 'application/zip')
        .header('content-length', size)
        .header('content-disposition', attachmentHeader(`${name || `${deps.config.title} ${day}`}.zip`))
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
