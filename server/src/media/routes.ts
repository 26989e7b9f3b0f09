import type { FastifyInstance } from 'fastify'
import { libraryHealth, listDeleted, listFailedFiles, restoreDeleted, retryFailedFile } from '#contract/admin.ts'
import { IdInPath } from '#contract/common.ts'
import {
  bulkDelete,
  checkDuplicate,
  deleteMedia,
  getMedia,
  listMedia,
  mediaFilePath,
  mediaIds,
  mediaPosition,
  mediaThumbnailPath,
  moveFiles as moveFilesEndpoint,
  rehashMedia,
  renameMedia,
  requestCompatible,
  timeline as timelineEndpoint,
} from '#contract/media.ts'
import { uploadMedia } from '#contract/upload.ts'
import type { MediaRow } from '../db/schema.ts'
import type { Queue } from '../jobs/queue.ts'
import { parsePath } from '../kit/input.ts'
import type { OpenRequests } from '../kit/open-requests.ts'
import { StreamedJson, serve, serveShared, shared } from '../kit/serve.ts'
import type { SharedAnswers } from '../kit/shared-answers.ts'
import { requestCompatibleVersion } from './compatible.ts'
import { deleteFile, deleteFiles, moveFiles, noSuchFile, renameFile } from './edit.ts'
import { presentDeletedFiles, presentFailedFiles, retryPreparation } from './failed-files.ts'
import { confirmHash } from './integrity.ts'
import { findIndex, listFiles, listIds, timeline, writeList, writeWholeList } from './list.ts'
import { findActiveMedia, findDuplicates, findPart } from './media.sql.ts'
import { presentOne, presentWithMetadata } from './present.ts'
import { listDeletedMedia, listFailedMedia } from './trash.sql.ts'
import { restoreFile, type TrashDeps } from './trash.ts'
import { type UploadDeps, upload } from './upload/upload.ts'
import { acceptForms } from './upload/upload-form.ts'
import { createWrittenFiles } from './written-files.ts'
import { zipRoutes } from './zip/zip.ts'

export interface MediaDeps extends UploadDeps, TrashDeps {
  /** Problems of the installation, in sentences for admins. */
  warnings(): Promise<string[]>
  sandboxLevel: 'full' | 'partial' | 'none'
  waitingJobs(): Promise<number>
  config: { title: string }
  openRequests: OpenRequests
  queue: Queue
}

export async function mediaRoutes(app: FastifyInstance, deps: MediaDeps, answers: SharedAnswers): Promise<void> {
  await uploadRoutes(app, deps)
  readRoutes(app, deps, answers)
  editRoutes(app, deps)
  adminRoutes(app, deps)
  zipRoutes(app, deps)
}

/** The only routes of a separate host for uploads. */
export async function uploadRoutes(app: FastifyInstance, deps: UploadDeps): Promise<void> {
  acceptForms(app)
  await deps.resumable.serve(app)
  serve(app, uploadMedia, ({ request, caller }) => upload(deps, request, caller))
}

function readRoutes(app: FastifyInstance, deps: MediaDeps, answers: SharedAnswers): void {
  const { db, storage } = deps

  async function existing(id: number): Promise<MediaRow> {
    const media = await findActiveMedia(db.query, id)
    if (!media) throw noSuchFile()
    return media
  }

  const listed = { db, written: createWrittenFiles(deps) }
  serve(app, listMedia, async ({ caller, ...input }) => {
    const { limit, ...query } = input.query
    const isSignedIn = () => deps.isSignedIn(caller)
    if (limit === undefined) return new StreamedJson(writeWholeList({ ...listed, isSignedIn }, query))
    return shared(answers, listMedia, input, async () => writeList(await listFiles(listed, { ...query, limit })))
  })
  serveShared(app, timelineEndpoint, answers, ({ query }) => timeline(db, query))
  serve(app, mediaIds, ({ query }) => listIds(db, query))
  serve(app, mediaPosition, ({ params, query }) => findIndex(db, params.id, query))
  serve(app, getMedia, async ({ params }) => presentWithMetadata(deps, await existing(params.id)))
  serve(app, checkDuplicate, async ({ body }) => ({ duplicates: await findDuplicates(db.query, body.hash) }))

  serve(app, requestCompatible, async ({ caller, params }) =>
    presentOne(deps, await requestCompatibleVersion(deps, caller.id, params.id)),
  )

  // For clients whose signed URL has expired: redirects to a new one.
  const shown = { [mediaFilePath]: 'full', [mediaThumbnailPath]: 'thumbnail' } as const
  for (const [path, kind] of Object.entries(shown)) {
    app.get(path, async (request, reply) => {
      const media = await existing(parsePath(IdInPath, request.params).id)
      const found = await findPart(db.query, media.id, kind === 'full' ? (media.shown_part ?? 'original') : kind)
      if (!found) throw noSuchFile()
      return reply.header('cache-control', 'no-store').redirect(storage.signedUrl(found.key), 302)
    })
  }
}

function editRoutes(app: FastifyInstance, deps: MediaDeps): void {
  serve(app, renameMedia, async ({ caller, params, body }) =>
    presentOne(deps, await renameFile(deps, caller.id, params.id, body.newName)),
  )
  serve(app, rehashMedia, async ({ caller, params, body }) =>
    presentOne(deps, await confirmHash(deps, caller.id, params.id, body.hash)),
  )
  serve(app, deleteMedia, ({ caller, params }) => deleteFile(deps, caller.id, params.id))
  serve(app, bulkDelete, async ({ caller, body }) => ({ deleted: await deleteFiles(deps, caller.id, body.fileIds) }))
  serve(app, moveFilesEndpoint, ({ caller, body }) => moveFiles(deps, caller.id, body.fileIds, body.folderId))
}

function adminRoutes(app: FastifyInstance, deps: MediaDeps): void {
  const { db } = deps
  serve(app, listDeleted, async ({ query: { limit, before } }) =>
    presentDeletedFiles(deps, await listDeletedMedia(db.query, { limit, before })),
  )
  serve(app, restoreDeleted, ({ caller, params }) => restoreFile(deps, caller.id, params.id))
  serve(app, listFailedFiles, async ({ query: { limit, before } }) =>
    presentFailedFiles(deps, await listFailedMedia(db.query, { limit, before })),
  )
  serve(app, retryFailedFile, ({ caller, params }) => retryPreparation(deps, caller.id, params.id))
  serve(app, libraryHealth, async () => ({
    warnings: await deps.warnings(),
    sandbox: deps.sandboxLevel,
    waiting_jobs: await deps.waitingJobs(),
  }))
}
