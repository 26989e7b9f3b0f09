import type { ServerResponse } from 'node:http'
import type { Answer } from '#contract/endpoint.ts'
import { type Export, exportPath, type requestExport as requestExportEndpoint } from '#contract/exports.ts'
import { DAY, exportLimits } from '#contract/limits.ts'
import type { Database } from '../db/database.ts'
import type { DatabasePlace } from '../db/snapshot.sql.ts'
import type { ExportedOfFile } from '../feature.ts'
import { defineJob, type Queue } from '../jobs/queue.ts'
import { type Clock, toIso } from '../kit/clock.ts'
import { AppError } from '../kit/errors.ts'
import type { RequestSession } from '../kit/open-requests.ts'
import type { Scratch } from '../kit/safe-path.ts'
import { hashToken, newToken } from '../kit/tokens.ts'
import { findActiveMedia, holdersFor, noSuchFile, type ZipSlots } from '../media/public.ts'
import type { Storage } from '../storage/storage.ts'
import {
  deleteExport,
  type ExportRow,
  expiredExports,
  exportsOf,
  findExport,
  findExportLink,
  insertExport,
  insertExportLink,
  updateExport,
} from './exports.sql.ts'

export interface ExportDeps {
  config: DatabasePlace & { title: string }
  db: Database
  storage: Storage
  scratch: Scratch
  clock: Clock
  queue: Queue
  exported: readonly ExportedOfFile[]
  zipSlots: ZipSlots
  isSignedIn(session: RequestSession): Promise<boolean>
}

export const prepareExport = defineJob<{ id: number }>('export.prepare', {
  lane: 'slow',
  attempts: 3,
  keepsFailed: false,
})
const cleanUp = defineJob<null>('export.clean-up', { everyMs: DAY / 24 })

export async function listOwnExports({ db, clock }: ExportDeps, personId: number): Promise<Export[]> {
  return (await exportsOf(db.query, personId, clock())).map(presentExport)
}

/** The files are read by a job, and the library is what it is then. */
export async function requestExport(
  { db, clock, queue, config }: ExportDeps,
  personId: number,
  { fileIds, title, part_bytes }: { fileIds?: number[] | undefined; title?: string | undefined; part_bytes: number },
): Promise<Answer<typeof requestExportEndpoint>> {
  const now = clock()
  const present = await exportsOf(db.query, personId, now)
  if (present.some(({ status }) => status === 'preparing')) throw new AppError('conflict', 'export.preparing')
  // The job leaves out those that are gone; a download of nothing is refused here.
  if (fileIds && !(await findAny(db, fileIds))) throw noSuchFile()
  return db.transaction(async tx => {
    const row = await insertExport(tx, {
      person_id: personId,
      title: title || config.title,
      media_ids: fileIds ? JSON.stringify([...new Set(fileIds)]) : null,
      part_bytes,
      created_at: now,
      expires_at: now + exportLimits.ttl,
    })
    for (const { id } of present.slice(exportLimits.ofPerson - 1)) await updateExport(tx, id, { expires_at: 0 })
    await queue.enqueue(tx, prepareExport, { id: row.id }, { uniqueKey: `export:${row.id}`, ownerId: personId })
    return presentExport(row)
  })
}

async function findAny({ query }: Database, ids: readonly number[]): Promise<boolean> {
  for (const id of ids) if (await findActiveMedia(query, id)) return true
  return false
}

function presentExport(row: ExportRow): Export {
  const { id, title, status, progress, missing, part_bytes, created_at, expires_at } = row
  const sizes: number[] = JSON.parse(row.parts ?? '[]')
  return {
    ...{ id, title, status, progress, missing, part_bytes },
    files: row.media_ids === null ? null : JSON.parse(row.media_ids).length,
    parts: sizes.map((size, i) => ({ name: nameOfPart(title, i + 1, sizes.length), size })),
    created_at: toIso(created_at),
    expires_at: toIso(expires_at),
  }
}

function nameOfPart(title: string, part: number, parts: number): string {
  return `${title} ${String(part).padStart(String(parts).length, '0')}-${parts}.zip`
}

/** Undefined for those of others, too. */
async function ownExport({ db, clock }: ExportDeps, personId: number, id: number): Promise<ExportRow> {
  const row = await findExport(db.query, id)
  if (!row || row.person_id !== personId || row.expires_at <= clock()) throw new AppError('not_found', 'export.missing')
  return row
}

/** A new address each time: only hashes of their tokens are stored. */
export async function linkExport(deps: ExportDeps, session: RequestSession, id: number): Promise<{ url: string }> {
  const { status } = await ownExport(deps, session.id, id)
  if (status !== 'ready') throw new AppError('conflict', 'export.notReady')
  const token = newToken()
  await insertExportLink(deps.db.query, {
    token_hash: hashToken(token),
    export_id: id,
    session_hash: session.sessionId,
    created_at: deps.clock(),
  })
  return { url: `${exportPath}?order=${token}` }
}

export async function removeExport(deps: ExportDeps, personId: number, id: number): Promise<void> {
  await ownExport(deps, personId, id)
  await removeForGood(deps, id)
}

/** What a token and the number of a part stand for, as long as its session lasts. */
export async function openPart(
  { db, clock, isSignedIn, zipSlots }: ExportDeps,
  { order, part }: { order: string; part: number },
  response: ServerResponse,
) {
  const found = await findExportLink(db.query, hashToken(order))
  const session = found && { id: found.person_id, sessionId: found.session_hash }
  if (!found || !session || found.expires_at <= clock() || !(await isSignedIn(session))) {
    throw new AppError('forbidden', 'zip.expired')
  }
  const sizes: number[] = JSON.parse(found.parts ?? '[]')
  const size = sizes[part - 1]
  if (size === undefined || found.status !== 'ready') throw new AppError('not_found', 'export.missing')
  zipSlots.take(response, 'members', holdersFor(found.person_id))
  return { session, exportId: found.id, part, size, name: nameOfPart(found.title, part, sizes.length) }
}

/** Also of one that is still prepared: its job then finds no row. */
async function removeForGood({ db, storage }: Pick<ExportDeps, 'db' | 'storage'>, id: number): Promise<void> {
  await removeObjects(storage, id)
  await deleteExport(db.query, id)
}

export async function removeObjects(storage: Storage, id: number): Promise<void> {
  const keys: string[] = []
  for await (const { key } of storage.list(`exports/${id}/`)) keys.push(key)
  await storage.remove(keys)
}

export function handleCleanUpOfExports(queue: Queue, deps: ExportDeps): void {
  queue.handle(cleanUp, {
    async run() {
      for (const id of await expiredExports(deps.db.query, deps.clock())) await removeForGood(deps, id)
    },
  })
}
