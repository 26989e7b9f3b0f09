import type { FastifyInstance } from 'fastify'
import { libraryHealth, listFailedFiles, retryFailedFile, retryFailedFiles } from '#contract/admin.ts'
import { IdInPath } from '#contract/common.ts'
import { changeDates, previewDates } from '#contract/dates.ts'
import { mediaGrid } from '#contract/grid.ts'
import {
  bulkDelete,
  captionMedia,
  checkDuplicate,
  deleteMedia,
  getMedia,
  mediaFilePath,
  mediaThumbnailPath,
  moveFiles as moveFilesEndpoint,
  rehashMedia,
  renameMedia,
  requestCompatible,
  rotateMedia,
} from '#contract/media.ts'
import {
  listMedia,
  mediaIds,
  mediaPosition,
  mediaStats,
  mediaSuggestions,
  timeline as timelineEndpoint,
} from '#contract/media-list.ts'
import { correctPlaces as correctPlacesEndpoint } from '#contract/places.ts'
import { deletedIds, listDeleted, restoreFiles as restoreFilesEndpoint } from '#contract/trash.ts'
import { uploadMedia } from '#contract/upload.ts'
import type { MediaRow } from '../db/schema.ts'
import type { Queue } from '../jobs/queue.ts'
import { parsePath } from '../kit/input.ts'
import type { OpenRequests } from '../kit/open-requests.ts'
import { type Caller, callerOf, StreamedJson, serve } from '../kit/serve.ts'
import { captionFile } from './captions.ts'
import { requestCompatibleVersion } from './compatible.ts'
import { correctDates, previewCorrection } from './correct-dates.ts'
import { correctPlaces } from './correct-places.ts'
import { libraryStats } from './counts.sql.ts'
import { deleteFile, deleteFiles, moveFiles, noSuchFile, renameFile, rotateFile } from './edit.ts'
import { presentFailedFiles, retryAllFailed, retryPreparation } from './failed-files.ts'
import { readGridPage, timeline } from './grid.ts'
import { confirmHash } from './integrity.ts'
import { findIndex, listAllFiles, listFiles, listIds } from './list.ts'
import { findActiveMedia, findDuplicates, findPart, listFailedMedia } from './media.sql.ts'
import { memoryRoutes } from './memories/routes.ts'
import { presentOne, presentWithMetadata } from './present.ts'
import { selectSuggestions, type UsedTags } from './suggestions.sql.ts'
import { listDeletedIds, listDeletedMedia } from './trash.sql.ts'
import { presentDeletedFiles, restorableBy, restoreFiles, type TrashDeps } from './trash.ts'
import { type UploadDeps, upload } from './upload/upload.ts'
import { acceptForms } from './upload/upload-form.ts'
import { zipRoutes } from './zip/zip.ts'
import type { ZipSlots } from './zip/zip-slots.ts'

export interface MediaDeps extends UploadDeps, TrashDeps {
  /** Problems of the installation, in sentences for admins. */
  warnings(): Promise<string[]>
  sandboxLevel: 'full' | 'partial' | 'none'
  waitingJobs(): Promise<number>
  usedTags: UsedTags
  zipSlots: ZipSlots
  config: { title: string; homeTimeZone: string }
  openRequests: OpenRequests
  queue: Queue
}

export async function mediaRoutes(app: FastifyInstance, deps: MediaDeps): Promise<void> {
  await uploadRoutes(app, deps)
  readRoutes(app, deps)
  editRoutes(app, deps)
  trashRoutes(app, deps)
  adminRoutes(app, deps)
  zipRoutes(app, deps)
  memoryRoutes(app, deps)
}

/** The only routes of a separate host for uploads. */
export async function uploadRoutes(app: FastifyInstance, deps: UploadDeps): Promise<void> {
  acceptForms(app)
  await deps.resumable.serve(app)
  serve(app, uploadMedia, ({ request, caller }) => upload(deps, request, caller))
}

