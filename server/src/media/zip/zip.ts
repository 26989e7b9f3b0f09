import type { ServerResponse } from 'node:http'
import { addAbortSignal, Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Answer } from '#contract/endpoint.ts'
import { zips } from '#contract/limits.ts'
import { requestZip as requestZipEndpoint, zipPath } from '#contract/media.ts'
import type { Database } from '../../db/database.ts'
import type { Clock } from '../../kit/clock.ts'
import { AppError } from '../../kit/errors.ts'
import { parseValue } from '../../kit/input.ts'
import type { OpenRequests, RequestSession } from '../../kit/open-requests.ts'
import type { Scratch } from '../../kit/safe-path.ts'
import { serve } from '../../kit/serve.ts'
import { hashToken, newToken } from '../../kit/tokens.ts'
import { attachmentHeader, downloadName } from '../../storage/download-name.ts'
import type { Storage } from '../../storage/storage.ts'
import { noSuchFile } from '../edit.ts'
import { type SidecarFacts, sidecarOf } from '../xmp-sidecar.ts'
import { type Archive, type ArchivedFile, openArchive } from './archive.ts'
import { createUniqueNames } from './unique-names.ts'
import {
  deleteOlderZipDownloads,
  findOrderedFiles,
  findZipDownload,
  findZipFiles,
  insertZipDownload,
  type ZippedPart,
} from './zip.sql.ts'
import { type ZipHolder, type ZipSlot, type ZipSlots, zipsOfEverybody } from './zip-slots.ts'

export interface ZipDeps {
  db: Pick<Database, 'query' | 'transaction'>
  storage: Storage
  scratch: Scratch
  clock: Clock
  isSignedIn(session: RequestSession): Promise<boolean>
  /** The same for the ZIPs of guests. */
  zipSlots: ZipSlots
}

export const holdersFor = (personId: number): ZipHolder[] => [
  { key: `person ${personId}`, ...zips.ofPerson },
  zipsOfEverybody,
]

/** Stores the list of files, since it is too long for a URL, and a browser's download can send nothing else. */
async function requestZip(
  { db, clock, zipSlots }: ZipDeps,
  { id: personId, sessionId }: RequestSession,
  ids: readonly number[],
): Promise<Answer<typeof requestZipEndpoint>> {
  // Here, where a page can show the sentence, and before the files are read; the download itself is limited too.
  zipSlots.refuseUnlessFree(holdersFor(personId), ids.length)
  const fileIds: number[] = []
  let size = 0
  for await (const parts of findZipFiles(db.query, ids)) {
    for (const part of parts) {
      if (part.kind === 'original') fileIds.push(part.media_id)
      const correction = correctionOf(part)
      size += part.size + (correction ? sidecarOf(correction).length : 0)
    }
  }
  if (fileIds.length === 0) throw noSuchFile()
  const token = newToken()
  await db.transaction(async tx => {
    await insertZipDownload(tx, { tokenHash: hashToken(token), personId, sessionId, fileIds, orderedAt: clock() })
    await deleteOlderZipDownloads(tx, personId, zips.ordersOfPerson)
  })
  return { url: `${zipPath}?order=${token}`, file_count: fileIds.length, size }
}

/** The archive as a stream, and the session that it depends on. */
async function openZip(
  { db, storage, scratch, clock, isSignedIn, zipSlots }: ZipDeps,
  token: string,
  response: ServerResponse,
): Promise<Archive & { session: RequestSession }> {
  const order = await findZipDownload(db.query, hashToken(token))
  const session = order && { id: order.personId, sessionId: order.sessionId }
  if (!order || !session || clock() - order.orderedAt > zips.orderTtl || !(await isSignedIn(session))) {
    throw new AppError('forbidden', 'zip.expired')
  }
  const slot = zipSlots.take(response, 'members', holdersFor(order.personId))
  const fileIds = await findOrderedFiles(db.query, hashToken(token))
  slot.weigh(fileIds.length)
  const openSource = sourcesIn(storage)
  const archive = await slot.prepare(() =>
    openArchive(scratch, filesToZip(findZipFiles(db.query, fileIds), slot), openSource),
  )
  return { ...archive, session }
}

type ZipSource = { key: string } | { sidecar: SidecarFacts }

/** Not a closure in `openZip`, which would keep the list of ids in memory for as long as the archive is read. */
function sourcesIn(storage: Storage): (source: ZipSource) => Promise<Readable> {
  return async source =>
    'key' in source ? (await storage.read(source.key)).stream : Readable.from([sidecarOf(source.sidecar)])
}

/** Throws if none of the files is there any more. */
async function* filesToZip(
  found: AsyncIterable<readonly ZippedPart[]>,
  slot: ZipSlot,
): AsyncGenerator<ArchivedFile<ZipSource>[]> {
  const nameFor = createUniqueNames()
  let isEmpty = true
  for await (const parts of found) {
    slot.throwIfGone()
    isEmpty &&= parts.length === 0
    yield parts.flatMap((part): ArchivedFile<ZipSource>[] => {
      const { key, size, date_sort: wallClock } = part
      const file = { name: nameFor(nameOf(part)), size, wallClock, source: { key } }
      const sidecar = correctionOf(part)
      if (!sidecar) return [file]
      return [file, { name: `${file.name}.xmp`, size: sidecarOf(sidecar).length, wallClock, source: { sidecar } }]
    })
  }
  if (isEmpty) throw noSuchFile()
}

/** What people have corrected or written is beside the original, whose bytes never change. */
function correctionOf(part: ZippedPart): SidecarFacts | undefined {
  const { kind, corrected_edtf: edtf, written_caption: description } = part
  const { corrected_latitude: latitude, corrected_longitude: longitude } = part
  const position = latitude === null || longitude === null ? undefined : { latitude, longitude }
  if (kind !== 'original' || (edtf === null && position === undefined && description === null)) return undefined
  return { edtf: edtf ?? undefined, position, description }
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
      const { stream, size, session } = await openZip(deps, order, reply.raw)
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
