import type { MediaRow, PartKind, Tx } from '../../db/schema.ts'
import { type JobRun, PermanentFailure, type Queue } from '../../jobs/queue.ts'
import type { RootFolder } from '../../kit/safe-path.ts'
import { ProcessingError } from '../../processing/errors.ts'
import { announceFiles } from '../announce.ts'
import { findMedia, findPart, updateMedia } from '../media.sql.ts'
import { prepareImage, rotateImage } from './image.ts'
import {
  convertCompatible,
  convertMotion,
  convertVideo,
  copyForGuests,
  type PrepareDeps,
  preparePictures,
  rotatePictures,
} from './jobs.ts'
import { prepareEmbeddedMotion, prepareMotion } from './motion.ts'
import { compatibleFailed, convert, copyWithoutMetadata, makeCompatible, prepareVideo } from './video.ts'

export function handlePrepareJobs(queue: Queue, deps: PrepareDeps): void {
  queue.handle(preparePictures, {
    run: ({ mediaId }, run) =>
      withPart(deps, { mediaId, kind: 'original' }, run, (media, path, folder) =>
        media.file_type === 'image'
          ? prepareImage(deps, media, path, folder, run.signal)
          : prepareVideo(deps, media, path, folder, run.signal),
      ),
    onFailed: (tx, { mediaId }, reason) => markFailed(deps, tx, mediaId, reason),
  })
  // No failure handler: the variants stay as they are, and the viewer turns them.
  queue.handle(rotatePictures, {
    run: ({ mediaId }, run) =>
      withPart(deps, { mediaId, kind: 'original' }, run, (media, path, folder) =>
        rotateImage(deps, media, path, folder, run.signal),
      ),
  })
  queue.handle(convertVideo, {
    run: ({ mediaId }, run) =>
      withPart(deps, { mediaId, kind: 'original' }, run, (media, path, folder) =>
        convert(deps, media, path, folder, run.signal),
      ),
    onFailed: (tx, { mediaId }, reason) => markFailed(deps, tx, mediaId, reason),
  })
  queue.handle(convertCompatible, {
    run: ({ mediaId }, run) =>
      withPart(deps, { mediaId, kind: 'original' }, run, (media, path, folder) =>
        makeCompatible(deps, media, path, folder, run.signal),
      ),
    onFailed: (tx, { mediaId }, reason) => compatibleFailed(deps, tx, mediaId, reason),
  })
  // No failure handler: guests see that this video is not ready.
  queue.handle(copyForGuests, {
    run: async ({ mediaId }, run) => {
      const compatible = await findPart(deps.db.query, mediaId, 'compatible')
      const shown = (await findMedia(deps.db.query, mediaId))?.shown_part
      if (!compatible && !shown) return
      await withPart(
        deps,
        { mediaId, kind: compatible ? 'compatible' : (shown ?? 'original') },
        run,
        (media, path, folder) => copyWithoutMetadata(deps, media, path, folder, run.signal),
      )
    },
  })
  // No failure handler: a clip that cannot be converted stays as uploaded, and the photo is shown without it.
  queue.handle(convertMotion, {
    run: async ({ mediaId }, run) => {
      const kind = (await findPart(deps.db.query, mediaId, 'motion')) ? 'motion' : 'original'
      const prepare = kind === 'motion' ? prepareMotion : prepareEmbeddedMotion
      await withPart(deps, { mediaId, kind }, run, (media, path, folder) =>
        prepare(deps, media, path, folder, run.signal),
      )
    },
  })
}

/** Does nothing if the file has been purged. Permanent errors are not retried. */
async function withPart(
  { db, storage, scratch }: PrepareDeps,
  { mediaId, kind }: { mediaId: number; kind: PartKind },
  { signal }: JobRun,
  work: (media: MediaRow, path: string, folder: RootFolder) => Promise<void>,
): Promise<void> {
  const media = await findMedia(db.query, mediaId)
  const found = media && (await findPart(db.query, mediaId, kind))
  if (!media || !found) return
  try {
    await storage.withLocalCopy(found.key, path => scratch.withFolder(folder => work(media, path, folder)))
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ProcessingError && !error.isRetryable)
      throw new PermanentFailure(error.message, { cause: error })
    throw error
  }
}

async function markFailed({ db, clock }: PrepareDeps, tx: Tx, mediaId: number, reason: string): Promise<void> {
  const media = await findMedia(tx, mediaId)
  // The client's variants stay visible even if the original cannot be processed.
  if (media?.status !== 'processing') return
  await updateMedia(tx, mediaId, { status: 'failed', progress: null, failure_reason: reason, failed_at: clock() })
  await announceFiles(db, tx, [mediaId])
}