function readRoutes(app: FastifyInstance, deps: MediaDeps): void {
  const { db, storage } = deps

  /** An app password for uploads sees only what its person has uploaded. */
  const seesOnlyOwn = (caller: Caller) => caller.scope === 'upload'

  async function existing(id: number, caller: Caller): Promise<MediaRow> {
    const media = await findActiveMedia(db.query, id)
    if (!media || (seesOnlyOwn(caller) && media.uploaded_by !== caller.id)) throw noSuchFile()
    return media
  }

  serve(app, listMedia, async ({ caller, query: { limit, ...asked } }) => {
    const query = seesOnlyOwn(caller) ? { ...asked, uploader: caller.id } : asked
    const isSignedIn = () => deps.isSignedIn(caller)
    if (limit === undefined) return new StreamedJson(await listAllFiles({ db, storage, isSignedIn }, caller.id, query))
    return listFiles(deps, caller.id, { ...query, limit })
  })
  serve(app, mediaGrid, ({ caller, query }) => readGridPage(deps, caller.id, query))
  serve(app, mediaStats, ({ query }) => libraryStats(db.query, query.folder_id))
  serve(app, timelineEndpoint, ({ caller, query }) => timeline(db, caller.id, query))
  serve(app, mediaSuggestions, () => selectSuggestions(db.query, deps.usedTags))
  serve(app, mediaIds, ({ caller, query }) => listIds(db, caller.id, query))
  serve(app, mediaPosition, ({ caller, params, query }) => findIndex(db, caller.id, params.id, query))
  serve(app, getMedia, async ({ caller, params }) =>
    presentWithMetadata(deps, await existing(params.id, caller), caller.id),
  )
  serve(app, checkDuplicate, async ({ body }) => ({ duplicates: await findDuplicates(db.query, body.hash) }))

  serve(app, requestCompatible, async ({ caller, params }) =>
    presentOne(deps, await requestCompatibleVersion(deps, caller.id, params.id)),
  )

  // For clients whose signed URL has expired: redirects to a new one.
  const shown = { [mediaFilePath]: 'full', [mediaThumbnailPath]: 'thumbnail' } as const
  for (const [path, kind] of Object.entries(shown)) {
    app.get(path, async (request, reply) => {
      const media = await existing(parsePath(IdInPath, request.params).id, callerOf(request))
      const found = await findPart(db.query, media.id, kind === 'full' ? (media.shown_part ?? 'original') : kind)
      if (!found) throw noSuchFile()
      return reply.header('cache-control', 'no-store').redirect(storage.signedUrl(found.key), 302)
    })
  }
}

function editRoutes(app: FastifyInstance, deps: MediaDeps): void {
  serve(app, renameMedia, async ({ caller, params, body }) =>
    presentOne(deps, await renameFile(deps, caller.id, params.id, body)),
  )
  serve(app, rotateMedia, async ({ caller, params, body }) => {
    const { media, change_id } = await rotateFile(deps, caller.id, params.id, body)
    return { ...(await presentOne(deps, media)), change_id }
  })
  serve(app, captionMedia, async ({ caller, params, body }) => {
    const { media, change_id } = await captionFile(deps, caller.id, params.id, body)
    return { ...(await presentOne(deps, media)), change_id }
  })
  serve(app, rehashMedia, async ({ caller, params, body }) =>
    presentOne(deps, await confirmHash(deps, caller.id, params.id, body.hash)),
  )
  serve(app, deleteMedia, ({ caller, params }) => deleteFile(deps, caller.id, params.id))
  serve(app, bulkDelete, ({ caller, body }) => deleteFiles(deps, caller.id, body))
  serve(app, changeDates, ({ caller, body }) => correctDates(deps, caller.id, body))
  serve(app, previewDates, ({ body }) => previewCorrection(deps, body))
  serve(app, moveFilesEndpoint, ({ caller, body }) => moveFiles(deps, caller.id, body))
  serve(app, correctPlacesEndpoint, ({ caller, body }) => correctPlaces(deps, caller.id, body))
}

function trashRoutes(app: FastifyInstance, deps: MediaDeps): void {
  const { db } = deps
  serve(app, listDeleted, async ({ caller, query: { limit, before, deleted_before, whose } }) => {
    const last = before && deleted_before ? { id: before, deletedAt: Date.parse(deleted_before) } : undefined
    return presentDeletedFiles(deps, await listDeletedMedia(db.query, restorableBy(caller, whose), limit, last))
  })
  serve(app, deletedIds, async ({ caller, query: { whose } }) => ({
    ids: await listDeletedIds(db.query, restorableBy(caller, whose)),
  }))
  serve(app, restoreFilesEndpoint, ({ caller, body }) => restoreFiles(deps, caller, body))
}

function adminRoutes(app: FastifyInstance, deps: MediaDeps): void {
  const { db } = deps
  serve(app, listFailedFiles, async ({ query: { limit, before } }) =>
    presentFailedFiles(deps, await listFailedMedia(db.query, { limit, before })),
  )
  serve(app, retryFailedFile, ({ caller, params }) => retryPreparation(deps, caller.id, params.id))
  serve(app, retryFailedFiles, ({ caller }) => retryAllFailed(deps, caller.id))
  serve(app, libraryHealth, async () => ({
    warnings: await deps.warnings(),
    sandbox: deps.sandboxLevel,
    waiting_jobs: await deps.waitingJobs(),
  }))
}
